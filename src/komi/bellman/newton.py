"""Fixed points of Bellman backups over a component with one feedback vertex, by Newton's method.

Given the value x of the feedback vertex one sweep determines all others, finally a new value G(x) of that vertex, and
its slope in x: derivatives of the best actions are propagated along. While the best actions stay the same G is linear,
so that a step from near the fixed point ends in it. Without an opponent these are the steps of policy iteration (M. L.
Puterman and S. L. Brumelle, Math. Oper. Res. 4(1), 1979).
"""

from typing import Any

import numpy as np

STEPS = 16  # the most: with an opponent they can cycle
NEAR = 2.0**-16  # a shorter relative step mostly ends in the fixed point
STEEPEST = 1.0 - 2.0**-20  # with a steeper slope rounding dominates the step


def step_to_fixed_point(
    rows: Any, value: Any, slope: Any, feedback_row: int, lowest: float, highest: float, stop: Any
) -> bool:
    """Solve G(x) = x for the value x of the feedback vertex, from `lowest` to `highest`.

    Args:
        rows: the argument of `fixed_point.sweep`.
        value: float64[rows], the initial guess; filled in with the result.
        slope: float64[rows], a buffer for derivatives.
        feedback_row: the only equation that is read before it is written.
        lowest, highest: the range of the values.
        stop: bool[1], set by another thread to stop early.

    Returns:
        whether the last step should have reached the fixed point, up to rounding; the caller confirms it by one more
        sweep
    """
    for _ in range(STEPS):
        x = value[feedback_row]
        slope[feedback_row] = 1.0
        _sweep(rows, value, slope)
        step = value[feedback_row] - x
        if stop[0] or slope[feedback_row] > STEEPEST:
            return False
        step /= 1.0 - slope[feedback_row]
        value[feedback_row] = min(max(x + step, lowest), highest)
        if abs(step) <= NEAR * max(1.0, abs(x)):
            return True
    return False


def _sweep(rows: Any, value: Any, slope: Any) -> None:
    """Perform one Gauss-Seidel sweep of Bellman backups and of the slopes of the best actions."""
    actions_end, constant, outcomes_end, target, weight = rows
    action = 0
    outcome = 0
    best = 0.0
    best_slope = 0.0
    for i in range(len(actions_end)):
        before, slope_before = best, best_slope
        best = -np.inf
        best_slope = 0.0
        while action < actions_end[i]:
            total = constant[action]
            total_slope = 0.0
            while outcome < outcomes_end[action]:
                after = target[outcome]
                if after == i - 1:
                    total += weight[outcome] * before
                    total_slope += weight[outcome] * slope_before
                else:
                    total += weight[outcome] * value[after]
                    total_slope += weight[outcome] * slope[after]
                outcome += 1
            if total > best:
                best_slope = total_slope
            best = max(best, total)
            action += 1
        value[i] = best
        slope[i] = best_slope
