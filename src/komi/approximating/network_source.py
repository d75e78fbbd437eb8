"""A network as the source code of a policy."""

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network import Network, quantization_step
from komi.approximating.network_inputs import NetworkInputs, input_source
from komi.rules.game import Game
from komi.teaching.policy_source import policy_source

NAME = "network"
MAX_WEIGHTS = 900  # limit of the constants in compiled code
SCALES = 8  # bytes of the two scales of integer weights, in single precision

_CONSTANTS = """
INNER_SCALE, OUTER_SCALE = {scales}
INNER = (
{inner}
)
OUTER = (
{outer}
)

"""

_BODY = """    inputs = (
{inputs}
    )
    best, most = 0, {least}
    for action in range(len(OUTER)):
        logit = OUTER[action][len(OUTER[0]) - 1]
        for unit in range(len(INNER)):
            total = INNER[unit][{hidden_inputs}]
            for i in range({hidden_inputs}):
                total += INNER[unit][i] * inputs[i]
            logit += OUTER[action][unit] * tanh(total * INNER_SCALE)
        for i in range({skip_inputs}):
            logit += OUTER[action][len(INNER) + i] * inputs[len(inputs) - {skip_inputs} + i]
        if logit * OUTER_SCALE > most:
            best, most = action{shift}, logit * OUTER_SCALE
    return best"""


def network_source(network: Network, inputs: NetworkInputs, game: Game, file: str, bits: int | None) -> str:
    """Write a policy file that plays as the network does.

    Args:
        network: the network.
        inputs: its inputs.
        game: the game.
        file: the name of the file.
        bits: the bits of each weight, which are then written as integers; None for single precision.
    """
    steps = [1.0 if bits is None else float(quantization_step(layer, bits)) for layer in (network.inner, network.outer)]
    inner, outer = (
        _rows(layer / step if bits is None else np.round(layer / step).astype(np.int64))
        for layer, step in zip((network.inner, network.outer), steps, strict=True)
    )
    body = _BODY.format(
        inputs="\n".join(f"        {input_source(each)}," for each in inputs.items),
        hidden_inputs=inputs.hidden_inputs,
        skip_inputs=inputs.skip_inputs,
        least="0.0" if len(network.outer) == 1 else "-1e300",
        shift=" + 1" if len(network.outer) == 1 else "",
    )
    return policy_source(
        game,
        file,
        NAME,
        "network",
        f"a network of {network.weights} weights.",
        body,
        constants=_CONSTANTS.format(scales=", ".join(map(repr, steps)), inner=inner, outer=outer),
        imports="from math import tanh\n\n",
    )


def _rows(layer: NDArray[np.generic]) -> str:
    return "\n".join(f"    ({', '.join(map(_number, row))})," for row in layer.tolist())


def _number(weight: float) -> str:
    """Format a weight of single precision with as few digits as it needs."""
    return str(weight) if isinstance(weight, int) else str(np.float32(weight))
