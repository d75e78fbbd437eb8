"""Steps out of the local minima in which training ends: a network gets new hidden units, learns, and loses others.

New units bend where decisions are in doubt, and of many those that go along most with what is still given away (as in
S. Fahlman and C. Lebiere, The Cascade-Correlation Learning Architecture, NIPS 1989). Then those go that are missed
least, one by one, while the others make up for them.
"""

import time
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network import Network
from komi.approximating.training import Decisions, minimised

LOOKED_AT = 100_000  # decisions, in each attempt
CANDIDATES, OF_BEST = 300, 4  # new units thought of; from so many times as many as are wanted, the best, they are drawn
STEEPEST, FLATTEST = 6.0, 0.7  # of new units
AIMED_AT = 20_000  # decisions by which units are judged
MOST_NEW = 4  # units at once; with none, it only learns
TO_BEST, WITH_NEW, WITHOUT, AFTER = 40, 120, 40, 150  # steps: towards the best actions, and down what is given away

Doubts = NDArray[np.float32]


def improved(
    network: Network, decisions: Decisions, until: float, random: np.random.Generator, tries: float = inf
) -> Network:
    """The best of what comes of a network by such steps, each from the best so far, until a time by the clock."""
    best, least = network, decisions.loss(network)
    while least > 0.0 and tries > 0 and time.perf_counter() < until:
        found = _reshaped(best, decisions.drawn(best, LOOKED_AT, random), until, random)
        loss = decisions.loss(found)
        if loss < least:
            best, least = found, loss
        tries -= 1
    return best


def _reshaped(network: Network, decisions: Decisions, until: float, random: np.random.Generator) -> Network:
    """A network with as many units, some of which are new."""
    some = slice(None, None, -(-len(decisions.inputs) // AIMED_AT))
    aimed_at = Decisions(decisions.inputs[some], decisions.costs[some])
    blunt, towards_best = random.random(2) < (0.5, 1 / 3)
    changed = _grown(network, aimed_at, int(random.integers(MOST_NEW + 1)), bool(blunt), random)
    if towards_best:
        changed = minimised(changed, decisions, TO_BEST, by_cost=False, until=until)
    changed = minimised(changed, decisions, WITH_NEW, by_cost=True, until=until)
    while len(changed.inner) > len(network.inner):
        changed = _without_one(changed, decisions, aimed_at)
        changed = minimised(changed, decisions, WITHOUT, by_cost=True, until=until)
    return minimised(changed, decisions, AFTER, by_cost=True, until=until)


def _grown(network: Network, decisions: Decisions, count: int, blunt: bool, random: np.random.Generator) -> Network:
    """A network with so many more units, which do not count yet."""
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
    """float32[decisions, actions], how fast what is given away grows with each logit.

    Blunt, it is how fast the best actions become unlikely: where a network is sure of what is wrong, this pulls still.
    """
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    if blunt:
        best = costs.argmin(axis=1)[:, None] == np.arange(costs.shape[1])
        return np.asarray(np.ptp(costs, axis=1)[:, None] * (likely - best), np.float32)
    return np.asarray(likely * (costs - (likely * costs).sum(axis=1, keepdims=True)), np.float32)


def _without_one(network: Network, decisions: Decisions, aimed_at: Decisions) -> Network:
    """A network without the unit that is missed least if the bias says what it says on average."""
    weights = np.ptp(aimed_at.costs, axis=1)
    means = weights @ network.units(aimed_at.inputs) / max(float(weights.sum()), 1e-30)
    left = []
    for unit, mean in enumerate(means):
        outer = network.outer.copy()
        outer[:, -1] += mean * outer[:, unit]
        left.append(Network(np.delete(network.inner, unit, axis=0), np.delete(outer, unit, axis=1)))
    return min(left, key=decisions.loss)
