"""Kernels of `komi.approximating.network_loss`: the forward pass of a network, its loss, and the gradient.

Decisions are stored in transposed blocks, so that each inner loop runs over contiguous memory: BLOCK decisions of one
input, or of one unit. The hyperbolic tangent is a rational approximation with the accuracy of single precision (as in
Eigen, G. Guennebaud, B. Jacob and others); a network's play is evaluated with the exact function.
"""

from math import exp, log

import numpy as np

from komi.arrays import F32, F64, I16
from komi.tuning import BLOCK

ZERO, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
TANH_LIMIT = np.float32(7.9)  # the tangent saturates at 1
# Coefficients of the numerator and the denominator of the rational tangent, ascending in x squared.
P = tuple(
    np.float32(each)
    for each in (
        4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
        -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
    )
)  # fmt: skip
Q = tuple(
    np.float32(each)
    for each in (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)
)


def accumulate_gradient(
    inner: F32, outer: F32, inputs: F32, costs: F32, by_cost: bool, inner_gradient: F64, outer_gradient: F64
) -> float:
    """Compute the loss of some blocks; add its gradient to float64 arrays of the shapes of the layers."""
    hidden, skip = len(inner), outer.shape[1] - len(inner) - 1
    activations = np.empty((hidden, BLOCK), np.float32)
    logits = np.empty((costs.shape[1], BLOCK), np.float32)
    change, total, expected = np.empty((3, BLOCK), np.float32)
    probabilities = np.empty_like(logits)
    loss = 0.0
    for block in range(len(inputs)):
        _forward(inner, outer, inputs[block], activations, logits)
        if by_cost:
            loss += _softmax_cost(logits, costs[block], probabilities, total, expected)
        else:
            loss += _cross_entropy(logits, costs[block], probabilities)
        changes = logits[len(logits) - len(outer) :]
        skip_inputs = inputs[block, inputs.shape[1] - skip :]
        for output in range(len(outer)):
            _add_dot_products(changes[output], activations, outer_gradient[output, :hidden])
            _add_dot_products(changes[output], skip_inputs, outer_gradient[output, hidden : hidden + skip])
            outer_gradient[output, hidden + skip] += _sum(changes[output])
        for unit in range(hidden):
            change[:] = ZERO
            for output in range(len(outer)):
                _add_line(outer[output, unit], changes[output], change)
            for i in range(BLOCK):
                change[i] *= ONE - activations[unit, i] * activations[unit, i]
            _add_dot_products(change, inputs[block], inner_gradient[unit, : inner.shape[1] - 1])
            inner_gradient[unit, inner.shape[1] - 1] += _sum(change)
    return loss


def accumulate_costs(inner: F32, outer: F32, inputs: F32, costs: F32, logit_scale: float, soft_costs: F32) -> float:
    """Compute the network's cost in some blocks; fill in float32[blocks, BLOCK], the costs under the softmax."""
    activations = np.empty((len(inner), BLOCK), np.float32)
    logits = np.empty((costs.shape[1], BLOCK), np.float32)
    probabilities = np.empty_like(logits)
    largest, total = np.empty((2, BLOCK), np.float32)
    loss = 0.0
    for block in range(len(inputs)):
        _forward(inner, outer, inputs[block], activations, logits)
        largest[:] = logits[0]
        total[:] = costs[block, 0]
        for action in range(1, len(logits)):
            for i in range(BLOCK):
                total[i] = costs[block, action, i] if logits[action, i] > largest[i] else total[i]
                largest[i] = max(largest[i], logits[action, i])
        loss += _sum(total)
        for action in range(len(logits)):
            for i in range(BLOCK):
                logits[action, i] *= np.float32(logit_scale)
        _softmax_cost(logits, costs[block], probabilities, total, soft_costs[block])
    return loss


def fill_actions(inner: F32, outer: F32, inputs: F32, actions: I16) -> None:
    """Fill in int16[.], the action with the largest logit, given float32[., inputs]."""
    block = np.zeros((inputs.shape[1], BLOCK), np.float32)
    activations = np.empty((len(inner), BLOCK), np.float32)
    logits = np.empty((max(len(outer), 2), BLOCK), np.float32)
    for begin in range(0, len(inputs), BLOCK):
        count = min(BLOCK, len(inputs) - begin)
        for i in range(count):
            for line in range(len(block)):
                block[line, i] = inputs[begin + i, line]
        _forward(inner, outer, block, activations, logits)
        for i in range(count):
            best = 0
            for action in range(1, len(logits)):
                best = action if logits[action, i] > logits[best, i] else best
            actions[begin + i] = best


