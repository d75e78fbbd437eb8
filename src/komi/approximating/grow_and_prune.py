"""Escape from local minima of the training: a network grows hidden units, is trained, and is pruned to its old size.

New units are placed where decisions are uncertain: of many candidates, the training adds those that correlate most with
the gradient of the remaining loss (as in S. Fahlman and C. Lebiere, The Cascade-Correlation Learning Architecture, NIPS
1989). Then the units that matter least are removed, one by one, while the training of the others compensates.
"""

import time
from math import inf

import numpy as np

from komi.approximating.network import Network
from komi.approximating.optimizer import TrainingDecisions, minimize_loss
from komi.arrays import F32

SAMPLED_DECISIONS = 100_000  # decisions in each attempt
CANDIDATES, SHORTLIST_FACTOR = 300, 4  # new units that are tried; the best ones, as a multiple of those added
MAX_SLOPE, MIN_SLOPE = 6.0, 0.7  # of new units
SUBSET_SIZE = 20_000  # decisions by which units are evaluated
MAX_NEW = 4  # units at once; with none, the network is only trained
# Training steps: on the cross-entropy; on the loss, with the new units, after each removal, and at the end.
ENTROPY_STEPS, GROWN_STEPS, PRUNED_STEPS, FINAL_STEPS = 40, 120, 40, 150


def grow_and_prune(
    network: Network, decisions: TrainingDecisions, until: float, random: np.random.Generator, attempts: float = inf
) -> Network:
    """Improve a network by growing and pruning, each time from the best one so far; return the best one.

    Args:
        network: the initial network.
        decisions: the decisions that define the loss.
        until: the time to stop, by the clock `time.perf_counter`.
        random: the random number generator.
        attempts: the greatest number of times that the network grows and is pruned.
    """
    best, least = network, decisions.loss(network)
    while least > 0.0 and attempts > 0 and time.perf_counter() < until:
        found = _reshape(best, decisions.sample(best, SAMPLED_DECISIONS, random), until, random)
        loss = decisions.loss(found)
        if loss < least:
            best, least = found, loss
        attempts -= 1
    return best


def _reshape(network: Network, decisions: TrainingDecisions, until: float, random: np.random.Generator) -> Network:
    """Train a network of the same size, some of whose units are new."""
    every_nth = slice(None, None, -(-len(decisions.inputs) // SUBSET_SIZE))
    subset = TrainingDecisions(decisions.inputs[every_nth], decisions.costs[every_nth])
    by_cross_entropy, has_entropy_steps = random.random(2) < (0.5, 1 / 3)
    candidate = _add_units(network, subset, int(random.integers(MAX_NEW + 1)), bool(by_cross_entropy), random)
    if has_entropy_steps:
        candidate = minimize_loss(candidate, decisions, ENTROPY_STEPS, by_cost=False, until=until)
    candidate = minimize_loss(candidate, decisions, GROWN_STEPS, by_cost=True, until=until)
    while len(candidate.inner) > len(network.inner):
        candidate = _remove_unit(candidate, decisions, subset)
        candidate = minimize_loss(candidate, decisions, PRUNED_STEPS, by_cost=True, until=until)
    return minimize_loss(candidate, decisions, FINAL_STEPS, by_cost=True, until=until)


def _add_units(
    network: Network, decisions: TrainingDecisions, count: int, by_cross_entropy: bool, random: np.random.Generator
) -> Network:
    """Add hidden units whose output weights are still 0."""
    input_count, inputs = network.inner.shape[1] - 1, decisions.inputs
    gradient = _logit_gradient(network.logits(inputs), decisions.costs, by_cross_entropy)
    weights = np.abs(gradient).max(axis=1)
    if not count or not weights.any():
        return network
    centers = inputs[random.choice(len(inputs), CANDIDATES, p=weights / weights.sum()), :input_count]
    directions = random.standard_normal((CANDIDATES, input_count))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    directions *= np.exp(random.uniform(np.log(MIN_SLOPE), np.log(MAX_SLOPE), (CANDIDATES, 1)))
    candidates = np.concatenate((directions, -(directions * centers).sum(axis=1, keepdims=True)), axis=1)
    activations = Network(candidates, np.zeros((1, CANDIDATES + 1))).activations(inputs)
    activations -= weights @ activations / weights.sum()
    gains = np.linalg.norm(gradient.T @ activations, axis=0) / np.sqrt(weights @ (activations * activations) + 1e-30)
    best = random.choice(np.argsort(-gains)[: SHORTLIST_FACTOR * count], count, replace=False)
    hidden = len(network.inner)
    outer = np.insert(network.outer, [hidden] * count, 0.0, axis=1)
    return Network(np.concatenate((network.inner, candidates[best])), outer)


def _logit_gradient(logits: F32, costs: F32, by_cross_entropy: bool) -> F32:
    """Compute float32[decisions, actions], the gradient of the loss by each logit.

    With `by_cross_entropy` it is the gradient of the cross-entropy, which does not vanish where the network is certain
    of a wrong action.
    """
    probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    if by_cross_entropy:
        best = costs.argmin(axis=1)[:, None] == np.arange(costs.shape[1])
        return np.asarray(np.ptp(costs, axis=1)[:, None] * (probabilities - best), np.float32)
    return np.asarray(probabilities * (costs - (probabilities * costs).sum(axis=1, keepdims=True)), np.float32)


def _remove_unit(network: Network, decisions: TrainingDecisions, subset: TrainingDecisions) -> Network:
    """Remove the hidden unit that matters least, after adding its mean activation to the bias."""
    weights = np.ptp(subset.costs, axis=1)
    means = weights @ network.activations(subset.inputs) / max(float(weights.sum()), 1e-30)
    pruned = []
    for unit, mean in enumerate(means):
        outer = network.outer.copy()
        outer[:, -1] += mean * outer[:, unit]
        pruned.append(Network(np.delete(network.inner, unit, axis=0), np.delete(outer, unit, axis=1)))
    return min(pruned, key=decisions.loss)
