"""Lower and upper values that prove an interval: each is strictly better than its backup, by a margin for rounding.

For the stored states, which cut all cycles, with eps > 0 and the Bellman operator T in which the opponent's lower value
is 1 - upper and the other way round,

    lower <= T lower - eps / 2    or at the least value,        upper >= T upper + eps / 2    or at the greatest value.

All other states have the values T lower and T upper. Starting from the optimal values, `sweep` moves a stored value
that violates its inequality to T lower - eps or T upper + eps, rounded away from the interval to multiples of eps / 4.
Lower values only decrease and upper values only increase, until none is moved: the difference to the optimal values is
then about eps times the expected number of stored states to come.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I16, I64, Flags
from komi.errors import SolveError
from komi.graph.explicit import OVER, ExplicitModel
from komi.jit.kernels import engine_kernels
from komi.progress import Progress

BITS = 38  # of the first eps
MAX_BITS = 48  # a smaller eps would be lost in the rounding of floating-point numbers
BITS_STEP = 2
MAX_WIDTH = 2.0**-30  # of an interval, relative to the largest value
MAX_SWEEPS = 100_000


class Intervals(NamedTuple):
    """Lower and upper values of all states, in units of 2**-bits where they are stored.

    Attributes:
        stored: bool[states], True for the states that cut all cycles.
        lower, upper: float64[states].
        bits: the bits of stored values after the binary point.
    """

    stored: Flags
    lower: F64
    upper: F64
    bits: int


class Limits(NamedTuple):
    """The sign of the objective, and the least and greatest values times that sign; infinite if there are none."""

    sign: float
    lowest: float
    highest: float


def find_intervals(
    model: ExplicitModel, values: F64, roots: I64, has_turns: bool, limits: Limits, progress: Progress
) -> Intervals:
    """Compute lower and upper values, times the sign, that prove the optimal values.

    Args:
        model: the game.
        values: float64[states], the optimal values.
        roots: the indices of states from which all others are reached.
        has_turns: True if states after a turn passes are to be stored.
        limits: the range of the values.
        progress: called during long work.

    Raises:
        SolveError: if there is no proof within `MAX_WIDTH`.
    """
    count = len(values)
    order, stored = np.empty(count, np.int64), np.zeros(count, np.bool_)
    engine_kernels()[sort_states](model, roots, order, stored)
    if has_turns:
        stored[model.target[model.passes & (model.target != OVER)]] = True
    exponent = max(0, int(np.ceil(np.log2(max(1.0, float(np.abs(values).max(initial=0.0)))))))
    for bits in range(BITS, MAX_BITS + 1, BITS_STEP):
        eps = 2.0 ** (exponent - bits)
        lower, upper = limits.sign * values, limits.sign * values
        for sweep_count in range(MAX_SWEEPS):
            moved, width = engine_kernels()[sweep](model, order, stored, limits, eps, lower, upper)
            if sweep_count % 16 == 0:
                progress("certificate", sweep_count, 0)
            if width > MAX_WIDTH * 2.0**exponent:
                break
            if not moved:
                return Intervals(stored, lower, upper, bits + 2 - exponent)
    raise SolveError(
        "no certificate was found: play can last so long that the interval of a value exceeds 1e-9, or it need not end."
    )


def sort_states(model: ExplicitModel, roots: I64, order: I64, stored: Flags) -> None:
    """Sort the states so that each comes after its successors, except for stored ones, which cut all cycles.

    A depth-first search; the stored states are those to which an edge leads back.

    Args:
        model: the game.
        roots: states from which all others are reached.
        order: int64[states], filled in.
        stored: bool[states], filled in.
    """
    count = len(order)
    status = np.zeros(count, np.int8)  # 0: unknown, 1: on the stack, 2: finished
    stack, following = np.empty(count, np.int64), np.empty(count, np.int64)
    finished = 0
    for root in roots:
        if status[root]:
            continue
        depth = 0
        stack[0], following[0], status[root] = root, _first_outcome(model, root), 1
        while depth >= 0:
            state = stack[depth]
            if following[depth] < model.outcome_ends[model.ends[state] - 1]:
                target = model.target[following[depth]]
                following[depth] += 1
                if target >= 0 and status[target] == 1:
                    stored[target] = True
                elif target >= 0 and status[target] == 0:
                    depth += 1
                    stack[depth], following[depth], status[target] = target, _first_outcome(model, target), 1
            else:
                status[state] = 2
                order[finished] = state
                finished += 1
                depth -= 1


def _first_outcome(model: ExplicitModel, state: int) -> int:
    action = model.ends[state - 1] if state else 0
    return model.outcome_ends[action - 1] if action else 0  # type: ignore[no-any-return]


def sweep(
    model: ExplicitModel, order: I64, stored: Flags, limits: Limits, eps: float, lower: F64, upper: F64
) -> tuple[int, float]:
    """Back up all states, and move stored values that violate their inequality.

    Returns:
        (the number of values moved, the largest width of an interval)
    """
    sign, lowest, highest = limits
    unit = eps / 4.0
    moved = 0
    width = 0.0
    for state in order:
        outcome = _first_outcome(model, state)
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
        if not stored[state]:
            lower[state], upper[state] = least, most
        else:
            if lower[state] > least - eps / 2.0 and lower[state] > lowest:
                lower[state] = max(np.floor((least - eps) / unit) * unit, lowest)
                moved += 1
            if upper[state] < most + eps / 2.0 and upper[state] < highest:
                upper[state] = min(np.ceil((most + eps) / unit) * unit, highest)
                moved += 1
        width = max(width, upper[state] - lower[state])
    return moved, width
