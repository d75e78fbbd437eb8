"""A network as the source of a policy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import Input
from komi.approximating.network import Network, step_of
from komi.game import Game

NAME = "network"
MOST_WEIGHTS = 900  # what compiled code takes as constants
SCALES = 8  # bytes of the two scales of whole weights, in single precision

_SOURCE = '''"""{title}: a network of {weights} weights.

komi match {game} {file}:{name} optimal
"""

from math import tanh

from komi.compile.rulebook import legal

INNER_SCALE, OUTER_SCALE = {scales}
INNER = (
{inner}
)
OUTER = (
{outer}
)


def {name}(rules, state):
    """The action that the network likes most; the first legal one where that is not legal."""
    wished = _wished(rules, state)
    chosen = -1
    for action in legal(rules, state):
        if chosen < 0 or action == wished:
            chosen = action
    return chosen


def _wished(rules, state):
    seen = (
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
    return best
'''


def source_of(network: Network, inputs: Sequence[Input], game: Game, file: str, bits: int | None) -> str:
    """A policy file that plays as the network does, with whole weights if they are of so many bits."""
    steps = [1.0 if bits is None else float(step_of(layer, bits)) for layer in (network.inner, network.outer)]
    inner, outer = (
        _rows(layer / step if bits is None else np.round(layer / step).astype(np.int64))
        for layer, step in zip((network.inner, network.outer), steps, strict=True)
    )
    return _SOURCE.format(
        title=game.summary.partition(":")[0],
        weights=network.weights,
        game=game.name,
        file=file,
        name=NAME,
        scales=", ".join(map(repr, steps)),
        inner=inner,
        outer=outer,
        seen="\n".join(f"        {each.code}," for each in inputs),
        least="0.0" if len(network.outer) == 1 else "-1e300",
        shift=" + 1" if len(network.outer) == 1 else "",
    )


def _rows(layer: NDArray[np.generic]) -> str:
    return "\n".join(f"    ({', '.join(map(_number, row))})," for row in layer.tolist())


def _number(weight: float) -> str:
    """A weight, as single precision has it, with as few digits as it takes."""
    return str(weight) if isinstance(weight, int) else str(np.float32(weight))
