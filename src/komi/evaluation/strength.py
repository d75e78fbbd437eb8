"""The exact strength of one policy beside optimal play, for every number of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from komi.errors import SolveError
from komi.evaluation.audit import MatchResult
from komi.evaluation.average import AverageEvaluation, AverageMatch, average_of_best_response
from komi.evaluation.hidden import HiddenEvaluator
from komi.evaluation.match import evaluate_match
from komi.evaluation.match_result import Match, SeatResult
from komi.evaluation.mixed import best_response_mixed
from komi.evaluation.multiplayer import MultiplayerMatch, best_responses
from komi.evaluation.single_player import SinglePlayerEvaluation
from komi.evaluation.two_player import best_response
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules.kind import Kind
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.solution import TOLERANCE, Solution


@dataclass(frozen=True)
class PolicyStrength:
    """The strength of a policy in one seat while optimal play has all others.

    Attributes:
        objective: the quantity that values measure: "chance of winning", or the objective of the game.
        match: the exact result: of two players against optimal play; with more, or in a general-sum game, of a seat
            with this policy among others that keep to the equilibrium; of one player alone.
        values: the expected value in each seat.
        optimal: that of optimal play.
        loss: what the policy gives away against optimal play, averaged over the seats; where players choose at the same
            time, against a best response, because optimal play does not exploit mistakes there.
        worst_case: with two players whose interests are opposed, its value against a best response, averaged over both
            seats; otherwise None.
    """

    objective: str
    match: MatchResult
    values: tuple[float, ...]
    optimal: tuple[float, ...]
    loss: float
    worst_case: float | None


def measure_strength(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> PolicyStrength:
    """Compute the exact loss of a policy: that of deviating alone, or with simultaneous choice its exploitability.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if play with it may never end, or the result cannot be proved.
    """
    seats = solution.kind.seats
    others = [find("optimal", solution)] * (seats - 1)
    result = evaluate_match(solution, [policy, *others], progress=progress)
    worst_case = None
    values: tuple[float, ...]
    optimal: tuple[float, ...]
    if isinstance(result, AverageEvaluation | SinglePlayerEvaluation):
        values, optimal, loss = (result.value,), (result.optimal,), result.loss
    elif isinstance(result, AverageMatch | Match):
        seated = (result.first, result.second)
        values = tuple(each.wins if isinstance(each, SeatResult) else each for each in seated)
        optimal = _optimal_values(solution)
        payoffs = solution.kind.payoffs
        worst_case = payoffs.opposite(best_response_average(solution, policy, progress=progress))
        loss = payoffs.even - (worst_case if solution.kind.simultaneous else result.average)
    else:
        values, optimal = _values_by_seat(result, policy.name), _optimal_values(solution)
        loss = fmean(optimal) - fmean(values)
    return PolicyStrength(solution.objective, result, values, optimal, max(loss, 0.0), worst_case)


def best_response_average(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> float:
    """Compute the probability of winning, or the expected payoff, of the best response, averaged over both seats."""
    if solution.kind.average:
        return average_of_best_response(solution, policy, tolerance, progress)
    if solution.kind.is_concealed:
        return HiddenEvaluator(solution, progress).best_response(policy).average
    is_mixed = solution.kind.simultaneous or policy.is_mixed
    respond = best_response_mixed if is_mixed else best_response
    return respond(solution, policy, tolerance, progress).average


def best_responses_by_seat(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> tuple[float, ...]:
    """Compute the value of each of three or more seats' best response while all others keep to these policies."""
    if solution.kind.hidden:
        return HiddenEvaluator(solution, progress).best_responses(policies)
    return best_responses(solution, policies, tolerance, progress)


def _values_by_seat(result: MultiplayerMatch, name: str) -> tuple[float, ...]:
    """Return the value of a policy in each seat while others have the rest."""
    return tuple(
        next(seating.values[seat] for seating in result.seatings if seating.policies[seat] == name)
        for seat in range(len(result.values))
    )


def _optimal_values(solution: Solution[Any]) -> tuple[float, ...]:
    """Return the value of optimal play in each seat."""
    return tuple(solution.expected_value(seat=seat) for seat in range(solution.kind.seats))


def check_measurable(solution: Solution[Any]) -> None:
    """Check that optimal play takes one action in each state, so that a policy can be measured against it.

    Raises:
        SolveError: if it mixes actions.
    """
    if isinstance(solution, MultiplayerSolution) and not solution.is_pure:
        raise SolveError(
            f"the equilibrium of {solution.game.name} mixes actions in {len(solution.data.mixed):,} states, so that "
            "the loss of a policy against it cannot be computed: compare policies with 'komi simulate'."
        )


def format_loss(kind: Kind, loss: float, digits: int = 3) -> str:
    """Format a loss: a percentage of a probability, else a number with one more decimal."""
    return f"{100 * loss:.{digits}f} %" if kind.is_chance else f"{loss:.{digits + 1}f}"
