"""The decisions that a search evaluates: states, the cost of each action there, and the features that a person sees.

The cost of an action is its regret times the frequency of the state. If there are very many states, they are sampled
with probability proportional to their largest cost, and weighted by the inverse of this probability (sampling with
probability proportional to size).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.teaching.features import Feature, compute_features
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.strategy import Strategy

MOST = 20_000  # states


@dataclass(frozen=True, eq=False)
class DecisionSample:
    """Decisions from games.

    Attributes:
        values: float64[features, decisions], the features that a person sees.
        costs: float64[actions, decisions], the regret of each action, weighted by how often games reach the decision.
    """

    values: NDArray[np.float64]
    costs: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        evaluator: LossEvaluator,
        features: Sequence[Feature],
        visits: NDArray[np.float64],
        random: np.random.Generator,
        values: NDArray[np.float64] | None = None,
    ) -> "DecisionSample":
        """Sample the decisions that matter, given how often states occur.

        Args:
            games: the games of the learner.
            features: the features that a person sees.
            visits: float64[states], how often states occur.
            random: the random number generator.
            values: float64[2, states], the values in the games of the strategy to improve; None for optimal play.
        """
        stakes = visits * evaluator.regrets.max(axis=0)
        stakes[evaluator.choices < 2] = 0.0
        indices, weights = sample_by_stakes(stakes, MOST, random)
        deviation_regrets = (
            evaluator.regrets[:, indices] if values is None else evaluator.deviation_regrets(values, indices)
        )
        seen = compute_features(features, evaluator.solution.arrays.states, indices)
        return cls(seen, deviation_regrets * (visits[indices] * weights))

    def loss(self, strategy: Strategy) -> float:
        """Compute the first-order loss of a strategy."""
        return float(self.costs_of(strategy).sum())

    def costs_of(self, strategy: Strategy) -> NDArray[np.float64]:
        """Compute float64[decisions], the cost of a strategy in each decision."""
        actions = strategy.actions(self.values)
        return np.asarray(np.take_along_axis(self.costs, actions[None], axis=0)[0])


def sample_by_stakes(
    stakes: NDArray[np.float64], most: int, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sample the indices of states, in ascending order, and their weights: all with a stake, or about `most`."""
    indices = np.flatnonzero(stakes)
    if len(indices) <= most:
        return indices, np.ones(len(indices))
    shares = _shares(stakes[indices], most)
    taken = random.random(len(indices)) < shares
    return indices[taken], 1.0 / shares[taken]


def _shares(stakes: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Compute the probability of each state to be sampled, for an expected number of `most` samples."""
    scale, before = most / stakes.sum(), -1
    for _ in range(20):
        certain = stakes * scale >= 1.0
        if certain.sum() == before:
            break
        before = certain.sum()
        scale = (most - before) / max(stakes[~certain].sum(), 1e-300)
    shares: NDArray[np.float64] = np.minimum(stakes * scale, 1.0)
    return shares
