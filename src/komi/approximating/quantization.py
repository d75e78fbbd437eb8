"""Quantization of weights: rounded part by part, the largest first, while the others learn to compensate.

A. Zhou, A. Yao, Y. Guo, L. Xu and Y. Chen, Incremental Network Quantization, ICLR 2017.
"""

import time

import numpy as np

from komi.approximating.network import Network, step_of
from komi.approximating.optimizer import TrainingDecisions, flat, minimised, unflattened

PARTS = (0.3, 0.5, 0.65, 0.75, 0.83, 0.9, 0.95, 0.98, 1.0)  # share of all weights that is rounded after each step
STEPS = 400  # of training, after each part but the last
SAMPLED_DECISIONS = 200_000  # decisions after each part


def settled(
    network: Network, bits: int, decisions: TrainingDecisions, end: float, random: np.random.Generator
) -> Network:
    """Round all weights of a network to multiples of one step in each layer, part by part.

    If this is no better than rounding all weights at once, the network is rounded at once.

    Args:
        network: the network.
        bits: the bits of each weight.
        decisions: the decisions that define the loss.
        end: the time to stop, by the clock `time.perf_counter`.
        random: the random number generator.
    """
    layers = (network.inner, network.outer)
    steps = np.concatenate([np.full(layer.size, step_of(layer, bits), np.float64) for layer in layers])
    largest = 2 ** (bits - 1) - 1
    weights, free = flat(network), np.ones(len(steps), bool)
    begin = time.perf_counter()
    for place, part in enumerate(PARTS, 1):
        sizes = np.where(free, np.abs(weights / steps), np.inf)
        free[np.argsort(-sizes, kind="stable")[: round(part * len(steps))]] = False
        weights = np.where(free, weights, np.clip(np.round(weights / steps), -largest, largest) * steps)
        if free.any():
            until = begin + (end - begin) * place / (len(PARTS) - 1)
            found = unflattened(weights, network)
            looked_at = decisions.sample(found, SAMPLED_DECISIONS, random)
            weights = flat(minimised(found, looked_at, STEPS, True, until, free))
    return min(unflattened(weights, network), network.rounded(bits), key=decisions.loss)
