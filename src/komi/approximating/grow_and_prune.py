"""Escape from local minima of the training: a network grows new hidden units, learns, and is pruned to its old size.

New units are placed where decisions are in doubt; of many candidates those are chosen that correlate most with the
gradient of the remaining loss (as in S. Fahlman and C. Lebiere, The Cascade-Correlation Learning Architecture, NIPS
1989). Then the units that matter least are removed, one by one, while the others learn to compensate.
"""

import time
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network import Network
from komi.approximating.optimizer import TrainingDecisions, minimised

SAMPLED_DECISIONS = 100_000  # decisions in each attempt
CANDIDATES, OF_BEST = 300, 4  # new units generated; those added are sampled from the best, this many times as many
STEEPEST, FLATTEST = 6.0, 0.7  # slopes of new units
AIMED_AT = 20_000  # decisions by which units are evaluated
MAX_NEW = 4  # units at once; with none, the network only learns
TO_BEST, WITH_NEW, WITHOUT, AFTER = 40, 120, 40, 150  # steps: towards the best actions, then on the loss

Doubts = NDArray[np.float32]


def improved(
    network: Network, decisions: TrainingDecisions, until: float, random: np.random.Generator, tries: float = inf
) -> Network:
    """Improve a network by such steps, each from the best one so far; return the best one.

    Args:
        network: the initial network.
        decisions: the decisions that define the loss.
        until: the time to stop, by the clock `time.perf_counter`.
        random: the random number generator.
        tries: the greatest number of steps.
    """
    best, least = network, decisions.loss(network)
    while least > 0.0 and tries > 0 and time.perf_counter() < until:
        found = _reshaped(best, decisions.sample(best, SAMPLED_DECISIONS, random), until, random)
        loss = decisions.loss(found)
        if loss < least:
            best, least = found, loss
        tries -= 1
    return best


def _reshaped(network: Network, decisions: TrainingDecisions, until: float, random: np.random.Generator) -> Network:
    """Train a network of the same size, some of whose units are new."""
    some = slice(None, None, -(-len(decisions.inputs) // AIMED_AT))
    aimed_at = TrainingDecisions(decisions.inputs[some], decisions.costs[some])
    blunt, towards_best = random.random(2) < (0.5, 1 / 3)
    changed = _grown(network, aimed_at, int(random.integers(MAX_NEW + 1)), bool(blunt), random)
    if towards_best:
        changed = minimised(changed, decisions, TO_BEST, by_cost=False, until=until)
    changed = minimised(changed, decisions, WITH_NEW, by_cost=True, until=until)
    while len(changed.inner) > len(network.inner):
        changed = _without_one(changed, decisions, aimed_at)
        changed = minimised(changed, decisions, WITHOUT, by_cost=True, until=until)
    return minimised(changed, decisions, AFTER, by_cost=True, until=until)


def _grown(
    network: Network, decisions: TrainingDecisions, count: int, blunt: bool, random: np.random.Generator
) -> Network:
    """Add hidden units whose output weights are still 0."""
    bent, seen = network.inner.shape[1] - 1, decisions.inputs
    pull = _pull(network.logits(seen), decisions.costs, blunt)
    weights = np.abs(pull).max(axis=1)
    if not count or not weights.any():
        return network
    places = seen[random.choice(len(seen), CANDIDATES, p=weights / weights.sum()), :bent]
    ways = random.standard_normal((CANDIDATES, bent))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    ways *= np.exp(random.uniform(np.log(FLATTEST), np.log(STEEPEST), (CANDIDATES, 1)))
    candidates = np.concatenate((ways, -(ways * places).sum(axis=1, keepdims=True)), axis=1)
    said = Network(candidates, np.zeros((1, CANDIDATES + 1))).units(seen)
    said -= weights @ said / weights.sum()
    gains = np.linalg.norm(pull.T @ said, axis=0) / np.sqrt(weights @ (said * said) + 1e-30)
    best = random.choice(np.argsort(-gains)[: OF_BEST * count], count, replace=False)
    hidden = len(network.inner)
    outer = np.insert(network.outer, [hidden] * count, 0.0, axis=1)
    return Network(np.concatenate((network.inner, candidates[best])), outer)


def _pull(logits: Doubts, costs: Doubts, blunt: bool) -> Doubts:
    """Compute float32[decisions, actions], the gradient of the loss by each logit.

    If `blunt`, it is the gradient of the cross-entropy, which does not vanish where the network is certain of a wrong
    action.
    """
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    if blunt:
        best = costs.argmin(axis=1)[:, None] == np.arange(costs.shape[1])
        return np.asarray(np.ptp(costs, axis=1)[:, None] * (likely - best), np.float32)
    return np.asarray(likely * (costs - (likely * costs).sum(axis=1, keepdims=True)), np.float32)


def _without_one(network: Network, decisions: TrainingDecisions, aimed_at: TrainingDecisions) -> Network:
    """Remove the hidden unit that matters least, after adding its mean activation to the bias."""
    weights = np.ptp(aimed_at.costs, axis=1)
    means = weights @ network.units(aimed_at.inputs) / max(float(weights.sum()), 1e-30)
    left = []
    for unit, mean in enumerate(means):
        outer = network.outer.copy()
        outer[:, -1] += mean * outer[:, unit]
        left.append(Network(np.delete(network.inner, unit, axis=0), np.delete(outer, unit, axis=1)))
    return min(left, key=decisions.loss)
