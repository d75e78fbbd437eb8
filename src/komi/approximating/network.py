"""Networks with one hidden layer, and their actions in all states."""

from dataclasses import dataclass
from math import tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.approximating.network_inputs import NetworkInputs, input_of, scales
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels


@dataclass(frozen=True, eq=False)
class Network:
    """A network: logits = outer (tanh(inner x), x), each layer with the biases in its last column.

    The inner layer sees the first of the inputs x, the outer one the last of them, as many as it has columns for. If
    there are two actions, the first logit is 0, and the network computes only the second.

    Attributes:
        inner: float64[hidden, bent + 1].
        outer: float64[1 or actions, hidden + direct + 1].
    """

    inner: NDArray[np.float64]
    outer: NDArray[np.float64]

    @classmethod
    def drawn(cls, bent: int, direct: int, hidden: int, actions: int, random: np.random.Generator) -> "Network":
        """Initialize a network at random, with random directions and offsets (D. Nguyen and B. Widrow, IJCNN 1990)."""
        inner = random.standard_normal((hidden, bent + 1))
        inner[:, :-1] *= 0.7 * hidden ** (1 / bent) / np.linalg.norm(inner[:, :-1], axis=1, keepdims=True)
        inner[:, -1] = random.uniform(-1.0, 1.0, hidden) * 0.7 * hidden ** (1 / bent)
        outer = np.zeros((1 if actions == 2 else actions, hidden + direct + 1))
        outer[:, :hidden] = random.standard_normal((len(outer), hidden)) / np.sqrt(hidden + 1)
        return cls(inner, outer)

    @property
    def weights(self) -> int:
        """The number of weights."""
        return int(self.inner.size + self.outer.size)

    def rounded(self, bits: int | None) -> "Network":
        """Round the weights to this number of bits; None for single precision."""
        inner, outer = (
            rounded(layer.astype(np.float32), bits).astype(np.float64) for layer in (self.inner, self.outer)
        )
        return Network(inner, outer)

    @property
    def layers(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Both layers in single precision."""
        return self.inner.astype(np.float32), self.outer.astype(np.float32)

    @property
    def direct(self) -> int:
        """The number of inputs with direct connections to the outputs."""
        return int(self.outer.shape[1] - len(self.inner) - 1)

    def units(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        """Compute float32[., hidden], the activations of the hidden units, given float32[., inputs]."""
        inner, _ = self.layers
        return np.asarray(np.tanh(seen[:, : inner.shape[1] - 1] @ inner[:, :-1].T + inner[:, -1]), np.float32)

    def logits(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        """Compute float32[., actions], given float32[., inputs]; if there are two actions, the first logit is 0."""
        known = np.concatenate((self.units(seen), seen[:, seen.shape[1] - self.direct :]), axis=1)
        _, outer = self.layers
        logits = known @ outer[:, :-1].T + outer[:, -1]
        return np.concatenate((np.zeros_like(logits), logits), axis=1) if len(outer) == 1 else logits

    def actions(self, inputs: NetworkInputs, states: StateSet) -> NDArray[np.int16]:
        """Compute int16[states], the action with the largest logit in each state, legal or not."""
        rows = np.array([each.row for each in inputs.every], np.int64)
        actions = np.empty(states.size, np.int16)
        engine_kernels()[_act](states, rows, scales(inputs), self.inner, self.outer, actions)
        return actions


def rounded(weights: NDArray[np.float32], bits: int | None) -> NDArray[np.float32]:
    """Round the weights of a layer to multiples of one step, with factors that are signed integers of `bits` bits."""
    if bits is None:
        return weights
    step = step_of(weights, bits)
    return (np.round(weights / step) * step).astype(np.float32)


def step_of(weights: NDArray[Any], bits: int) -> np.float32:
    """Compute the quantization step of a layer."""
    return np.float32(np.abs(weights).max() / (2 ** (bits - 1) - 1))


def hidden_of(weights: int, inputs: NetworkInputs, actions: int) -> int:
    """Compute the greatest number of hidden units of a network with at most `weights` weights."""
    outputs = 1 if actions == 2 else actions
    return (weights - outputs * (inputs.direct + 1)) // (inputs.bent + 1 + outputs)


def _act(states: StateIndex, rows: Any, scales: Any, inner: Any, outer: Any, actions: Any) -> None:
    """Fill in int16[states], the action of the network in each state."""
    bent, direct = inner.shape[1] - 1, outer.shape[1] - len(inner) - 1
    seen = np.empty(len(rows))
    logits = np.empty(len(outer))
    for index, place in members(states.keys):
        high, low = packed_at(states, place)
        for i in range(len(rows)):
            seen[i] = input_of(states.layout, high, low, rows[i], scales[i])
        logits[:] = outer[:, outer.shape[1] - 1]
        for unit in range(len(inner)):
            total = inner[unit, bent]
            for i in range(bent):
                total += inner[unit, i] * seen[i]
            unit_bent = tanh(total)
            for output in range(len(outer)):
                logits[output] += outer[output, unit] * unit_bent
        for i in range(direct):
            for output in range(len(outer)):
                logits[output] += outer[output, len(inner) + i] * seen[len(rows) - direct + i]
        if len(logits) == 1:
            actions[index] = 1 if logits[0] > 0.0 else 0
        else:
            actions[index] = np.argmax(logits)
