"""The proof of expected game lengths: an error bound for the expected lengths of a component.

Under fixed policies of both players the lengths l solve l = c + P l, where P are the transition probabilities inside
the component, and c is the length of one action plus the lengths where it leaves the component, each with an error of
at most E. Let w >= m + P w for a w >= 0 and an m > 0. Then play leaves the component after at most w / m actions in
expectation (each decreases w by m or more in expectation, and w is not negative), so that the equation has a unique
solution, and lengths with residuals of at most d in every equation have errors of at most E + d w / m.

w is computed as the expected number of actions inside the component, by the same sweeps as the lengths. In a sweep no
residual is larger than the largest change at a feedback vertex; so m = 1 - h if the sweep increases w by h there, and
h <= 1/2 is accepted. Rounding in w is at most 4 sigma times the largest, and counts as part of h; in lengths it is at
most sigma times one more than the largest.
"""

import numpy as np

from komi.arrays import F64, I32, Flags
from komi.bellman.certificate import INITIAL_BOUND, MAX_ACTIONS, NO_PROOF, SWEEPS, is_finite
from komi.bellman.equations import Equations
from komi.bellman.fixed_point import solve_fixed_point, sweep


def certify_lengths(
    equations: Equations, value: F64, feedback: I32, slack: float, steps: F64, stop: Flags
) -> tuple[float, float]:
    """Compute d and the largest w / m for these lengths.

    Args:
        equations: those of the chosen actions, one action each.
        value: float64[equations], the lengths; swept once.
        feedback: the feedback vertex set: equations that are read before they are written.
        slack: the rounding error bound of one backup of values.
        steps: float64[equations], a buffer for w.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (d, the largest w / m), whose product bounds the error; the second is NO_PROOF if there is no such w.
    """
    size = len(equations.actions_end)
    ones = Equations(equations.actions_end, np.ones(size), equations.outcomes_end, equations.target, equations.weight)
    decrease, increase = _sweep_changes(equations, value, feedback)
    residual = max(decrease, increase) + slack * (value[:size].max() + 1.0)
    if not is_finite(residual):
        return 0.0, NO_PROOF
    for position in feedback:
        steps[position] = INITIAL_BOUND
    for attempt in range(2):
        if attempt and solve_fixed_point(ones, steps, feedback, (0.0, MAX_ACTIONS), stop, SWEEPS):
            break
        _, increase = _sweep_changes(ones, steps, feedback)
        largest = steps[:size].max()
        short = increase + 4.0 * slack * largest
        if short <= 0.5:
            return residual, largest / (1.0 - short)
    return 0.0, NO_PROOF


def _sweep_changes(equations: Equations, value: F64, feedback: I32) -> tuple[float, float]:
    """Perform a sweep; return the largest decrease and the largest increase at a feedback vertex."""
    before = np.empty(len(feedback))
    for j, position in enumerate(feedback):
        before[j] = value[position]
    sweep(equations, value)
    decrease = increase = 0.0
    for j, position in enumerate(feedback):
        decrease = max(decrease, before[j] - value[position])
        increase = max(increase, value[position] - before[j])
    return decrease, increase
