"""The loss of a network over many decisions, and its gradient: compiled, and parallel on all cores.

Decisions are stored in transposed blocks, so that each inner loop runs over contiguous memory: BLOCK decisions of one
input, or of one unit. The hyperbolic tangent is a rational approximation with the accuracy of single precision (as in
Eigen, G. Guennebaud, B. Jacob and others); a network's play is evaluated with the exact function.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi import parallel
from komi.jit.kernels import fast_math_kernels

PARTS = 16  # summed separately: the same number on every machine, for reproducible sums
BLOCK = 256  # decisions at a time: their data fit into the first-level cache
NONE, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
LEAST = 1e-30  # least sum of the stakes
TOP = np.float32(7.9)  # the tangent saturates at 1
A = tuple(
    np.float32(each)
    for each in (
        4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
        -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
    )
)  # fmt: skip
B = tuple(
    np.float32(each)
    for each in (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)
)

Layer = NDArray[np.float32]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NetworkLoss:
    """The loss function of a network over a set of decisions.

    Attributes:
        seen: float32[blocks, inputs, BLOCK].
        costs: float32[blocks, actions, BLOCK], relative to the stakes; 0 where the last block is padded.
        count: the number of decisions.
        stakes: the greatest possible loss, summed over all decisions.
    """

    seen: Layer
    costs: Layer
    count: int
    stakes: float

    @classmethod
    def of(cls, inputs: Layer, costs: Layer) -> "NetworkLoss":
        """Create the loss of float32[decisions, inputs] and float32[decisions, actions], relative to all stakes."""
        costs = costs - costs.min(axis=1, keepdims=True)
        stakes = max(float(costs.max(axis=1).sum(dtype=np.float64)), LEAST)
        costs *= np.float32(1.0 / stakes)
        return cls(_blocks(inputs), _blocks(costs), len(inputs), stakes)

    def at(self, inner: Layer, outer: Layer, by_cost: bool) -> tuple[float, Vector]:
        """Compute the loss of a network and its gradient by all weights, those of the inner layer first.

        Args:
            inner, outer: the layers.
            by_cost: True for the expected cost under a softmax of the logits; False for the cross-entropy of the best
                actions, each weighted by its stakes.
        """
        ends = self._ends()
        slopes = np.zeros((PARTS, inner.size + outer.size))

        def add(part: int) -> float:
            slope, (begin, end) = slopes[part], ends[part : part + 2]
            layers = slope[: inner.size].reshape(inner.shape), slope[inner.size :].reshape(outer.shape)
            kernel = fast_math_kernels()[_add]
            return float(kernel(inner, outer, self.seen[begin:end], self.costs[begin:end], by_cost, *layers))

        return sum(_threads().map(add, range(PARTS))), slopes.sum(axis=0)

    def given(self, inner: Layer, outer: Layer, softness: float) -> tuple[float, Layer]:
        """Compute the network's total cost, and float32[decisions], the expected cost under a softmax of scaled logits.

        Args:
            inner, outer: the layers.
            softness: the factor of the logits.

        Returns:
            The total cost of the actions with the largest logits; the costs under the softmax, relative to the stakes.
        """
        ends, softly = self._ends(), np.empty((len(self.seen), BLOCK), np.float32)

        def add(part: int) -> float:
            begin, end = ends[part : part + 2]
            kernel = fast_math_kernels()[_give]
            return float(kernel(inner, outer, self.seen[begin:end], self.costs[begin:end], softness, softly[begin:end]))

        return self.stakes * sum(_threads().map(add, range(PARTS))), softly.reshape(-1)[: self.count]

    def _ends(self) -> NDArray[np.int64]:
        """Compute int64[PARTS + 1], the bounds of the parts."""
        return np.linspace(0, len(self.seen), PARTS + 1).astype(np.int64)


def decided(inner: Layer, outer: Layer, seen: Layer) -> NDArray[np.int16]:
    """Compute int16[.], the network's actions, given float32[., inputs]."""
    ends = np.linspace(0, len(seen), PARTS + 1).astype(np.int64)
    actions = np.empty(len(seen), np.int16)

    def decide(part: int) -> None:
        begin, end = ends[part : part + 2]
        fast_math_kernels()[_decide](inner, outer, seen[begin:end], actions[begin:end])

    list(_threads().map(decide, range(PARTS)))
    return actions


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(parallel.cores())


