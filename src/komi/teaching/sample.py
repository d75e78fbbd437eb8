"""The decisions that a search looks at: states, how much each action costs there, and what a person sees.

The cost of an action is its regret times how often play gets there. Of very many states a part is drawn, each as
likely as its largest cost is large, and counted as often as one is missed (sampling with probability proportional to
size).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.teaching.features import Feature, measure
from komi.teaching.games import Games
from komi.teaching.strategy import Strategy

MOST = 20_000  # states


@dataclass(frozen=True, eq=False)
class Sample:
    """Decisions that play comes to.

    Attributes:
        values: float64[features, decisions], what a person sees.
        costs: float64[actions, decisions], what each action gives away, in all games.
        lows: int64[features], the least value of each, rounded down.
        highs: int64[features], the greatest, rounded up.
    """

    values: NDArray[np.float64]
    costs: NDArray[np.float64]
    lows: NDArray[np.int64]
    highs: NDArray[np.int64]

    @classmethod
    def of(
        cls, games: Games, features: Sequence[Feature], visits: NDArray[np.float64], random: np.random.Generator
    ) -> "Sample":
        """The decisions that matter if states occur so often."""
        stakes = visits * games.regrets.max(axis=0)
        stakes[games.choices < 2] = 0.0
        indices, weights = drawn(stakes, MOST, random)
        values = measure(features, games.solution.values.states, indices)
        costs = games.regrets[:, indices] * (visits[indices] * weights)
        lows, highs = np.floor(values.min(axis=1)), np.ceil(values.max(axis=1))
        return cls(values, costs, lows.astype(np.int64), highs.astype(np.int64))

    def loss(self, strategy: Strategy) -> float:
        """What a strategy gives away, to first order."""
        return float(self.costs_of(strategy).sum())

    def costs_of(self, strategy: Strategy) -> NDArray[np.float64]:
        """float64[decisions], what it gives away in each."""
        actions = strategy.actions(self.values)
        return np.asarray(np.take_along_axis(self.costs, actions[None], axis=0)[0])


def drawn(
    stakes: NDArray[np.float64], most: int, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which states are drawn, in ascending order, and how often each counts: all with a stake, or about so many."""
    indices = np.flatnonzero(stakes)
    if len(indices) <= most:
        return indices, np.ones(len(indices))
    shares = _shares(stakes[indices], most)
    taken = random.random(len(indices)) < shares
    return indices[taken], 1.0 / shares[taken]


def _shares(stakes: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """How likely each state is to be drawn, so that about so many are."""
    scale = most / stakes.sum()
    for _ in range(20):
        certain = stakes * scale >= 1.0
        scale = (most - certain.sum()) / max(stakes[~certain].sum(), 1e-300)
    shares: NDArray[np.float64] = np.minimum(stakes * scale, 1.0)
    return shares


@dataclass(frozen=True, eq=False)
class Cuts:
    """The best constant for each feature and coefficient: what a test gains, and its constant."""

    gains: NDArray[np.float64]
    constants: NDArray[np.int64]


def best_cuts(
    sample: Sample, decisions: NDArray[np.bool_], base: NDArray[np.float64], changes: NDArray[np.float64],
    coefficients: NDArray[np.float64],
) -> Cuts:  # fmt: skip
    """For each feature and coefficient, the best constant of a test `base + coefficient * feature >= constant`.

    Args:
        sample: the decisions.
        decisions: bool[decisions], which of them the test is asked about.
        base: float64[decisions], the sum of the test's other terms.
        changes: float64[decisions], what it costs more if the test is passed.
        coefficients: float64[.], those to try.

    Returns:
        float64[features, coefficients] and int64 of the same shape
    """
    chosen = np.flatnonzero(decisions)
    shape = (len(sample.values), len(coefficients))
    gains, constants = np.zeros(shape), np.zeros(shape, np.int64)
    if len(chosen):
        kernel = engine()[_scan]
        kernel(
            sample.values,
            sample.lows,
            sample.highs,
            chosen,
            base[chosen],
            changes[chosen],
            coefficients,
            gains,
            constants,
        )
    return Cuts(gains, constants)


MOST_STEPS = 4096  # between the least and the greatest sum


def _scan(values, lows, highs, chosen, base, changes, coefficients, gains, constants):  # type: ignore[no-untyped-def]
    """Fill in the gains and the constants."""
    sums = np.zeros(MOST_STEPS)
    low_base = np.floor(base.min())
    high_base = np.ceil(base.max())
    for feature in range(len(values)):
        column = values[feature]
        for which in range(len(coefficients)):
            coefficient = coefficients[which]
            ends = (coefficient * lows[feature], coefficient * highs[feature])
            lowest = int(np.floor(low_base + min(ends[0], ends[1]))) - 1
            steps = int(np.ceil(high_base + max(ends[0], ends[1]))) + 2 - lowest
            if steps > MOST_STEPS:
                continue
            sums[:steps] = 0.0
            for i in range(len(chosen)):
                sums[int(base[i] + coefficient * column[chosen[i]] + 1e-6 - lowest)] += changes[i]
            total = 0.0
            for step in range(steps - 1, 0, -1):
                total += sums[step]
                if -total > gains[feature, which]:
                    gains[feature, which] = -total
                    constants[feature, which] = lowest + step
