"""The loss of a network over many decisions, and its gradient: compiled, and parallel on all cores."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from komi import parallel
from komi.approximating.network_kernels import accumulate_costs, accumulate_gradient, fill_actions
from komi.arrays import F32, F64, I16, I64
from komi.jit.kernels import fast_math_kernels
from komi.tuning import BLOCK

PARTS = 16  # summed separately: the same number on every machine, for reproducible sums
MIN_STAKES = 1e-30  # least sum of the stakes


@dataclass(frozen=True, eq=False)
class NetworkLoss:
    """The loss function of a network over a set of decisions.

    Attributes:
        inputs: float32[blocks, inputs, BLOCK].
        costs: float32[blocks, actions, BLOCK], relative to the stakes; 0 where the last block is padded.
        count: the number of decisions.
        stakes: the greatest possible loss, summed over all decisions.
    """

    inputs: F32
    costs: F32
    count: int
    stakes: float

    @classmethod
    def of(cls, inputs: F32, costs: F32) -> "NetworkLoss":
        """Create the loss of float32[decisions, inputs] and float32[decisions, actions], relative to all stakes."""
        costs = costs - costs.min(axis=1, keepdims=True)
        stakes = max(float(costs.max(axis=1).sum(dtype=np.float64)), MIN_STAKES)
        costs *= np.float32(1.0 / stakes)
        return cls(_transposed_blocks(inputs), _transposed_blocks(costs), len(inputs), stakes)

    def value_and_gradient(self, inner: F32, outer: F32, by_cost: bool) -> tuple[float, F64]:
        """Compute the loss of a network and its gradient by all weights, those of the inner layer first.

        Args:
            inner, outer: the layers.
            by_cost: True for the expected cost under a softmax of the logits; False for the cross-entropy of the best
                actions, each weighted by its stakes.
        """
        bounds = self._bounds()
        gradients = np.zeros((PARTS, inner.size + outer.size))

        def add(part: int) -> float:
            gradient, (begin, end) = gradients[part], bounds[part : part + 2]
            layers = gradient[: inner.size].reshape(inner.shape), gradient[inner.size :].reshape(outer.shape)
            kernel = fast_math_kernels()[accumulate_gradient]
            return float(kernel(inner, outer, self.inputs[begin:end], self.costs[begin:end], by_cost, *layers))

        return sum(_thread_pool().map(add, range(PARTS))), gradients.sum(axis=0)

    def evaluate_actions(self, inner: F32, outer: F32, logit_scale: float) -> tuple[float, F32]:
        """Compute the network's total cost, and float32[decisions], the expected cost under a softmax of scaled logits.

        Args:
            inner, outer: the layers.
            logit_scale: the factor of the logits.

        Returns:
            The total cost of the actions with the largest logits; the costs under the softmax, relative to the stakes.
        """
        bounds, soft_costs = self._bounds(), np.empty((len(self.inputs), BLOCK), np.float32)

        def add(part: int) -> float:
            begin, end = bounds[part : part + 2]
            kernel = fast_math_kernels()[accumulate_costs]
            return float(
                kernel(inner, outer, self.inputs[begin:end], self.costs[begin:end], logit_scale, soft_costs[begin:end])
            )

        return self.stakes * sum(_thread_pool().map(add, range(PARTS))), soft_costs.reshape(-1)[: self.count]

    def _bounds(self) -> I64:
        """Compute int64[PARTS + 1], the bounds of the parts."""
        return np.linspace(0, len(self.inputs), PARTS + 1).astype(np.int64)


def choose_actions(inner: F32, outer: F32, inputs: F32) -> I16:
    """Compute int16[.], the network's actions, given float32[., inputs]."""
    bounds = np.linspace(0, len(inputs), PARTS + 1).astype(np.int64)
    actions = np.empty(len(inputs), np.int16)

    def decide(part: int) -> None:
        begin, end = bounds[part : part + 2]
        fast_math_kernels()[fill_actions](inner, outer, inputs[begin:end], actions[begin:end])

    list(_thread_pool().map(decide, range(PARTS)))
    return actions


@cache
def _thread_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(parallel.cores())


def _transposed_blocks(rows: F32) -> F32:
    """Convert float32[decisions, .] to float32[blocks, ., BLOCK], padded with 0."""
    count = -(-len(rows) // BLOCK)
    padded = np.zeros((count * BLOCK, rows.shape[1]), np.float32)
    padded[: len(rows)] = rows
    return np.ascontiguousarray(padded.reshape(count, BLOCK, rows.shape[1]).transpose(0, 2, 1))
