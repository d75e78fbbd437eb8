"""Training of networks: first towards the best actions, each decision weighted by what is at stake, then on what the
network gives away: the costs of the actions, each times how likely a softmax of the logits takes it. By stochastic
gradients (D. Kingma and J. Ba, Adam, ICLR 2015) to begin with, and then by a quasi-Newton method, which gets much
further with so few weights (BFGS; J. Nocedal and S. Wright, Numerical Optimization, 2006).

Weights of few bits are rounded in every step, and the gradient is taken as if they were not (Y. Bengio, N. Leonard and
A. Courville, Estimating or Propagating Gradients Through Stochastic Neurons, 2013).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network import Network, rounded

BATCH = 2048
FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
FIRST_STEP = 0.1  # how far the first step down goes
ENOUGH = 1e-4  # of what the slope promises, that a step must gain
SHORTER, SHORTEST = 0.4, 1e-9  # steps, where one does not

Weights = NDArray[np.float32]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions that play comes to.

    Attributes:
        inputs: float32[decisions, inputs].
        costs: float32[decisions, actions], what each action gives away, in all games.
    """

    inputs: Weights
    costs: Weights

    def loss(self, network: Network) -> float:
        """What a network gives away in these decisions."""
        actions = network.decide(self.inputs)
        return float(np.take_along_axis(self.costs, actions[:, None], axis=1).sum())


def trained(
    network: Network,
    decisions: Decisions,
    rounds: int,
    rate: float,
    random: np.random.Generator,
    by_cost: bool,
    bits: int | None = None,
) -> Network:
    """The network after so many rounds over the decisions, at a rate that falls to nothing as a cosine does.

    Args:
        network: where to begin.
        decisions: what it is to do.
        rounds: how many.
        rate: of learning.
        random: draws the order of the decisions.
        by_cost: whether it learns what it gives away, not what is best.
        bits: of each weight; None for single precision.
    """
    weights = [network.inner.astype(np.float32), network.outer.astype(np.float32)]
    first, second = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights]
    seen, costs = _prepared(decisions)
    steps = max(rounds * -(-len(seen) // BATCH), 1)
    step = 0
    for _ in range(rounds):
        order = random.permutation(len(seen))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            step += 1
            used = [rounded(each, bits) for each in weights]
            speed = rate * 0.5 * (1.0 + np.cos(np.pi * step / steps))
            _, gradients = _gradients(used, seen[batch], costs[batch], by_cost)
            for place, gradient in enumerate(gradients):
                first[place] += (1.0 - FIRST_MOMENT) * (gradient - first[place])
                second[place] += (1.0 - SECOND_MOMENT) * (gradient * gradient - second[place])
                mean = first[place] / (1.0 - FIRST_MOMENT**step)
                spread = np.sqrt(second[place] / (1.0 - SECOND_MOMENT**step))
                weights[place] -= (speed * mean / (spread + TINY)).astype(np.float32)
    inner, outer = (rounded(each, bits) for each in weights)
    return Network(inner.astype(np.float64), outer.astype(np.float64))


def minimised(network: Network, decisions: Decisions, steps: int) -> Network:
    """The network after so many steps down what it gives away in all of the decisions, by BFGS."""
    seen, costs = _prepared(decisions)
    weights, hessian = _flat([network.inner, network.outer]), None
    value, slope = _total(weights, network, seen, costs)
    for _ in range(steps):
        way = -slope if hessian is None else -(hessian @ slope)
        if way @ slope >= 0.0:
            way, hessian = -slope, None
        length = FIRST_STEP / np.linalg.norm(slope) if hessian is None else 1.0
        moved = weights + length * way
        lower, steeper = _total(moved, network, seen, costs)
        while lower > value + ENOUGH * length * (way @ slope):
            length *= SHORTER
            if length < SHORTEST:
                return _unflattened(weights, network)
            moved = weights + length * way
            lower, steeper = _total(moved, network, seen, costs)
        step, change = moved - weights, steeper - slope
        if step @ change > 0.0:
            hessian = _updated(hessian, step, change)
        weights, value, slope = moved, lower, steeper
    return _unflattened(weights, network)


def _updated(hessian: Vector | None, step: Vector, change: Vector) -> Vector:
    """The inverse Hessian that takes the change of the slope to the step."""
    along = float(step @ change)
    if hessian is None:
        hessian = np.eye(len(step)) * (along / float(change @ change))
    bent = hessian @ change
    both = np.outer(bent, step)
    return np.asarray(
        hessian + (along + float(change @ bent)) / along**2 * np.outer(step, step) - (both + both.T) / along
    )


def _total(weights: Vector, shape: Network, seen: Weights, costs: Weights) -> tuple[float, Vector]:
    """What the network of these weights gives away in a decision on average, and its gradient."""
    network = _unflattened(weights, shape)
    layers = [network.inner.astype(np.float32), network.outer.astype(np.float32)]
    total, slope = 0.0, np.zeros(len(weights))
    for begin in range(0, len(seen), BATCH):
        batch = slice(begin, begin + BATCH)
        value, gradients = _gradients(layers, seen[batch], costs[batch], by_cost=True)
        share = len(seen[batch]) / len(seen)
        total += share * value
        slope += share * _flat(gradients)
    return total, slope


def _flat(layers: Sequence[NDArray[Any]]) -> Vector:
    return np.concatenate([layer.ravel() for layer in layers]).astype(np.float64)


def _unflattened(weights: Vector, shape: Network) -> Network:
    inner, outer = np.split(weights, [shape.inner.size])
    return Network(inner.reshape(shape.inner.shape), outer.reshape(shape.outer.shape))


def _prepared(decisions: Decisions) -> tuple[Weights, Weights]:
    """The inputs with a 1 for the bias, and the costs, so that one is at stake in a decision on average."""
    seen = np.concatenate((decisions.inputs, np.ones((len(decisions.inputs), 1), np.float32)), axis=1)
    scale = len(seen) / max(float(decisions.costs.max(axis=1).sum()), 1e-300)
    return seen, decisions.costs * np.float32(scale)


def _gradients(
    weights: Sequence[Weights], seen: Weights, costs: Weights, by_cost: bool
) -> tuple[float, tuple[Weights, Weights]]:
    """What is given away in a decision on average, and the gradients of the inner and the outer weights."""
    inner, outer = weights
    bent = np.ones((len(seen), len(inner) + 1), np.float32)
    bent[:, :-1] = np.tanh(seen @ inner.T)
    logits = bent @ outer.T
    if len(outer) == 1:
        logits = np.concatenate((np.zeros_like(logits), logits), axis=1)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    given = (likely * costs).sum(axis=1, keepdims=True)
    if by_cost:
        change = likely * (costs - given)
    else:
        change = likely * costs.max(axis=1, keepdims=True)
        change[np.arange(len(costs)), costs.argmin(axis=1)] -= costs.max(axis=1)
    change = change[:, -len(outer) :] / np.float32(len(costs))
    back = (change @ outer)[:, :-1] * (1.0 - bent[:, :-1] ** 2)
    return float(given.mean()), (back.T @ seen, change.T @ bent)
