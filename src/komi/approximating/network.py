"""Networks of one hidden layer, and the actions that they take in all states."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.approximating.inputs import Input, input_of, scales
from komi.compile.kernels import engine
from komi.compile.places import members, word_at
from komi.model.states import StateSet


@dataclass(frozen=True, eq=False)
class Network:
    """logits = outer tanh(inner x), each with a bias in its last column; of two actions only the second has a logit.

    Attributes:
        inner: float64[hidden, inputs + 1].
        outer: float64[1 or actions, hidden + 1].
    """

    inner: NDArray[np.float64]
    outer: NDArray[np.float64]

    @classmethod
    def drawn(cls, inputs: int, hidden: int, actions: int, random: np.random.Generator) -> "Network":
        """One to begin with: units that bend at random places (D. Nguyen and B. Widrow, IJCNN 1990)."""
        inner = random.standard_normal((hidden, inputs + 1))
        inner[:, :-1] *= 0.7 * hidden ** (1 / inputs) / np.linalg.norm(inner[:, :-1], axis=1, keepdims=True)
        inner[:, -1] = random.uniform(-1.0, 1.0, hidden) * 0.7 * hidden ** (1 / inputs)
        outputs = 1 if actions == 2 else actions
        return cls(inner, random.standard_normal((outputs, hidden + 1)) / np.sqrt(hidden + 1))

    @property
    def weights(self) -> int:
        """How many there are."""
        return int(self.inner.size + self.outer.size)

    def rounded(self, bits: int | None) -> "Network":
        """The network with weights of so many bits; None for single precision."""
        inner, outer = (
            rounded(layer.astype(np.float32), bits).astype(np.float64) for layer in (self.inner, self.outer)
        )
        return Network(inner, outer)

    def decide(self, seen: NDArray[np.float32]) -> NDArray[np.int64]:
        """int64[.], what it does, given float32[., inputs]."""
        bent = np.tanh(seen @ self.inner[:, :-1].T + self.inner[:, -1])
        logits = bent @ self.outer[:, :-1].T + self.outer[:, -1]
        return np.asarray(logits[:, 0] > 0.0 if len(self.outer) == 1 else logits.argmax(axis=1), np.int64)

    def actions(self, inputs: Sequence[Input], states: StateSet) -> NDArray[np.int16]:
        """int16[states], what it does in each state, be it legal or not."""
        rows = np.array([each.row for each in inputs], np.int64)
        actions = np.empty(states.size, np.int16)
        engine()[_act](states.layout, states.keys, rows, scales(inputs), self.inner, self.outer, actions)
        return actions


def rounded(weights: NDArray[np.float32], bits: int | None) -> NDArray[np.float32]:
    """The weights of a layer as whole multiples of one step, the largest of which so many bits hold, with a sign."""
    if bits is None:
        return weights
    step = step_of(weights, bits)
    return (np.round(weights / step) * step).astype(np.float32)


def step_of(weights: NDArray[Any], bits: int) -> np.float32:
    """What the weights of a layer are whole multiples of."""
    return np.float32(np.abs(weights).max() / (2 ** (bits - 1) - 1))


def hidden_of(weights: int, inputs: int, actions: int) -> int:
    """How many hidden units a network of at most so many weights has."""
    outputs = 1 if actions == 2 else actions
    return (weights - outputs) // (inputs + 1 + outputs)


def _act(layout: Any, keys: Any, rows: Any, scales: Any, inner: Any, outer: Any, actions: Any) -> None:
    """Fill in int16[states]."""
    seen = np.empty(len(rows))
    logits = np.empty(len(outer))
    for index, place in members(keys):
        high, low = word_at(keys, place)
        for i in range(len(rows)):
            seen[i] = input_of(layout, high, low, rows[i], scales[i])
        logits[:] = outer[:, len(inner)]
        for unit in range(len(inner)):
            total = inner[unit, len(rows)]
            for i in range(len(rows)):
                total += inner[unit, i] * seen[i]
            bent = tanh(total)
            for output in range(len(outer)):
                logits[output] += outer[output, unit] * bent
        if len(logits) == 1:
            actions[index] = 1 if logits[0] > 0.0 else 0
        else:
            actions[index] = np.argmax(logits)
