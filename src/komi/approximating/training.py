"""Training of networks: first towards the best actions, each decision weighted by what is at stake, then on what the
network gives away: the costs of the actions, each times how likely a softmax of the logits takes it. Both by a
quasi-Newton method, which gets much further with so few weights than stochastic gradients do (BFGS; J. Nocedal and
S. Wright, Numerical Optimization, 2006).
"""

import time
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.loss import Loss
from komi.approximating.network import Network
from komi.teaching.sample import drawn

FIRST_STEP = 0.1  # how far the first step down goes
FURTHEST = 0.3  # of the length of the weights: a step too far makes a network that always does the same
ENOUGH = 1e-4  # of what the slope promises, that a step must gain
SHORTER, SHORTEST = 0.4, 1e-9  # steps, where one does not
SOFTNESS = 0.5  # of logits, where decisions are drawn: so that those are looked at, too, that are less in doubt
FLOOR = 0.002  # of what is at stake, that all decisions are looked at for

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
        return self.lost.given(*network.layers, 1.0)[0]

    def drawn(self, network: Network, most: int, random: np.random.Generator) -> "Decisions":
        """About so many of them, those that the network is about to get wrong with the greatest chance.

        What a decision adds to the loss and its gradient is what a softmax gives away there: decisions that are taken
        well beyond doubt add nothing, however much is at stake. So few of those tell nearly as much as all decisions.
        """
        _, softly = self.lost.given(*network.layers, SOFTNESS)
        looks = softly + np.float32(FLOOR) * np.ptp(self.costs, axis=1) / np.float32(self.lost.stakes)
        indices, counts = drawn(looks.astype(np.float64), most, random)
        return Decisions(self.inputs[indices], self.costs[indices] * counts[:, None].astype(np.float32))

    @cached_property
    def lost(self) -> Loss:
        """The loss in them, compiled."""
        return Loss.of(self.inputs, self.costs)


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
    weights, hessian = flat(network), None

    def at(weights: Vector) -> tuple[float, Vector]:
        value, slope = decisions.lost.at(*unflattened(weights, network).layers, by_cost)
        return value, slope if free is None else slope * free

    value, slope = at(weights)
    for _ in range(steps):
        if not slope.any() or time.perf_counter() >= until:
            break
        way = -slope if hessian is None else -(hessian @ slope)
        if way @ slope >= 0.0:
            way, hessian = -slope, None
        length = FIRST_STEP / float(np.linalg.norm(slope)) if hessian is None else 1.0
        length = min(length, FURTHEST * max(float(np.linalg.norm(weights)), 1.0) / float(np.linalg.norm(way)))
        moved = weights + length * way
        lower, steeper = at(moved)
        while not lower <= value + ENOUGH * length * (way @ slope):  # nor if it is no number
            length *= SHORTER
            if length < SHORTEST:
                return unflattened(weights, network)
            moved = weights + length * way
            lower, steeper = at(moved)
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


def flat(network: Network) -> Vector:
    """float64[weights], those of the inner layer first."""
    return np.concatenate((network.inner.ravel(), network.outer.ravel()))


def unflattened(weights: Vector, shape: Network) -> Network:
    """The network of these weights, of the shape of another."""
    inner, outer = np.split(weights, [shape.inner.size])
    return Network(inner.reshape(shape.inner.shape), outer.reshape(shape.outer.shape))
