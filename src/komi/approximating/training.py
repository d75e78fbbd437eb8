"""Training of networks: first towards the best actions, each decision weighted by what is at stake, then on what the
network gives away: the costs of the actions, each times how likely a softmax of the logits takes it. Both by a
quasi-Newton method, which gets much further with so few weights than stochastic gradients do (BFGS; J. Nocedal and
S. Wright, Numerical Optimization, 2006).
"""

import time
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.loss import Loss
from komi.approximating.network import Network

FIRST_STEP = 0.1  # how far the first step down goes
FURTHEST = 0.3  # of the length of the weights: a step too far makes a network that always does the same
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


def minimised(
    network: Network,
    decisions: Decisions,
    steps: int,
    by_cost: bool,
    until: float = inf,
    free: NDArray[np.bool_] | None = None,
) -> Network:
    """The network after so many steps down its loss in all of the decisions, by BFGS.

    Args:
        network: where to begin.
        decisions: what it is to do.
        steps: how many.
        by_cost: whether the loss is what it gives away, not how unlikely the best actions are to it.
        until: when to stop, by the clock `time.perf_counter`.
        free: bool[weights], which of them may change, those of the inner layer first; all of them by default.
    """
    loss = Loss.of(decisions.inputs, decisions.costs, by_cost)
    weights, hessian = flat(network), None
    value, slope = _at(weights, network, loss, free)
    for _ in range(steps):
        if not slope.any() or time.perf_counter() >= until:
            break
        way = -slope if hessian is None else -(hessian @ slope)
        if way @ slope >= 0.0:
            way, hessian = -slope, None
        length = FIRST_STEP / float(np.linalg.norm(slope)) if hessian is None else 1.0
        length = min(length, FURTHEST * max(float(np.linalg.norm(weights)), 1.0) / float(np.linalg.norm(way)))
        moved = weights + length * way
        lower, steeper = _at(moved, network, loss, free)
        while not lower <= value + ENOUGH * length * (way @ slope):  # nor if it is no number
            length *= SHORTER
            if length < SHORTEST:
                return unflattened(weights, network)
            moved = weights + length * way
            lower, steeper = _at(moved, network, loss, free)
        step, change = moved - weights, steeper - slope
        if step @ change > 0.0:
            hessian = _updated(hessian, step, change)
        weights, value, slope = moved, lower, steeper
    return unflattened(weights, network)


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


def _at(weights: Vector, shape: Network, loss: Loss, free: NDArray[np.bool_] | None) -> tuple[float, Vector]:
    """The loss of the network of these weights, and its gradient; 0 for weights that are not free."""
    network = unflattened(weights, shape)
    value, slope = loss.at(network.inner.astype(np.float32), network.outer.astype(np.float32))
    return value, slope if free is None else slope * free


def flat(network: Network) -> Vector:
    """float64[weights], those of the inner layer first."""
    return np.concatenate((network.inner.ravel(), network.outer.ravel()))


def unflattened(weights: Vector, shape: Network) -> Network:
    """The network of these weights, of the shape of another."""
    inner, outer = np.split(weights, [shape.inner.size])
    return Network(inner.reshape(shape.inner.shape), outer.reshape(shape.outer.shape))
