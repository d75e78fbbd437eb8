"""The decisions that a search evaluates: states, the cost of each action there, and the features that a person sees.

The cost of an action is its regret times the frequency of the state. If there are very many states, they are sampled
with probability proportional to their largest cost, and weighted by the inverse of this probability (sampling with
probability proportional to size).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from komi.arrays import F64, I64
from komi.teaching.features import Feature, compute_features
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.strategy import Strategy

MAX_DECISIONS = 20_000  # in which the annealing evaluates each edit: more take longer, fewer mislead it


@dataclass(frozen=True, eq=False)
class DecisionSample:
    """Decisions from games.

    Attributes:
        values: float64[features, decisions], the features that a person sees.
        costs: float64[actions, decisions], the regret of each action, weighted by how often games reach the decision.
    """

    values: F64
    costs: F64

    @classmethod
    def of(
        cls,
        evaluator: LossEvaluator,
        features: Sequence[Feature],
        visits: F64,
        random: np.random.Generator,
        values: F64 | None = None,
    ) -> "DecisionSample":
        """Sample the decisions that matter, given how often states occur.

        Args:
            evaluator: the games of the learner.
            features: the features that a person sees.
            visits: float64[states], how often states occur.
            random: the random number generator.
            values: float64[roles, states], the values in the games of the strategy to improve; None for optimal play.
        """
        stakes = visits * evaluator.regrets.max(axis=0)
        stakes[evaluator.choices < 2] = 0.0
        indices, weights = sample_by_stakes(stakes, MAX_DECISIONS, random)
        regrets = evaluator.regrets[:, indices] if values is None else evaluator.deviation_regrets(values, indices)
        features_of_decisions = compute_features(features, evaluator.solution.optimal_play.states, indices)
        return cls(features_of_decisions, regrets * (visits[indices] * weights))

    def loss(self, strategy: Strategy) -> float:
        """Compute the first-order loss of a strategy."""
        return float(self.costs_of(strategy).sum())

    def costs_of(self, strategy: Strategy) -> F64:
        """Compute float64[decisions], the cost of a strategy in each decision."""
        actions = strategy.actions(self.values)
        return np.asarray(np.take_along_axis(self.costs, actions[None], axis=0)[0])


def sample_by_stakes(stakes: F64, count: int, random: np.random.Generator) -> tuple[I64, F64]:
    """Sample the indices of states, in ascending order, and their weights: all with a stake, or about `count`."""
    indices = np.flatnonzero(stakes)
    if len(indices) <= count:
        return indices, np.ones(len(indices))
    probabilities = _inclusion_probabilities(stakes[indices], count)
    is_sampled = random.random(len(indices)) < probabilities
    return indices[is_sampled], 1.0 / probabilities[is_sampled]


def _inclusion_probabilities(stakes: F64, count: int) -> F64:
    """Compute the probability of each state to be sampled, for an expected number of `count` samples."""
    scale, before = count / stakes.sum(), -1
    for _ in range(20):
        is_certain = stakes * scale >= 1.0
        if is_certain.sum() == before:
            break
        before = is_certain.sum()
        scale = (count - before) / max(stakes[~is_certain].sum(), 1e-300)
    return np.asarray(np.minimum(stakes * scale, 1.0))
