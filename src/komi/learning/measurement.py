"""Exact measurement of a learner: the loss of its greedy policy, and the error of its values."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.errors import SolveError
from komi.evaluation.policy_evaluator import PolicyEvaluator, check_tolerance
from komi.evaluation.visits import count_visits
from komi.policies.table import TablePolicy
from komi.progress import Progress
from komi.solvers.optimal_values import objective_of
from komi.solvers.solution import TOLERANCE, Solution


@dataclass(frozen=True)
class Errors:
    """The errors of values.

    Attributes:
        mean: the mean absolute error over all states, each counted once.
        weighted: the mean weighted by the expected visits under optimal play.
        largest: the largest absolute error.
    """

    mean: float
    weighted: float
    largest: float


class ExactMeasurement:
    """Measures policies and values of one game against its solution, each loss proved to the tolerance of `komi match`.

    Args:
        solution: the solved game, for one player, or for two with a constant sum.
        progress: called during long work.
    """

    def __init__(self, solution: Solution[Any], progress: Progress) -> None:
        arrays = solution.arrays
        self.solution = solution
        self._is_single = solution.kind.seats == 1
        self._evaluator = PolicyEvaluator.of(solution, progress)
        optimal = TablePolicy("optimal", arrays.states, arrays.choices)
        self._optimal = self._evaluator.tabulate(optimal)
        self._visits = count_visits(solution, optimal, optimal, progress).visits.sum(axis=0)
        self.exact = np.asarray(arrays.values)

    def errors(self, values: F64) -> Errors:
        """Compare float64[states] with the exact values; states whose value is NaN do not count."""
        is_known = ~np.isnan(values)
        distance, visits = np.abs(values - self.exact)[is_known], self._visits[is_known]
        return Errors(float(distance.mean()), float(distance @ visits / visits.sum()), float(distance.max()))

    def loss(self, policy: TablePolicy) -> float | None:
        """Compute the expected loss of a policy against optimal play, averaged over both seats.

        Return None if it cannot be proved, as where games may never end.
        """
        try:
            if self._is_single:
                return self._single_player_loss(self._evaluator.tabulate(policy))
            return max(0.5 - self._average_wins(self._evaluator.tabulate(policy), self._optimal), 0.0)
        except SolveError:
            return None

    def worst_case(self, policy: TablePolicy) -> float | None:
        """Compute a policy's probability of winning against a best response, averaged over both seats.

        Return None for a single player, or if it cannot be proved.
        """
        if self._is_single:
            return None
        try:
            return 1.0 - self._average_wins(self._evaluator.free(), self._evaluator.tabulate(policy))
        except SolveError:
            return None

    def _average_wins(self, first: I16, second: I16) -> float:
        values, bounds, *_ = self._evaluator.evaluate([first, second], measures=0)
        check_tolerance(float(bounds.max()), TOLERANCE)
        row = 2 * self._evaluator.start
        return float(values[row] + 1.0 - values[row + 1]) / 2

    def _single_player_loss(self, actions: I16) -> float:
        objective = objective_of(self.solution.kind)
        values, bounds, *_ = self._evaluator.evaluate([actions], objective, objective.gain_columns, measures=0)
        check_tolerance(float(bounds.max()), TOLERANCE * self.solution.scale)
        return abs(float(self.solution.value()) - objective.sign * float(values[self._evaluator.start]))