def _blocks(lines: Layer) -> Layer:
    """Convert float32[decisions, .] to float32[blocks, ., BLOCK], padded with 0."""
    count = -(-len(lines) // BLOCK)
    padded = np.zeros((count * BLOCK, lines.shape[1]), np.float32)
    padded[: len(lines)] = lines
    return np.ascontiguousarray(padded.reshape(count, BLOCK, lines.shape[1]).transpose(0, 2, 1))


def _add(inner: Any, outer: Any, seen: Any, costs: Any, by_cost: bool, to_inner: Any, to_outer: Any) -> float:
    """Compute the loss of some blocks; add its gradient to float64 arrays of the shapes of the layers."""
    units, inputs, direct = len(inner), seen.shape[1], outer.shape[1] - len(inner) - 1
    bent = np.empty((units, BLOCK), np.float32)
    logits = np.empty((costs.shape[1], BLOCK), np.float32)
    change, total, given = np.empty((3, BLOCK), np.float32)
    likely = np.empty_like(logits)
    loss = 0.0
    for block in range(len(seen)):
        _think(inner, outer, seen[block], bent, logits)
        if by_cost:
            loss += _weigh_costs(logits, costs[block], likely, total, given)
        else:
            loss += _weigh_surprise(logits, costs[block], likely)
        changes = logits[len(logits) - len(outer) :]
        for output in range(len(outer)):
            _add_products(changes[output], bent, to_outer[output, :units])
            _add_products(changes[output], seen[block, inputs - direct :], to_outer[output, units : units + direct])
            to_outer[output, units + direct] += _sum(changes[output])
        for unit in range(units):
            change[:] = NONE
            for output in range(len(outer)):
                _add_line(outer[output, unit], changes[output], change)
            for i in range(BLOCK):
                change[i] *= ONE - bent[unit, i] * bent[unit, i]
            _add_products(change, seen[block], to_inner[unit, : inner.shape[1] - 1])
            to_inner[unit, inner.shape[1] - 1] += _sum(change)
    return loss


def _give(inner: Any, outer: Any, seen: Any, costs: Any, softness: Any, softly: Any) -> float:
    """Compute the network's cost in some blocks; fill in float32[blocks, BLOCK], the costs under the softmax."""
    bent = np.empty((len(inner), BLOCK), np.float32)
    logits = np.empty((costs.shape[1], BLOCK), np.float32)
    likely = np.empty_like(logits)
    most, total = np.empty((2, BLOCK), np.float32)
    loss = 0.0
    for block in range(len(seen)):
        _think(inner, outer, seen[block], bent, logits)
        most[:] = logits[0]
        total[:] = costs[block, 0]
        for action in range(1, len(logits)):
            for i in range(BLOCK):
                total[i] = costs[block, action, i] if logits[action, i] > most[i] else total[i]
                most[i] = max(most[i], logits[action, i])
        loss += _sum(total)
        for action in range(len(logits)):
            for i in range(BLOCK):
                logits[action, i] *= np.float32(softness)
        _weigh_costs(logits, costs[block], likely, total, softly[block])
    return loss


def _decide(inner: Any, outer: Any, seen: Any, actions: Any) -> None:
    """Fill in int16[.], the action with the largest logit, given float32[., inputs]."""
    block = np.zeros((seen.shape[1], BLOCK), np.float32)
    bent = np.empty((len(inner), BLOCK), np.float32)
    logits = np.empty((max(len(outer), 2), BLOCK), np.float32)
    for begin in range(0, len(seen), BLOCK):
        count = min(BLOCK, len(seen) - begin)
        for i in range(count):
            for line in range(len(block)):
                block[line, i] = seen[begin + i, line]
        _think(inner, outer, block, bent, logits)
        for i in range(count):
            best = 0
            for action in range(1, len(logits)):
                best = action if logits[action, i] > logits[best, i] else best
            actions[begin + i] = best


def _think(inner: Any, outer: Any, seen: Any, bent: Any, logits: Any) -> None:
    """Run the forward pass on a block: fill in float32[units, BLOCK] and the logits, float32[actions, BLOCK].

    If there are two actions, the first logit is 0.
    """
    direct = outer.shape[1] - len(inner) - 1
    for unit in range(len(inner)):
        bent[unit] = inner[unit, inner.shape[1] - 1]
        _add_lines(inner[unit, : inner.shape[1] - 1], seen, bent[unit])
        _bend(bent[unit])
    logits[:] = NONE
    for output in range(len(outer)):
        logit = logits[len(logits) - len(outer) + output]
        logit[:] = outer[output, outer.shape[1] - 1]
        _add_lines(outer[output, : len(inner)], bent, logit)
        _add_lines(outer[output, len(inner) : len(inner) + direct], seen[len(seen) - direct :], logit)


def _weigh_costs(logits: Any, costs: Any, likely: Any, total: Any, given: Any) -> float:
    """Compute the expected cost under a softmax in a block; replace the logits by their gradient.

    The exponential uses the rational tangent: e^x = (1 + t) / (1 - t), where t is the hyperbolic tangent of x / 2.
    """
    most = total
    most[:] = logits[0]
    for action in range(1, len(logits)):
        for i in range(BLOCK):
            most[i] = max(most[i], logits[action, i])
    for action in range(len(logits)):
        for i in range(BLOCK):
            likely[action, i] = HALF * (logits[action, i] - most[i])
        _bend(likely[action])
        for i in range(BLOCK):
            likely[action, i] = (ONE + likely[action, i]) / (ONE - likely[action, i])
    total[:] = NONE
    given[:] = NONE
    for action in range(len(logits)):
        for i in range(BLOCK):
            total[i] += likely[action, i]
            given[i] += likely[action, i] * costs[action, i]
    loss = 0.0
    for i in range(BLOCK):
        total[i] = ONE / total[i]
        given[i] *= total[i]
        loss += given[i]
    for action in range(len(logits)):
        for i in range(BLOCK):
            logits[action, i] = likely[action, i] * total[i] * (costs[action, i] - given[i])
    return loss


def _weigh_surprise(logits: Any, costs: Any, likely: Any) -> float:
    """Compute the cross-entropy of the best actions, weighted by their stakes; replace the logits by their gradient."""
    loss = 0.0
    for i in range(BLOCK):
        best, stakes, most = 0, NONE, logits[0, i]
        for action in range(len(logits)):
            best = action if costs[action, i] < costs[best, i] else best
            stakes, most = max(stakes, costs[action, i]), max(most, logits[action, i])
        total = 0.0
        for action in range(len(logits)):
            likely[action, i] = exp(logits[action, i] - most)
            total += likely[action, i]
        loss += stakes * (log(total) - (logits[best, i] - most))
        for action in range(len(logits)):
            logits[action, i] = np.float32(stakes * (likely[action, i] / total - (1.0 if action == best else 0.0)))
    return loss


def _bend(line: Any) -> None:
    """Apply the hyperbolic tangent to each number, in place."""
    for i in range(BLOCK):
        x = min(max(line[i], -TOP), TOP)
        s = x * x
        above = x * (A[0] + s * (A[1] + s * (A[2] + s * (A[3] + s * (A[4] + s * (A[5] + s * A[6]))))))
        line[i] = above / (B[0] + s * (B[1] + s * (B[2] + s * B[3])))


def _add_lines(factors: Any, lines: Any, to: Any) -> None:
    """Add a linear combination of the first lines, four at a time to load and store the sum less often."""
    fours = len(factors) // 4 * 4
    for first in range(0, fours, 4):
        a, b, c, d = factors[first], factors[first + 1], factors[first + 2], factors[first + 3]
        for i in range(BLOCK):
            to[i] += a * lines[first, i] + b * lines[first + 1, i] + c * lines[first + 2, i] + d * lines[first + 3, i]
    for line in range(fours, len(factors)):
        _add_line(factors[line], lines[line], to)


def _add_line(factor: Any, line: Any, to: Any) -> None:
    for i in range(BLOCK):
        to[i] += factor * line[i]


def _add_products(one: Any, lines: Any, to: Any) -> None:
    """Add the dot products of one line with each of the first others to `to`, float64[.]."""
    fours = len(to) // 4 * 4
    for first in range(0, fours, 4):
        a = b = c = d = NONE
        for i in range(BLOCK):
            a += one[i] * lines[first, i]
            b += one[i] * lines[first + 1, i]
            c += one[i] * lines[first + 2, i]
            d += one[i] * lines[first + 3, i]
        to[first] += a
        to[first + 1] += b
        to[first + 2] += c
        to[first + 3] += d
    for line in range(fours, len(to)):
        total = NONE
        for i in range(BLOCK):
            total += one[i] * lines[line, i]
        to[line] += total


def _sum(line: Any) -> Any:
    total = NONE
    for i in range(BLOCK):
        total += line[i]
    return total
