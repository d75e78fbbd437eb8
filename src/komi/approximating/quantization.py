"""Quantization of weights part by part, the largest first, while the training of the others compensates.

A. Zhou, A. Yao, Y. Guo, L. Xu and Y. Chen, Incremental Network Quantization, ICLR 2017.
"""

import time

import numpy as np

from komi.approximating.network import Network, quantization_step
from komi.approximating.optimizer import TrainingDecisions, flatten_weights, minimize_loss, unflatten_weights

PARTS = (0.3, 0.5, 0.65, 0.75, 0.83, 0.9, 0.95, 0.98, 1.0)  # share of all weights that is rounded after each step
STEPS = 400  # of training after each part but the last
SAMPLED_DECISIONS = 200_000  # decisions after each part


def quantize(
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
    steps = np.concatenate([np.full(layer.size, quantization_step(layer, bits), np.float64) for layer in layers])
    largest = 2 ** (bits - 1) - 1
    weights, is_free = flatten_weights(network), np.ones(len(steps), bool)
    begin = time.perf_counter()
    for count, part in enumerate(PARTS, 1):
        sizes = np.where(is_free, np.abs(weights / steps), np.inf)
        is_free[np.argsort(-sizes, kind="stable")[: round(part * len(steps))]] = False
        weights = np.where(is_free, weights, np.clip(np.round(weights / steps), -largest, largest) * steps)
        if is_free.any():
            until = begin + (end - begin) * count / (len(PARTS) - 1)
            partly_rounded = unflatten_weights(weights, network)
            sample = decisions.sample(partly_rounded, SAMPLED_DECISIONS, random)
            weights = flatten_weights(minimize_loss(partly_rounded, sample, STEPS, True, until, is_free))
    return min(unflatten_weights(weights, network), network.quantize(bits), key=decisions.loss)
