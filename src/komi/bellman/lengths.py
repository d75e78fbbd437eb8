"""The proof of expected game lengths: an error bound for the expected lengths of a component.

Under fixed policies of both players the lengths l solve l = c + P l, where P are the transition probabilities inside
the component, and c is the length of one action plus the lengths where it leaves the component, each with an error of
at most E. Let w >= m + P w for a w >= 0 and an m > 0. Then play leaves the component after at most w / m actions in
expectation (each decreases w by m or more in expectation, and w is not negative), so that the equation has a unique
solution, and lengths with residuals of at most d in every equation have errors of at most E + d w / m.

w is computed as the expected number of actions inside the component, from a first guess, until no equation is violated
by more than some h <= 1/2: then m = 1 - h. Rounding in w is at most 4 sigma times the largest, and counts as part of h;
in lengths it is at most sigma times one more than the largest.
"""

from typing import Any

import numpy as np

from komi.bellman.certificate import (
    EXTRAPOLATION_GROWTH,
    INITIAL_BOUND,
    MAX_ACTIONS,
    MAX_EXTRAPOLATION,
    SWEEPS,
    extrapolate,
    largest_increment,
)


def certify_lengths(rows: Any, value: Any, feedback: Any, slack: float, steps: Any, stop: Any) -> tuple[float, float]:
    """Compute d and the largest w / m for these lengths.

    Lengths at feedback vertices stay unchanged, all others are made consistent with them.

    Args:
        rows: the equations of the chosen actions, one action each, in solving order.
        value: float64[rows], the lengths.
        feedback: the feedback vertex set: equations that are read before they are written.
        slack: the rounding error bound of one backup of values.
        steps: float64[rows], a buffer for w.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (d, the largest w / m), whose product bounds the error; the second is -1 if there is no such w.
    """
    count = len(feedback)
    x, before = np.empty((2, count))
    for j, position in enumerate(feedback):
        x[j] = value[position]
        steps[position] = INITIAL_BOUND
    last_growth = 0.0
    farthest = MAX_EXTRAPOLATION
    for _ in range(SWEEPS):
        for j, position in enumerate(feedback):
            before[j] = steps[position]
        residual, highest, largest = _sweep(rows, value, feedback, x, steps)
        grown = largest_increment(feedback, steps, before)
        short = grown + 4.0 * slack * largest
        if short <= 0.5:
            return residual + slack * (highest + 1.0), largest / (1.0 - short)
        if stop[0] or largest > MAX_ACTIONS:
            break
        if last_growth > 0.0:
            extrapolate(feedback, steps, before, grown / last_growth, farthest)
            farthest *= EXTRAPOLATION_GROWTH
            grown = 0.0
        last_growth = grown
    return 0.0, -1.0


def _sweep(rows: Any, value: Any, feedback: Any, x: Any, steps: Any) -> tuple[float, float, float]:
    """Back up w in every equation, and the lengths of all except the feedback vertices.

    Arrays are those of `certify_lengths`; x is float64[feedback], the lengths at the feedback vertices, and steps is w.

    Returns:
        the largest residual of a length, the largest length, and the largest w
    """
    _, constant, outcomes_end, target, weight = rows
    residual = highest = largest = 0.0
    outcome = 0
    next_feedback = 0
    for i in range(len(rows[0])):
        total, total_steps = constant[i], 1.0
        while outcome < outcomes_end[i]:
            total += weight[outcome] * value[target[outcome]]
            total_steps += weight[outcome] * steps[target[outcome]]
            outcome += 1
        steps[i] = total_steps
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(total - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = total
        highest, largest = max(highest, total), max(largest, total_steps)
    return residual, highest, largest
