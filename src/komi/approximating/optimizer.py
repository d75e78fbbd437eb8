"""Training of networks by a quasi-Newton method (BFGS; J. Nocedal and S. Wright, Numerical Optimization, 2006).

With so few weights it gets much further than stochastic gradient descent.

The first objective is the cross-entropy of the best actions, each decision weighted by its stakes; the second one is
the expected cost of the actions under a softmax of the logits.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network import Network
from komi.approximating.network_loss import NetworkLoss
from komi.teaching.decision_sample import sample_by_stakes

FIRST_STEP = 0.1  # length of the first descent step
FURTHEST = 0.3  # relative to the norm of the weights: too long a step makes the network constant
ENOUGH = 1e-4  # share of the decrease that the gradient predicts, for a step to be accepted
SHORTER, SHORTEST = 0.4, 1e-9  # factor of a rejected step, and the least length
SOFTNESS = 0.5  # factor of the logits for sampling, to include decisions that are less in doubt
FLOOR = 0.002  # share of the stakes in the sampling weights of all decisions

Weights = NDArray[np.float32]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TrainingDecisions:
    """Decisions from games.

    Attributes:
        inputs: float32[decisions, inputs].
        costs: float32[decisions, actions], the regret of each action, weighted by how often games reach the decision.
    """

    inputs: Weights
    costs: Weights

    def loss(self, network: Network) -> float:
        """Compute the total cost of a network's actions in these decisions."""
        return self.lost.given(*network.layers, 1.0)[0]

    def sample(self, network: Network, most: int, random: np.random.Generator) -> "TrainingDecisions":
        """Sample about `most` decisions, those with a large expected cost more often.

        A decision contributes its expected cost under a softmax to the loss and its gradient: decisions without doubt
        contribute nothing, however much is at stake. A small sample is then nearly as good as all decisions. The costs
        are divided by the probability that the decision is sampled.
        """
        _, softly = self.lost.given(*network.layers, SOFTNESS)
        looks = softly + np.float32(FLOOR) * np.ptp(self.costs, axis=1) / np.float32(self.lost.stakes)
        indices, counts = sample_by_stakes(looks.astype(np.float64), most, random)
        return TrainingDecisions(self.inputs[indices], self.costs[indices] * counts[:, None].astype(np.float32))

    @cached_property
    def lost(self) -> NetworkLoss:
        """The compiled loss over these decisions."""
        return NetworkLoss.of(self.inputs, self.costs)


def minimised(
    network: Network,
    decisions: TrainingDecisions,
    steps: int,
    by_cost: bool,
    until: float = inf,
    free: NDArray[np.bool_] | None = None,
) -> Network:
    """Minimize the loss of a network over all of the decisions by BFGS.

    Args:
        network: the initial network.
        decisions: the decisions that define the loss.
        steps: the greatest number of steps.
        by_cost: True for the expected cost under a softmax; False for the cross-entropy of the best actions.
        until: the time to stop, by the clock `time.perf_counter`.
        free: bool[weights], the weights that can change, those of the inner layer first; all of them by default.
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
        while not lower <= value + ENOUGH * length * (way @ slope):  # also rejects NaN
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
    """Update the inverse Hessian so that it maps the change of the gradient to the step."""
    along = float(step @ change)
    if hessian is None:
        hessian = np.eye(len(step)) * (along / float(change @ change))
    bent = hessian @ change
    both = np.outer(bent, step)
    return np.asarray(
        hessian + (along + float(change @ bent)) / along**2 * np.outer(step, step) - (both + both.T) / along
    )


def flat(network: Network) -> Vector:
    """Concatenate the weights to float64[weights], those of the inner layer first."""
    return np.concatenate((network.inner.ravel(), network.outer.ravel()))


def unflattened(weights: Vector, shape: Network) -> Network:
    """Create the network with these weights, in the shape of another network."""
    inner, outer = np.split(weights, [shape.inner.size])
    return Network(inner.reshape(shape.inner.shape), outer.reshape(shape.outer.shape))
