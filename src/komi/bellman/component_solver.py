"""The solution of one component's equations: a fixed point, and the proof of its error bound."""

from enum import IntEnum
from typing import Any

import numpy as np

from komi.arrays import F64, Flags
from komi.bellman.certificate import UNCONVERGED, Bounds, certify
from komi.bellman.equations import Equations, Objective, Workspace
from komi.bellman.fixed_point import NEARLY_CONVERGED, SWEEPS, solve_fixed_point
from komi.bellman.lengths import certify_lengths
from komi.bellman.rounding import rounding_error


class ComponentStatus(IntEnum):
    """The status of a component after the attempt to solve it."""

    SOLVED = 0  # values and lengths are proved
    UNPROVED = 1  # there is no proof of the values
    UNMEASURED = 2  # there is no proof of the lengths
    STOPPED = 3  # by the user
    SLOW = 4  # sweeps converge slowly
    WEAK = 5  # the error bound is loose


LOOSE = 2.0**-31  # a component with a larger relative bound is solved directly, if its own share exceeds CLOSE
CLOSE = 2.0**-44  # a relative bound that a direct solution hardly improves
MAX_LENGTH = 1e12  # a longer expected play counts as infinite; the largest magnitude of values too


def solve_values(
    equations: Any,
    workspace: Workspace,
    feedback_count: int,
    magnitude: float,
    initial: float,
    objective: Objective,
    sweeps: int,
    stop: Flags,
) -> tuple[int, float, float]:
    """Solve a component's equations and prove the values; both are left in the workspace.

    Args:
        equations: the component's `Equations`, or what replacements of `sweep` and `sweep_bounds` take.
        workspace: its feedback vertex set is given, its values and its certificate are filled in.
        feedback_count: the size of the feedback vertex set.
        magnitude: the largest magnitude of a constant's terms.
        initial: the initial value.
        objective: the objective.
        sweeps: the most sweeps; with fewer than `SWEEPS`, slow components are left to a direct solver.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (the status, the error bound, the scale of rounding errors)
    """
    lowest, highest = objective.lowest, objective.highest
    value, feedback = workspace.value, workspace.feedback[:feedback_count]
    for position in feedback:
        value[position] = initial
    limits = max(lowest, -MAX_LENGTH), min(highest, MAX_LENGTH)
    if solve_fixed_point(equations, value, feedback, limits, stop, sweeps):
        return ComponentStatus.STOPPED, 0.0, 1.0
    if not objective.is_zero_sum:
        magnitude = max(magnitude, largest_magnitude(equations, value))
    max_residual = np.inf if sweeps == SWEEPS else NEARLY_CONVERGED * (1.0 + magnitude)
    slack = rounding_error(objective, 2.0 * magnitude)
    bounds = Bounds(workspace.below, workspace.above, workspace.choice)
    residual, longest = certify(equations, value, feedback, slack, (lowest, highest), bounds, stop, max_residual)
    if longest == UNCONVERGED:
        return ComponentStatus.SLOW, 0.0, 1.0
    if longest < 0.0:
        return ComponentStatus.STOPPED if stop[0] else ComponentStatus.UNPROVED, 0.0, 1.0
    return ComponentStatus.SOLVED, residual * longest, 1.0 + magnitude


def largest_magnitude(equations: Any, value: F64) -> float:
    """Compute the largest magnitude of a value."""
    largest = 0.0
    for i in range(len(equations.actions_end)):
        largest = max(largest, abs(value[i]))
    return largest


def solve_lengths(
    equations: Equations,
    workspace: Workspace,
    feedback_count: int,
    highest: float,
    slack: float,
    sweeps: int,
    stop: Flags,
) -> tuple[int, float]:
    """Compute the expected lengths of a component under policies, and prove them; see `solve_values`.

    Args:
        equations, workspace, feedback_count, sweeps, stop: as in `solve_values`; the equations have one action each.
        highest: the largest constant, which is the initial length.
        slack: the rounding error bound of one backup of values.

    Returns:
        (the status, the error bound)
    """
    value, feedback = workspace.value, workspace.feedback[:feedback_count]
    size = len(equations.actions_end)
    for i in range(size):
        value[i] = highest
    if highest <= 0.0:  # every length is 0
        return ComponentStatus.SOLVED, 0.0
    if solve_fixed_point(equations, value, feedback, (0.0, MAX_LENGTH), stop, sweeps):
        return ComponentStatus.STOPPED, 0.0
    residual, longest = certify_lengths(equations, value, feedback, slack, workspace.below, stop)
    if longest < 0.0:
        return ComponentStatus.STOPPED if stop[0] else ComponentStatus.UNMEASURED, 0.0
    error = residual * longest
    if sweeps < SWEEPS and error > LOOSE * (1.0 + largest_magnitude(equations, value)):
        return ComponentStatus.UNMEASURED, 0.0
    return ComponentStatus.SOLVED, error
