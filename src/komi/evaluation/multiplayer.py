"""Exact matches in multiplayer and general-sum games: the value of each seat, and the best responses.

One evaluation computes the expected payoff of one seat: role r is the seat r places after it, so that one evaluation
holds for every rotation of the same cyclic order of policies. With that seat free, and all others fixed, it is a
single-player problem: the exact best response.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import Any, TypeAlias

from komi.arrays import F64, I16
from komi.bellman import WIN_PROBABILITY
from komi.evaluation.policy_evaluator import PolicyEvaluator, check_tolerance
from komi.policies.policy import Policy, distinct_names
from komi.progress import Progress, silent
from komi.rounding import format_bound
from komi.solvers.solution import TOLERANCE, Solution
from komi.tabular import Record, Tabular

FREE_SEAT = None  # in place of a policy's name: the seat plays its best response
Order: TypeAlias = tuple[str | None, ...]
"""The names of policies, seat by seat."""


@dataclass(frozen=True)
class Seating:
    """An assignment of policies to seats, the first to move first, with its results.

    Attributes:
        policies: their names, one per seat; see `policies.policy.distinct_names`.
        values: each seat's probability of winning, a shared win counting as a fraction; with a `payoff_range` its
            expected payoff.
        actions, turns: expected numbers for all seats together.
    """

    policies: tuple[str, ...]
    values: tuple[float, ...]
    actions: float
    turns: float


@dataclass(frozen=True)
class MultiplayerMatch(Tabular):
    """The result of a match of three or more seats, or of two in a general-sum game.

    Attributes:
        seatings: every order of the policies around the table, the requested one first.
        error_bound: error bound of the values.
        length_error_bound: error bound of the expected actions and turns.
    """

    seatings: tuple[Seating, ...]
    error_bound: float
    length_error_bound: float

    def __repr__(self) -> str:
        seats = zip(self.seatings[0].policies, self.values, strict=True)
        wins = ", ".join(f"{name} {value:.6f}" for name, value in seats)
        return f"<MultiplayerMatch: {wins}; error bound {format_bound(self.error_bound)}>"

    def records(self) -> list[Record]:
        """List each seat of each order of the policies around the table."""
        return [
            {"seating": number, "seat": seat, "policy": policy, "value": value, "actions": each.actions}
            for number, each in enumerate(self.seatings, 1)
            for seat, (policy, value) in enumerate(zip(each.policies, each.values, strict=True), 1)
        ]

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each seat, in the requested order."""
        return self.seatings[0].values

    @property
    def average(self) -> dict[str, float]:
        """The value of a seat that plays each policy, by name, averaged over all orders."""
        return {
            name: fmean(
                value
                for seating in self.seatings
                for policy, value in zip(seating.policies, seating.values, strict=True)
                if policy == name
            )
            for name in dict.fromkeys(self.seatings[0].policies)
        }


def match_multiplayer(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> MultiplayerMatch:
    """Compute how often each seat wins, or its expected payoff, for every order of these policies around the table.

    Args:
        solution: the solved game, whose seats have values of their own.
        policies: one per seat, the first to move first.
        tolerance: the largest error bound to accept.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.
    """
    names, seats = distinct_names(policies), len(policies)
    evaluations = _Evaluations(solution, dict(zip(names, policies, strict=True)), progress)
    seatings = []
    for order in dict.fromkeys(permutations(names)):
        results = [evaluations.evaluate(_rotate(order, seat)) for seat in range(seats)]
        values = tuple(float(result.values[-seat % seats]) for seat, result in enumerate(results))
        actions, turns = map(float, results[0].lengths[:2, 0])
        seatings.append(Seating(order, values, actions, turns + 1.0))
    check_tolerance(evaluations.error_bound, tolerance * solution.scale)
    return MultiplayerMatch(tuple(seatings), evaluations.error_bound, evaluations.length_error_bound)


def best_responses(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> tuple[float, ...]:
    """Compute the value of each seat's best response while all other seats keep to these policies.

    Raises:
        SolveError: if the values cannot be proved to the tolerance.
    """
    names, seats = tuple(distinct_names(policies)), len(policies)
    evaluations = _Evaluations(solution, dict(zip(names, policies, strict=True)), progress)
    values = tuple(
        float(evaluations.evaluate((FREE_SEAT, *_rotate(names, seat)[1:])).values[-seat % seats])
        for seat in range(seats)
    )
    check_tolerance(evaluations.error_bound, tolerance * solution.scale)
    return values


def _rotate(order: Order, seat: int) -> Order:
    """Rotate the policies around the table so that the seat's comes first."""
    return order[seat:] + order[:seat]


@dataclass(frozen=True, eq=False)
class _StartValues:
    """Results from the initial state, by the role that moves first.

    Attributes:
        values: float64[roles], the expected payoff of role 0.
        lengths: float64[measures, roles].
    """

    values: F64
    lengths: F64


class _Evaluations:
    """The evaluations of cyclic orders of some policies, each computed once.

    Attributes:
        error_bound, length_error_bound: the largest error bounds of all evaluations so far.
    """

    def __init__(self, solution: Solution[Any], policies: dict[str, Policy], progress: Progress) -> None:
        self._evaluator, self._payoffs = PolicyEvaluator.of(solution, progress), solution.kind.payoffs
        self._tables: dict[str | None, I16] = {FREE_SEAT: self._evaluator.free()}
        self._tables |= {name: self._evaluator.tabulate(policy) for name, policy in policies.items()}
        self._results: dict[Order, _StartValues] = {}
        self.error_bound = self.length_error_bound = 0.0

    def evaluate(self, names: Order) -> _StartValues:
        """Compute the expected payoff of the first of these policies, and the lengths, from the initial state."""
        if names not in self._results:
            seats = len(names)
            objective = WIN_PROBABILITY._replace(is_zero_sum=False)
            results = self._evaluator.evaluate([self._tables[name] for name in names], objective, seats)
            self.error_bound = max(self.error_bound, self._payoffs.bound(float(results.bound.max())))
            self.length_error_bound = max(self.length_error_bound, float(results.length_bound.max()))
            rows = slice(self._evaluator.start * seats, (self._evaluator.start + 1) * seats)
            self._results[names] = _StartValues(
                self._payoffs.payoff(results.value[rows]), results.length[:, rows].copy()
            )
        return self._results[names]
