"""A network as the source of a policy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import RUN, Input
from komi.approximating.network import Network, step_of
from komi.game import Game
from komi.teaching.source import policy_source

NAME = "network"
MOST_WEIGHTS = 900  # what compiled code takes as constants
SCALES = 8  # bytes of the two scales of whole weights, in single precision

_CONSTANTS = """
INNER_SCALE, OUTER_SCALE = {scales}
INNER = (
{inner}
)
OUTER = (
{outer}
)

"""

_BODY = """    seen = (
{seen}
        1.0,
    )
    best, most = 0, {least}
    for action in range(len(OUTER)):
        logit = OUTER[action][len(INNER)] * OUTER_SCALE
        for unit in range(len(INNER)):
            total = 0.0
            for i in range(len(seen)):
                total += INNER[unit][i] * seen[i]
            logit += OUTER[action][unit] * OUTER_SCALE * tanh(total * INNER_SCALE)
        if logit > most:
            best, most = action{shift}, logit
    return best"""

_RUN = f"""
def {RUN}(length, part, rest):
    \"\"\"The chance that the next so many drawn from two stocks are all of the part.\"\"\"
    if length > part:
        return 0.0
    chance = 1.0
    for drawn in range(length):
        chance *= (part - drawn) / (part + rest - drawn)
    return chance

"""


def source_of(network: Network, inputs: Sequence[Input], game: Game, file: str, bits: int | None) -> str:
    """A policy file that plays as the network does, with whole weights if they are of so many bits."""
    steps = [1.0 if bits is None else float(step_of(layer, bits)) for layer in (network.inner, network.outer)]
    inner, outer = (
        _rows(layer / step if bits is None else np.round(layer / step).astype(np.int64))
        for layer, step in zip((network.inner, network.outer), steps, strict=True)
    )
    body = _BODY.format(
        seen="\n".join(f"        {each.code}," for each in inputs),
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
        helpers=_RUN if any(each.is_run for each in inputs) else "",
    )


def _rows(layer: NDArray[np.generic]) -> str:
    return "\n".join(f"    ({', '.join(map(_number, row))})," for row in layer.tolist())


def _number(weight: float) -> str:
    """A weight, as single precision has it, with as few digits as it takes."""
    return str(weight) if isinstance(weight, int) else str(np.float32(weight))
