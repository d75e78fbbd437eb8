"""The distribution of the final score of a policy in a single-player game.

Scores are multiples of a unit: 1, or where rewards are fractions the greatest of which all are multiples. All games of
the policy are followed at once; see `komi.evaluation.score_flow`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from komi.arrays import F64
from komi.errors import SolveError
from komi.evaluation.score_flow import WHOLE, follow_scores
from komi.policies import named
from komi.policies.named import PolicyLike
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.kind import check_no_average, check_no_discount
from komi.rules.target import TOLERANCE
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.tabular import Record, Tabular
from komi.typing import GameLike


@dataclass(frozen=True, eq=False)
class ScoreDistribution(Tabular):
    """The probability distribution of the final score.

    Attributes:
        policy: the policy's name.
        objective: the name of the objective: "expected points".
        least: the lowest score with positive probability.
        probabilities: float64[scores], the probability of each score from `least` on, in steps of the unit.
        error_bound: error bound of any sum of these probabilities.
        unit: scores are multiples of it; up to rounding, if rewards are fractions.
    """

    policy: str
    objective: str
    least: float
    probabilities: F64
    error_bound: float
    unit: Fraction = WHOLE

    def __repr__(self) -> str:
        found = f"{self.objective} {self.mean:.6f}, standard deviation {self.deviation:.6f}"
        return f"<ScoreDistribution of {self.policy}: {found}>"

    def records(self) -> list[Record]:
        """List each possible score with its probability."""
        return [{"score": score, "probability": chance} for score, chance in self.distribution.items()]

    @cached_property
    def distribution(self) -> dict[float, float]:
        """The probability of each possible score."""
        return {self._score(int(i)): float(self.probabilities[i]) for i in np.flatnonzero(self.probabilities)}

    @property
    def mean(self) -> float:
        """The expected score."""
        return float(self._scores @ self.probabilities)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt((self._scores - self.mean) ** 2 @ self.probabilities))

    def at_least(self, score: float) -> float:
        """Return the probability of this score or more."""
        first = math.ceil(score / float(self.unit) - self._first - TOLERANCE)
        return float(self.probabilities[max(first, 0) :].sum())

    def between(self, low: float, high: float) -> list[float]:
        """List the multiples of the unit from one score to another."""
        first, last = (round(Fraction(score) / self.unit) - self._first for score in (low, high))
        return [self._score(index) for index in range(first, last + 1)]

    @cached_property
    def _first(self) -> int:
        """The lowest score, in units."""
        return round(Fraction(self.least) / self.unit)

    @property
    def _scores(self) -> F64:
        units = self._first + np.arange(len(self.probabilities))
        return np.asarray(units * self.unit.numerator / self.unit.denominator, np.float64)

    def _score(self, index: int) -> float:
        """Return a score: an integer if all are."""
        return in_units(self._first + index, self.unit)

    def quantile(self, share: float) -> float:
        """Return the quantile of the score: the lowest score that is exceeded with at most probability 1 - share."""
        index = int(np.searchsorted(np.cumsum(self.probabilities), share * (1.0 - self.error_bound)))
        return self._score(min(index, len(self.probabilities) - 1))


def in_units(number: int, unit: Fraction) -> float:
    """Return a number of units: an integer if the unit is one."""
    return number * int(unit) if unit.denominator == 1 else float(number * unit)


def scores(
    game: GameLike, policy: PolicyLike = "optimal", *, progress: Progress = silent, **rules: object
) -> ScoreDistribution:
    """Compute the distribution of a policy's final score in a single-player game.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policy: the name of a policy, or a Python function; as in `komi.match`.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game has no rewards, they are not multiples of a unit, or games are too long.

    Examples:
        >>> import komi
        >>> turn = komi.scores("pig-solitaire", "hold-at:20", objective="score", turns=1)
        >>> round(turn.distribution[0], 6), round(turn.distribution[20], 6)
        (0.624541, 0.099713)
    """
    game = catalog.find(game)
    solution = solve_all_states(game, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return score_distribution(solution, named.as_policy(policy, solution), progress)


def score_distribution(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> ScoreDistribution:
    """Compute the distribution of a policy's final score in a solved single-player game.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the game has no rewards, they are not multiples of a unit, or games are too long.
    """
    kind = solution.kind
    check_no_average(kind)
    check_no_discount(kind)
    if kind.seats != 1 or not kind.rewards:
        reason = f"{kind.name} is for {kind.seats} players" if kind.seats != 1 else f"{kind.name} has no rewards"
        raise SolveError(f"only single-player games with rewards have scores: {reason}.")
    games = follow_scores(solution, policy, progress=progress)
    occurring = np.flatnonzero(games.ended)
    probabilities = games.ended[occurring[0] : occurring[-1] + 1].copy()
    least = in_units(games.least + int(occurring[0]), games.unit)
    return ScoreDistribution(policy.name, solution.objective, least, probabilities, games.error, games.unit)
