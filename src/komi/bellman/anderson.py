"""Anderson acceleration of sweeps over very many values, with its history in single precision.

As in `komi.bellman.fixed_point`, the next iterate is the mixture of the last few that would solve the equation
if a sweep were linear. The history is used only for corrections, which need few digits.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64
from komi.bellman.fixed_point import eliminate
from komi.jit.kernels import engine_kernels
from komi.tuning import STORED_SWEEPS


class History(NamedTuple):
    """The values of the last sweeps.

    Attributes:
        values: float64[states], after the last sweep.
        before: float64[states], before it.
        last: float64[states], after the sweep before.
        last_step: float32[states], the change in that sweep.
        changes: float32[2, states, STORED_SWEEPS], the differences of steps, and of values, between two sweeps.
    """

    values: F64
    before: F64
    last: F64
    last_step: F32
    changes: F32


class Acceleration:
    """The history of the last sweeps over a block of values.

    Args:
        values: float64[states], before the first sweep; swept and accelerated in place.
        lowest, highest: the range of the values.
    """

    def __init__(self, values: F64, lowest: float, highest: float) -> None:
        self._limits = lowest, highest
        self._history = History(
            values,
            values.copy(),
            np.empty_like(values),
            np.empty(len(values), np.float32),
            np.empty((2, len(values), STORED_SWEEPS), np.float32),
        )
        self._products = np.zeros((STORED_SWEEPS, STORED_SWEEPS))
        self._sweeps = 0

    def reset(self) -> None:
        """Clear the history and restart from the current values."""
        self._sweeps = 0
        self._history.before[:] = self._history.values

    def extrapolate(self, spread: Any) -> None:
        """Extrapolate the values after a sweep.

        Args:
            spread: calls a function for ranges of the values, `(first, end)`, on several threads; lists the results.
        """
        known = min(self._sweeps, STORED_SWEEPS)
        slot = (self._sweeps - 1) % STORED_SWEEPS
        self._sweeps += 1
        found = sum(
            spread(lambda first, end, _: engine_kernels()[_record_sweep](first, end, self._history, slot, known)),
            np.zeros((2, STORED_SWEEPS)),
        )
        self._products[slot, :], self._products[:, slot] = found[0], found[0]
        matrix = np.column_stack([self._products[:known, :known], found[1, :known]])
        shares = np.zeros(STORED_SWEEPS)
        if known and engine_kernels()[eliminate](matrix, known, known):
            shares[:known] = matrix[:, known]
        spread(lambda first, end, _: engine_kernels()[_mix](first, end, self._history, shares, *self._limits))


def _record_sweep(first: int, end: int, history: History, slot: int, known: int) -> F64:
    """Record the change of a sweep; return its inner products with the history, and those of the step with the history.

    Returns:
        float64[2, STORED_SWEEPS]: products of the new difference of steps, and of the step, with the stored differences
    """
    values, before, last, last_step, changes = history
    products = np.zeros((2, changes.shape[2]))
    for j in range(first, end):
        step = values[j] - before[j]
        if known:
            change = step - last_step[j]
            changes[0, j, slot] = change
            changes[1, j, slot] = values[j] - last[j]
            for i in range(known):
                products[0, i] += change * changes[0, j, i]
                products[1, i] += step * changes[0, j, i]
        last[j], last_step[j] = values[j], step
    return products


def _mix(first: int, end: int, history: History, shares: F64, lowest: float, highest: float) -> None:
    """Mix the recorded sweeps with the given weights."""
    values, before, changes = history.values, history.before, history.changes
    for j in range(first, end):
        value = values[j]
        for i in range(len(shares)):
            if shares[i] != 0.0:
                value -= shares[i] * changes[1, j, i]
        values[j] = before[j] = min(max(value, lowest), highest)
