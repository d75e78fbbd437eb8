"""Lower and upper values that prove a value: each is strictly better than its backup, by a margin for rounding.

For the stored states, with eps > 0 and the Bellman operator T, in which the opponent's lower value is 1 - upper and the
other way round,

    lower <= T lower - eps / 2    or at the least value,        upper >= T upper + eps / 2    or at the greatest value.

where `Cut.weak` says so without the eps. All other states have the values T lower and T upper. From the optimal values
on, `sweep` moves a stored value that violates its inequality to T lower - eps or T upper + eps, rounded away from the
interval to multiples of eps / 4. So lower values only decrease and upper values only increase, until none is moved; the
distance from the optimal values is then about eps times the expected number of stored states to come.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, Flags
from komi.errors import SolveError
from komi.graph.explicit import ExplicitModel
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.proof.certificate import Fields
from komi.proof.cuts import WEAK_LOWER, WEAK_UPPER, Cut, first_outcome

BITS = range(38, 49, 2)  # -log2 of each eps to try; smaller ones would be lost in the rounding of floats
UNIT_BITS = 2  # -log2 of the unit of stored values, in units of eps
ROUNDING_BITS = 7  # -log2 of what counts as rounding, in these units
MAX_WIDTH = 2.0**-30  # of an interval, relative to the largest value
MAX_SWEEPS = 100_000
STEP_OUTCOMES = 1_000_000  # backed up between two calls of progress: some milliseconds
SMALL = 2.0**-52  # a change, relative to the largest value, after which values count as converged


class Intervals(NamedTuple):
    """Lower and upper values, times the sign of the objective.

    Attributes:
        lower, upper: float64[states]; at stored states multiples of 2**-bits.
        bits: the number of bits after the binary point.
    """

    lower: F64
    upper: F64
    bits: int

    def fields(self, stored: Flags, start: int, sign: int, is_opposite: bool = False) -> Fields:
        """Return the fields of a claim with these values, in units of 2**-bits.

        Args:
            stored: bool[states], the stored states.
            start: the initial state, whose interval is widened by a unit for the rounding of floats.
            sign: the sign of the objective.
            is_opposite: whether the claim is about the opponent of the player to move in the initial state.
        """
        low, high = np.floor(np.ldexp(self.lower, self.bits)), np.ceil(np.ldexp(self.upper, self.bits))
        ends = [sign * int(end) for end in (low[start] - 1, high[start] + 1)]
        return {
            "bits": self.bits,
            "interval": sorted((1 << self.bits) - end if is_opposite else end for end in ends),
            "lower": low[stored].astype(np.int64).tolist(),
            "gap": (high - low)[stored].astype(np.int64).tolist(),
        }


class ValueLimits(NamedTuple):
    """The sign of the objective, and the least and greatest values times that sign; infinite if there are none."""

    sign: float
    lowest: float
    highest: float


def find_intervals(
    model: ExplicitModel, cut: Cut, values: F64, limits: ValueLimits, progress: Progress, max_sweeps: int = MAX_SWEEPS
) -> Intervals:
    """Compute lower and upper values that prove the optimal values.

    Args:
        model: the game.
        cut: the stored states.
        values: float64[states], the optimal values.
        limits: the range of the values.
        progress: called during long work.
        max_sweeps: the number of sweeps after which to try a smaller eps.

    Raises:
        SolveError: if there is no proof within `MAX_WIDTH`.
    """
    exponent = int(np.ceil(np.log2(max(1.0, float(np.abs(values).max(initial=0.0))))))
    step = max(1, STEP_OUTCOMES // max(1, len(model.target)))
    for bits in BITS:
        eps = 2.0 ** (exponent - bits)
        lower, upper = limits.sign * values, limits.sign * values
        for done in range(0, max_sweeps, step):
            sweeps, widest = min(step, max_sweeps - done), MAX_WIDTH * 2.0**exponent
            moved, width = engine_kernels()[sweep](model, cut, limits, eps, lower, upper, sweeps, widest)
            progress("certificate", done, 0)
            if not width <= widest:
                break
            if not moved:
                return Intervals(lower, upper, bits + UNIT_BITS - exponent)
    raise SolveError(
        "no certificate was found: play lasts so long, or is ended by so little, that an interval would exceed 1e-9."
    )


def sweep(
    model: ExplicitModel, cut: Cut, limits: ValueLimits, eps: float, lower: F64, upper: F64, sweeps: int, widest: float
) -> tuple[int, float]:
    """Back up all states, and move stored values that violate their inequality; repeat it while any are moved.

    Args:
        model, cut, limits, eps: the game, and what is to be proved.
        lower, upper: float64[states], modified in place.
        sweeps: the most repetitions.
        widest: the width of an interval beyond which to stop.

    Returns:
        (the number of values moved last, the largest width of an interval then; infinite if a value is not a number)
    """
    unit = eps / 2.0**UNIT_BITS
    rounding = unit / 2.0**ROUNDING_BITS
    moved, width = 1, 0.0
    while moved and sweeps and width <= widest:
        sweeps -= 1
        moved, width = 0, 0.0
        for state in cut.order:
            least, most = back_up(model, limits.sign, state, lower, upper)
            if not cut.stored[state]:
                lower[state], upper[state] = least, most
            else:
                margin = -rounding if cut.weak[state] == WEAK_LOWER else eps
                if lower[state] > least - margin / 2.0 and lower[state] > limits.lowest:
                    lower[state] = max(np.floor((least - margin) / unit) * unit, limits.lowest)
                    moved += 1
                margin = -rounding if cut.weak[state] == WEAK_UPPER else eps
                if upper[state] < most + margin / 2.0 and upper[state] < limits.highest:
                    upper[state] = min(np.ceil((most + margin) / unit) * unit, limits.highest)
                    moved += 1
            distance = upper[state] - lower[state]
            width = max(width, distance if distance < np.inf else np.inf)
    return moved, width


def converge(model: ExplicitModel, cut: Cut, values: F64, max_sweeps: int) -> None:
    """Iterate values to a fixed point of the Bellman operator, in place."""
    for _ in range(max_sweeps):
        change, largest = 0.0, 1.0
        for state in cut.order:
            value, _ = back_up(model, 1.0, state, values, values)
            change, largest = max(change, abs(value - values[state])), max(largest, abs(value))
            values[state] = value
        if change <= SMALL * largest:
            return


def back_up(model: ExplicitModel, sign: float, state: int, lower: F64, upper: F64) -> tuple[float, float]:
    """Return the lower and the upper value of the best action, from those of the next states.

    Args:
        model: the game.
        sign: -1 if the model counts what is to be minimized, else 1.
        state: the state.
        lower, upper: float64[states], the lower and upper values.
    """
    outcome = first_outcome(model, state)
    least = most = -np.inf
    for action in range(model.ends[state - 1] if state else 0, model.ends[state]):
        low = high = 0.0
        while outcome < model.outcome_ends[action]:
            target, chance = model.target[outcome], model.probability[outcome]
            below = above = sign * model.gain[outcome]
            if target >= 0:
                if model.passes[outcome]:
                    below += 1.0 - upper[target]
                    above += 1.0 - lower[target]
                else:
                    below += lower[target]
                    above += upper[target]
            low += chance * below
            high += chance * above
            outcome += 1
        least, most = max(least, low), max(most, high)
    return least, most
