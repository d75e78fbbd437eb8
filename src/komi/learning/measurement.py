"""Exact measurement of a learner: the loss of its greedy policy, and the error of its values."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64
from komi.errors import SolveError
from komi.evaluation.strength_evaluator import StrengthEvaluator
from komi.evaluation.visits import count_visits
from komi.policies.table import TablePolicy
from komi.progress import Progress
from komi.solvers.solution import Solution


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
    """Measures policies and values of one game against its solution.

    Args:
        solution: the solved game, for one player, or for two with a constant sum.
        progress: called during long work.
    """

    def __init__(self, solution: Solution[Any], progress: Progress) -> None:
        arrays = solution.optimal_play
        self._strength = StrengthEvaluator(solution, progress)
        optimal = TablePolicy("optimal", arrays.states, arrays.choices)
        self._visits = count_visits(solution, optimal, optimal, progress).visits.sum(axis=0)
        self._is_single = solution.kind.seats == 1
        self._payoffs = solution.kind.payoffs
        self.exact = np.asarray(arrays.values)

    def errors(self, values: F64) -> Errors:
        """Compare float64[states] with the exact values; states whose value is NaN do not count."""
        is_known = ~np.isnan(values)
        distance, visits = self._payoffs.width * np.abs(values - self.exact)[is_known], self._visits[is_known]
        return Errors(float(distance.mean()), float(distance @ visits / visits.sum()), float(distance.max()))

    def loss(self, policy: TablePolicy) -> float | None:
        """Compute the regret of a policy, averaged over the seats.

        Return None if it cannot be proved, as where games may never end.
        """
        with suppress(SolveError):
            return self._strength.regret(policy).average
        return None

    def worst_case(self, policy: TablePolicy) -> float | None:
        """Compute a policy's probability of winning, or payoff, against a best response, averaged over both seats.

        Return None for a single player, or if it cannot be proved.
        """
        if not self._is_single:
            with suppress(SolveError):
                return self._payoffs.opposite(self._strength.best_response(policy).average)
        return None
