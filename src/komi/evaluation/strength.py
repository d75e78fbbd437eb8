"""`komi.match`: the exact result of policies, given by name, in single-player, two-player and multiplayer games."""

from collections.abc import Sequence
from typing import Any

from komi.errors import InputError
from komi.evaluation.match import Match
from komi.evaluation.match import match as play_match
from komi.evaluation.mixed import match_mixed
from komi.evaluation.seating import SeatedMatch, match_seats
from komi.evaluation.single_player import Alone, evaluate_alone
from komi.game import Game
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve

MatchResult = Match | SeatedMatch | Alone
"""The exact result of a match, by the number of players."""


def match(
    game: str | Game, *policies: str, tolerance: float = TOLERANCE, progress: Progress = silent, **rules: object
) -> Any:
    """Compute the exact result of policies in a game.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        policies: names of policies, as `komi match` takes them, one per seat; the last one also takes the remaining
            seats.
        tolerance: the largest error bound to accept.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Returns:
        For two players a `Match`: how often A wins from each seat, and the game length; for one player an `Alone`: the
        policy's value and loss; for three or more a `SeatedMatch`: how often each seat wins.

    Raises:
        InputError: for an unknown game, rule or policy, or more policies than seats.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.

    Examples:
        >>> import komi
        >>> piglet = komi.match("piglet", "hold-at:2", "optimal")
        >>> round(piglet.first.wins, 4), round(piglet.second.wins, 4)
        (0.4955, 0.4526)
        >>> alone = komi.match("pig-solitaire", "hold-at:20", objective="turns")
        >>> round(alone.value, 3), round(alone.loss, 3)
        (12.637, 0.092)
    """
    found = catalog.find(game) if isinstance(game, str) else game
    solution = solve(found, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return measure(solution, seated(solution, policies), tolerance, progress)


def seated(solution: Solution[Any], names: Sequence[str]) -> list[Policy]:
    """Return the policies of these names, one per seat; the last one also takes the remaining seats.

    Raises:
        InputError: for an unknown name, no name, or more names than seats.
    """
    seats = solution.kind.seats
    if not 1 <= len(names) <= seats:
        wanted = "one policy" if seats == 1 else f"1 to {seats} policies, the last of which takes the seats left"
        raise InputError(f"a match of {solution.game.name} takes {wanted}, not {len(names)}.")
    known = {name: find(name, solution) for name in names}
    return [known[name] for name in [*names, *[names[-1]] * (seats - len(names))]]


def measure(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> MatchResult:
    """Compute the exact result of policies, one per seat; see `match`."""
    if solution.kind.seats == 1:
        return evaluate_alone(solution, policies[0], tolerance, progress)
    if solution.kind.seats > 2:
        return match_seats(solution, policies, tolerance, progress)
    mixed = solution.kind.simultaneous or any(policy.is_mixed for policy in policies)
    play = match_mixed if mixed else play_match
    return play(solution, policies[0], policies[1], tolerance, progress)