def _forward(inner: F32, outer: F32, inputs: F32, activations: F32, logits: F32) -> None:
    """Run the forward pass on a block: fill in float32[units, BLOCK] and the logits, float32[actions, BLOCK].

    If there are two actions, the first logit is 0.
    """
    skip = outer.shape[1] - len(inner) - 1
    for unit in range(len(inner)):
        activations[unit] = inner[unit, inner.shape[1] - 1]
        _add_lines(inner[unit, : inner.shape[1] - 1], inputs, activations[unit])
        _apply_tanh(activations[unit])
    logits[:] = ZERO
    for output in range(len(outer)):
        logit = logits[len(logits) - len(outer) + output]
        logit[:] = outer[output, outer.shape[1] - 1]
        _add_lines(outer[output, : len(inner)], activations, logit)
        _add_lines(outer[output, len(inner) : len(inner) + skip], inputs[len(inputs) - skip :], logit)


def _softmax_cost(logits: F32, costs: F32, probabilities: F32, total: F32, expected: F32) -> float:
    """Compute the expected cost under a softmax in a block; replace the logits by their gradient.

    The exponential uses the rational tangent: e^x = (1 + t) / (1 - t), where t is the hyperbolic tangent of x / 2.
    """
    largest = total
    largest[:] = logits[0]
    for action in range(1, len(logits)):
        for i in range(BLOCK):
            largest[i] = max(largest[i], logits[action, i])
    for action in range(len(logits)):
        for i in range(BLOCK):
            probabilities[action, i] = HALF * (logits[action, i] - largest[i])
        _apply_tanh(probabilities[action])
        for i in range(BLOCK):
            probabilities[action, i] = (ONE + probabilities[action, i]) / (ONE - probabilities[action, i])
    total[:] = ZERO
    expected[:] = ZERO
    for action in range(len(logits)):
        for i in range(BLOCK):
            total[i] += probabilities[action, i]
            expected[i] += probabilities[action, i] * costs[action, i]
    loss = 0.0
    for i in range(BLOCK):
        total[i] = ONE / total[i]
        expected[i] *= total[i]
        loss += expected[i]
    for action in range(len(logits)):
        for i in range(BLOCK):
            logits[action, i] = probabilities[action, i] * total[i] * (costs[action, i] - expected[i])
    return loss


def _cross_entropy(logits: F32, costs: F32, probabilities: F32) -> float:
    """Compute the cross-entropy of the best actions, weighted by their stakes; replace the logits by their gradient."""
    loss = 0.0
    for i in range(BLOCK):
        best, stakes, largest = 0, ZERO, logits[0, i]
        for action in range(len(logits)):
            best = action if costs[action, i] < costs[best, i] else best
            stakes, largest = max(stakes, costs[action, i]), max(largest, logits[action, i])
        total = 0.0
        for action in range(len(logits)):
            probabilities[action, i] = exp(logits[action, i] - largest)
            total += probabilities[action, i]
        loss += stakes * (log(total) - (logits[best, i] - largest))
        for action in range(len(logits)):
            logits[action, i] = np.float32(
                stakes * (probabilities[action, i] / total - (1.0 if action == best else 0.0))
            )
    return loss


def _apply_tanh(line: F32) -> None:
    """Apply the hyperbolic tangent to each number, in place."""
    for i in range(BLOCK):
        x = min(max(line[i], -TANH_LIMIT), TANH_LIMIT)
        s = x * x
        numerator = x * (P[0] + s * (P[1] + s * (P[2] + s * (P[3] + s * (P[4] + s * (P[5] + s * P[6]))))))
        line[i] = numerator / (Q[0] + s * (Q[1] + s * (Q[2] + s * Q[3])))


def _add_lines(factors: F32, lines: F32, target: F32) -> None:
    """Add a linear combination of the first lines, four at a time to load and store the sum less often."""
    fours = len(factors) // 4 * 4
    for first in range(0, fours, 4):
        a, b, c, d = factors[first], factors[first + 1], factors[first + 2], factors[first + 3]
        for i in range(BLOCK):
            target[i] += (
                a * lines[first, i] + b * lines[first + 1, i] + c * lines[first + 2, i] + d * lines[first + 3, i]
            )
    for line in range(fours, len(factors)):
        _add_line(factors[line], lines[line], target)


def _add_line(factor: np.float32, line: F32, target: F32) -> None:
    for i in range(BLOCK):
        target[i] += factor * line[i]


def _add_dot_products(line: F32, others: F32, target: F64) -> None:
    """Add the dot products of one line with each of the first other lines to `target`, float64[.]."""
    fours = len(target) // 4 * 4
    for first in range(0, fours, 4):
        a = b = c = d = ZERO
        for i in range(BLOCK):
            a += line[i] * others[first, i]
            b += line[i] * others[first + 1, i]
            c += line[i] * others[first + 2, i]
            d += line[i] * others[first + 3, i]
        target[first] += a
        target[first + 1] += b
        target[first + 2] += c
        target[first + 3] += d
    for row in range(fours, len(target)):
        total = ZERO
        for i in range(BLOCK):
            total += line[i] * others[row, i]
        target[row] += total


def _sum(line: F32) -> float:
    total = ZERO
    for i in range(BLOCK):
        total += line[i]
    return total  # type: ignore[return-value]  # numba keeps single precision
