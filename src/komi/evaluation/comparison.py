"""`komi.compare`: where a policy decides otherwise than another, and what that costs, both by name."""

from komi import catalog
from komi.errors import InputError
from komi.evaluation.losses import Agreement, agreement
from komi.game import Game
from komi.methods.solve import solve
from komi.policies.named import find
from komi.progress import Progress, silent


def compare(
    game: str | Game, a: str, b: str = "optimal", *, most: int = 10, progress: Progress = silent, **rules: object
) -> Agreement:
    """How often policy A decides as policy B does, and the states in which A gives away most.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        a, b: names of policies, as `komi match` takes them.
        most: how many mistakes to list.
        progress: is called with the stage of the work, how much of it is done, and how much there is.
        rules: the rules to change, by name.

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
