"""`komi.match`: the exact strength of a policy against another, both by name."""

from komi import catalog
from komi.evaluation.match import Match
from komi.evaluation.match import match as play_match
from komi.game import Game
from komi.methods.answer import TOLERANCE
from komi.methods.solve import solve
from komi.policies.named import find
from komi.progress import Progress, silent


def match(
    game: str | Game, a: str, b: str, *, tolerance: float = TOLERANCE, progress: Progress = silent, **rules: object
) -> Match:
    """How often policy A wins against policy B, from both seats, and how long it takes.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        a, b: names of policies, as `komi match` takes them.
        tolerance: the largest error bound to accept.
        progress: called during long work; see `komi.progress`.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if the game between them may never end, or cannot be proved to the tolerance.

    Examples:
        >>> import komi
        >>> piglet = komi.match("piglet", "hold-at:2", "optimal")
        >>> round(piglet.first.wins, 4), round(piglet.second.wins, 4)
        (0.4955, 0.4526)
    """
    found = catalog.find(game) if isinstance(game, str) else game
    solution = solve(found, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    one = find(a, solution)
    return play_match(solution, one, one if a == b else find(b, solution), tolerance, progress)
