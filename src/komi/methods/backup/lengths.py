"""The proof of how long play lasts: how far off the expected lengths of a component can be.

With both players bound to their choices the lengths l solve l = c + P l, P the probabilities of going from row to row
inside the component, c what one action adds and the lengths where it leaves the component, each off by at most E. Let
w >= m + P w for a w >= 0 and an m > 0. Then play leaves the component after at most w / m actions on average (w falls
by m or more with each, on average, and is not negative), so that the equation has one solution, and lengths that are
short of it by at most d in every row are off by at most E + d w / m: so much at each action adds up to no more.

w is found as the expected number of actions inside the component, from a first guess, until no row is short of its
equation by more than some h <= 1/2: then m = 1 - h. Rounding in w is at most 4 sigma times the largest, and counts as
part of h; in lengths it is at most sigma times one more than the largest.
"""

from typing import Any

import numpy as np

from komi.methods.backup.certificate import FARTHER, FARTHEST, MOST_ACTIONS, START, SWEEPS, growth, leap


def certify_lengths(rows: Any, value: Any, feedback: Any, slack: float, steps: Any, stop: Any) -> tuple[float, float]:
    """Find d and the largest w / m for these lengths.

    Lengths of feedback rows stay as they are, all others are made consistent with them.

    Args:
        rows: the chosen actions and their outcomes, one action a row, in solving order.
        value: float64[rows], the lengths.
        feedback: the rows that are read before they are written.
        slack: what rounding can change in one backup of values.
        steps: float64[rows], room for w.
        stop: bool[1], set from outside to end early.

    Returns:
        (d, the largest w / m), whose product bounds the error; the second is -1 where there is no such w.
    """
    count = len(feedback)
    x, before = np.empty((2, count))
    for j, position in enumerate(feedback):
        x[j] = value[position]
        steps[position] = START
    last_growth = 0.0
    farthest = FARTHEST
    for _ in range(SWEEPS):
        for j, position in enumerate(feedback):
            before[j] = steps[position]
        residual, highest, largest = _sweep(rows, value, feedback, x, steps)
        grown = growth(feedback, steps, before)
        short = grown + 4.0 * slack * largest
        if short <= 0.5:
            return residual + slack * (highest + 1.0), largest / (1.0 - short)
        if stop[0] or largest > MOST_ACTIONS:
            break
        if last_growth > 0.0:
            leap(feedback, steps, before, grown / last_growth, farthest)
            farthest *= FARTHER
            grown = 0.0
        last_growth = grown
    return 0.0, -1.0


def _sweep(rows: Any, value: Any, feedback: Any, x: Any, steps: Any) -> tuple[float, float, float]:
    """Back up w in every row, and the lengths of all but the feedback rows.

    Arrays are as `certify_lengths` takes them; x is float64[feedback], the lengths of the feedback rows, and steps
    float64[rows] is w.

    Returns:
        what a length is short of its equation at most, the largest length, and the largest w
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
