"""Networks with one hidden layer, and their actions in all states."""

from dataclasses import dataclass
from math import tanh

import numpy as np

from komi.approximating.network_inputs import NetworkInputs, input_scalings, packed_input
from komi.arrays import F32, F64, I16, I64
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels


@dataclass(frozen=True, eq=False)
class Network:
    """A network: logits = outer (tanh(inner x), x), each layer with the biases in its last column.

    The inner layer takes the first of the inputs x, the outer one the last of them, as many as it has columns for. If
    there are two actions, the first logit is 0, and the network computes only the second.

    Attributes:
        inner: float64[hidden units, hidden inputs + 1].
        outer: float64[1 or actions, hidden units + skip inputs + 1].
    """

    inner: F64
    outer: F64

    @classmethod
    def random(
        cls, hidden_inputs: int, skip_inputs: int, hidden: int, actions: int, random: np.random.Generator
    ) -> "Network":
        """Initialize a network at random, with random directions and offsets (D. Nguyen and B. Widrow, IJCNN 1990)."""
        inner = random.standard_normal((hidden, hidden_inputs + 1))
        inner[:, :-1] *= 0.7 * hidden ** (1 / hidden_inputs) / np.linalg.norm(inner[:, :-1], axis=1, keepdims=True)
        inner[:, -1] = random.uniform(-1.0, 1.0, hidden) * 0.7 * hidden ** (1 / hidden_inputs)
        outer = np.zeros((1 if actions == 2 else actions, hidden + skip_inputs + 1))
        outer[:, :hidden] = random.standard_normal((len(outer), hidden)) / np.sqrt(hidden + 1)
        return cls(inner, outer)

    @property
    def weights(self) -> int:
        """The number of weights."""
        return int(self.inner.size + self.outer.size)

    def quantize(self, bits: int | None) -> "Network":
        """Round the weights to this number of bits; None for single precision."""
        inner, outer = (
            quantize_layer(layer.astype(np.float32), bits).astype(np.float64) for layer in (self.inner, self.outer)
        )
        return Network(inner, outer)

    @property
    def layers(self) -> tuple[F32, F32]:
        """Both layers in single precision."""
        return self.inner.astype(np.float32), self.outer.astype(np.float32)

    @property
    def skip_inputs(self) -> int:
        """The number of inputs with direct connections to the outputs."""
        return int(self.outer.shape[1] - len(self.inner) - 1)

    def activations(self, inputs: F32) -> F32:
        """Compute float32[., hidden], the activations of the hidden units, given float32[., inputs]."""
        inner, _ = self.layers
        return np.asarray(np.tanh(inputs[:, : inner.shape[1] - 1] @ inner[:, :-1].T + inner[:, -1]), np.float32)

    def logits(self, inputs: F32) -> F32:
        """Compute float32[., actions], given float32[., inputs]; if there are two actions, the first logit is 0."""
        outer_inputs = np.concatenate(
            (self.activations(inputs), inputs[:, inputs.shape[1] - self.skip_inputs :]), axis=1
        )
        _, outer = self.layers
        logits = outer_inputs @ outer[:, :-1].T + outer[:, -1]
        return np.concatenate((np.zeros_like(logits), logits), axis=1) if len(outer) == 1 else logits

    def actions(self, inputs: NetworkInputs, states: StateSet) -> I16:
        """Compute int16[states], the action with the largest logit in each state, legal or not."""
        encodings = np.array([each.encoding for each in inputs.items], np.int64)
        actions = np.empty(states.size, np.int16)
        engine_kernels()[_fill_actions](states, encodings, input_scalings(inputs), self.inner, self.outer, actions)
        return actions


def quantize_layer(weights: F32, bits: int | None) -> F32:
    """Round the weights of a layer to multiples of one step, with factors that are signed integers of `bits` bits."""
    if bits is None:
        return weights
    step = quantization_step(weights, bits)
    return (np.round(weights / step) * step).astype(np.float32)


def quantization_step(weights: F32 | F64, bits: int) -> np.float32:
    """Compute the quantization step of a layer."""
    return np.float32(np.abs(weights).max() / (2 ** (bits - 1) - 1))


def max_hidden_units(weights: int, inputs: NetworkInputs, actions: int) -> int:
    """Compute the greatest number of hidden units of a network with at most `weights` weights."""
    outputs = 1 if actions == 2 else actions
    return (weights - outputs * (inputs.skip_inputs + 1)) // (inputs.hidden_inputs + 1 + outputs)


def _fill_actions(states: StateIndex, encodings: I64, scalings: F64, inner: F64, outer: F64, actions: I16) -> None:
    """Fill in int16[states], the action of the network in each state."""
    hidden_inputs, skip_inputs = inner.shape[1] - 1, outer.shape[1] - len(inner) - 1
    inputs = np.empty(len(encodings))
    logits = np.empty(len(outer))
    for index, handle in members(states.keys):
        high, low = packed_at(states, handle)
        for i in range(len(encodings)):
            inputs[i] = packed_input(states.layout, high, low, encodings[i], scalings[i])
        logits[:] = outer[:, outer.shape[1] - 1]
        for unit in range(len(inner)):
            total = inner[unit, hidden_inputs]
            for i in range(hidden_inputs):
                total += inner[unit, i] * inputs[i]
            activation = tanh(total)
            for output in range(len(outer)):
                logits[output] += outer[output, unit] * activation
        for i in range(skip_inputs):
            for output in range(len(outer)):
                logits[output] += outer[output, len(inner) + i] * inputs[len(encodings) - skip_inputs + i]
        if len(logits) == 1:
            actions[index] = 1 if logits[0] > 0.0 else 0
        else:
            actions[index] = np.argmax(logits)
