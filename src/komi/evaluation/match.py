"""`komi.match`: the exact result of policies, given by name, in single-player, two-player and multiplayer games."""

from collections.abc import Sequence
from typing import Any, Literal, overload

from komi.errors import InputError
from komi.evaluation.audit import MatchResult, audit_match
from komi.evaluation.average import evaluate_average, evaluate_average_match
from komi.evaluation.controller import evaluate_controller
from komi.evaluation.hidden import HiddenEvaluator
from komi.evaluation.match_result import Match
from komi.evaluation.mixed import match_mixed
from komi.evaluation.multiplayer import MultiplayerMatch, match_multiplayer
from komi.evaluation.single_player import SinglePlayerEvaluation, evaluate_single_player
from komi.evaluation.two_player import match_two_player
from komi.games._kinds import Duel, Race, RaceForMore, Solitaire, WithoutChance
from komi.policies.controller import ControllerPolicy
from komi.policies.named import PolicyLike, as_policies
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve_with_policy
from komi.typing import GameLike


@overload
def match(game: RaceForMore, *policies: PolicyLike, players: Literal[3, 4], **options: Any) -> MultiplayerMatch: ...
@overload
def match(game: RaceForMore, *policies: PolicyLike, players: Literal[2] = 2, **options: Any) -> Match: ...
@overload
def match(game: Race | Duel | WithoutChance, *policies: PolicyLike, **options: Any) -> Match: ...
@overload
def match(game: Solitaire, *policies: PolicyLike, **options: Any) -> SinglePlayerEvaluation: ...
@overload
def match(
    game: GameLike,
    *policies: PolicyLike,
    vectorized: bool = False,
    observation: str = "fields",
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    **rules: object,
) -> MatchResult: ...


def match(
    game: GameLike,
    *policies: PolicyLike,
    vectorized: bool = False,
    observation: str = "fields",
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    **rules: object,
) -> MatchResult:
    """Compute the exact result of policies in a game.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policies: one per seat; the last one also takes the remaining seats. Each is the name of a policy, as
            `komi match` takes it; a function (rules, state) -> number of an action, in the language of rule files; or
            any Python function (observation, action_mask) -> number of an action, with the arrays of `komi.gymnasium`:
            int64[fields] and int8[actions]. It is called once in every state.
        vectorized: whether functions of the second form take int64[states, fields] and int8[states, actions], and
            return int[states], or, with hidden information, probabilities, float[states, actions].
        observation: the form of the observations of such functions, "fields" or, as float32[planes], "planes".
        tolerance: the largest error bound to accept.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Returns:
        For two players a `Match`: how often A wins from each seat, and the game length; for one player a
        `SinglePlayerEvaluation`: the policy's value and loss; for three or more a `MultiplayerMatch`: how often each
        seat wins. In games without an end an `AverageEvaluation` or an `AverageMatch`: the average per action.

    Raises:
        InputError: for an unknown game, rule or policy, or more policies than seats.
        GameError: if the rules are broken, or a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.

    Examples:
        >>> import komi
        >>> piglet = komi.match("piglet", "hold-at:2", "optimal")
        >>> round(piglet.first.wins, 4), round(piglet.second.wins, 4)
        (0.4955, 0.4526)
        >>> def hold_at_2(rules, state):
        ...     return 0 if state.turn < 2 and state.score + state.turn < rules.goal else 1
        >>> komi.match("piglet", hold_at_2, "optimal").first == piglet.first
        True
        >>> def hold_at_2(observation, action_mask):
        ...     return 0 if action_mask[0] and observation[2] < 2 else 1
        >>> komi.match("piglet", hold_at_2, "optimal").first == piglet.first
        True
        >>> single = komi.match("pig-solitaire", "hold-at:20", objective="turns")
        >>> round(single.value, 3), round(single.loss, 3)
        (12.637, 0.092)
    """
    game = catalog.find(game)
    solution = solve_with_policy(game, tolerance=max(tolerance, TOLERANCE), progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    seats = policies_by_seat(solution, policies, vectorized, observation)
    return evaluate_match(solution, seats, tolerance, progress)


def policies_by_seat(
    solution: Solution[Any], given: Sequence[PolicyLike], vectorized: bool = False, observation: str = "fields"
) -> list[Policy]:
    """Return the policies given by names or functions, one per seat; the last one also takes the remaining seats.

    Raises:
        InputError: for an unknown name, no name, or more names than seats.
    """
    seats = solution.kind.seats
    if not 1 <= len(given) <= seats:
        number = "one policy" if seats == 1 else f"1 to {seats} policies; the last one also takes the remaining seats"
        raise InputError(f"a match of {solution.game.name} takes {number}, not {len(given)}.")
    return as_policies([*given, *[given[-1]] * (seats - len(given))], solution, vectorized, observation)


def evaluate_match(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> MatchResult:
    """Compute the exact result of policies, one per seat; see `match`."""
    result: MatchResult
    if isinstance(solution, PointBasedSolution) and isinstance(policies[0], ControllerPolicy):
        return evaluate_controller(solution, policies[0], tolerance)
    if solution.kind.average and solution.kind.seats == 2:
        result = evaluate_average_match(solution, policies[0], policies[1], tolerance, progress)
    elif solution.kind.average:
        result = evaluate_average(solution, policies[0], tolerance, progress)
    elif solution.kind.seats == 1:
        result = evaluate_single_player(solution, policies[0], tolerance, progress)
    elif solution.kind.has_seat_values and solution.kind.hidden:
        result = HiddenEvaluator(solution, progress).match(policies, tolerance)
    elif solution.kind.has_seat_values:
        result = match_multiplayer(solution, policies, tolerance, progress)
    else:
        is_mixed = solution.kind.hidden or any(policy.is_mixed for policy in policies)
        evaluate = match_mixed if is_mixed else match_two_player
        result = evaluate(solution, policies[0], policies[1], tolerance, progress)
    audit_match(solution, policies, result)
    return result
