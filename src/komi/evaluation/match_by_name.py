"""`komi.match`: the exact result of policies, given by name, in single-player, two-player and multiplayer games."""

from collections.abc import Sequence
from typing import Any

from komi.errors import InputError
from komi.evaluation.match import Match
from komi.evaluation.match import match as match_two
from komi.evaluation.mixed import match_mixed
from komi.evaluation.multiplayer import MultiplayerMatch, match_multiplayer
from komi.evaluation.single_player import SinglePlayerEvaluation, evaluate_single_player
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve
from komi.typing import GameLike

MatchResult = Match | MultiplayerMatch | SinglePlayerEvaluation


def match(
    game: GameLike, *policies: str, tolerance: float = TOLERANCE, progress: Progress = silent, **rules: object
) -> Any:
    """Compute the exact result of policies in a game.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policies: names of policies, as `komi match` takes them, one per seat; the last one also takes the remaining
            seats.
        tolerance: the largest error bound to accept.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Returns:
        For two players a `Match`: how often A wins from each seat, and the game length; for one player a
        `SinglePlayerEvaluation`: the policy's value and loss; for three or more a `MultiplayerMatch`: how often each
        seat wins.

    Raises:
        InputError: for an unknown game, rule or policy, or more policies than seats.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.

    Examples:
        >>> import komi
        >>> piglet = komi.match("piglet", "hold-at:2", "optimal")
        >>> round(piglet.first.wins, 4), round(piglet.second.wins, 4)
        (0.4955, 0.4526)
        >>> single = komi.match("pig-solitaire", "hold-at:20", objective="turns")
        >>> round(single.value, 3), round(single.loss, 3)
        (12.637, 0.092)
    """
    game = catalog.find(game)
    solution = solve(game, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return evaluate_match(solution, policies_by_seat(solution, policies), tolerance, progress)


def policies_by_seat(solution: Solution[Any], names: Sequence[str]) -> list[Policy]:
    """Return the policies of these names, one per seat; the last one also takes the remaining seats.

    Raises:
        InputError: for an unknown name, no name, or more names than seats.
    """
    seats = solution.kind.seats
    if not 1 <= len(names) <= seats:
        number = "one policy" if seats == 1 else f"1 to {seats} policies; the last one also takes the remaining seats"
        raise InputError(f"a match of {solution.game.name} takes {number}, not {len(names)}.")
    policies = {name: find(name, solution) for name in names}
    return [policies[name] for name in [*names, *[names[-1]] * (seats - len(names))]]


def evaluate_match(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> MatchResult:
    """Compute the exact result of policies, one per seat; see `match`."""
    if solution.kind.seats == 1:
        return evaluate_single_player(solution, policies[0], tolerance, progress)
    if solution.kind.seats > 2:
        return match_multiplayer(solution, policies, tolerance, progress)
    is_mixed = solution.kind.simultaneous or any(policy.is_mixed for policy in policies)
    evaluate = match_mixed if is_mixed else match_two
    return evaluate(solution, policies[0], policies[1], tolerance, progress)
