"""`komi.compare`: compares the decisions of two policies, given by name, and computes the loss where they differ."""

from komi.errors import InputError
from komi.evaluation.losses import Agreement, agreement
from komi.game import Game
from komi.policies.named import find
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.solve import solve


def compare(
    game: str | Game, a: str, b: str = "optimal", *, most: int = 10, progress: Progress = silent, **rules: object
) -> Agreement:
    """Compute how often policy A decides as policy B does, and list the states in which A loses most.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        a, b: names of policies, as `komi match` takes them.
        most: the maximum number of mistakes to list.
        progress: callback that receives the stage, the work done and the total work.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game cannot be solved.

    Examples:
        >>> import komi
        >>> comparison = komi.compare("piglet", "hold-at:2", most=1)
        >>> comparison.mistakes[0].action, comparison.mistakes[0].best
        ('hold', 'flip')
    """
    if most < 0:
        raise InputError(f"the number of mistakes to list must be 0 or more, not {most}.")
    found = catalog.find(game) if isinstance(game, str) else game
    solution = solve(found, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return agreement(solution, find(a, solution), find(b, solution), most, progress)
