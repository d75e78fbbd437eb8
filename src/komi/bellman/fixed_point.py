"""Fixed points of Bellman backups over one component, by accelerated Gauss-Seidel sweeps.

In the solving order only few equations, the feedback vertex set, are read before they are written in a sweep. Given
values x of these one sweep determines all others, and new values G(x) of the feedback vertices.
"""

from typing import Any

import numpy as np

from komi.arrays import F64, I32, Flags
from komi.tuning import MIXED_SWEEPS, PATIENT_SWEEPS

SWEEPS = 100_000  # the most for one component: one that has not converged then is refused, or solved exactly
CONVERGED = 2.0**-51  # a relative change between sweeps that is only rounding
NEARLY_CONVERGED = 2.0**-45  # a relative change that counts as rounding if it grows again


def solve_fixed_point(
    equations: Any, value: F64, feedback: I32, limits: tuple[float, float], stop: Flags, sweeps: int = SWEEPS
) -> bool:
    """Solve G(x) = x for the values x of the feedback vertices, within limits; return True if stopped early.

    G is one sweep. Anderson acceleration (D. G. Anderson, J. ACM 12(4), 1965; H. F. Walker and P. Ni, SIAM J.
    Numer. Anal. 49(4), 2011): the next x is the mixture of the last few that would solve the equation if G were linear,
    as it is while the best actions stay the same. With one feedback vertex this is the secant method.

    Mixtures can cycle for ever between guesses with different best actions. Plain sweeps, which never change the values
    by more than the sweep before, converge to the fixed point if it is unique: they alternate with mixtures that make
    no progress. After `sweeps` sweeps the last values stay.

    Args:
        equations: `Equations`, or what a replacement of `sweep` takes.
        value: float64[equations], the initial guess; filled in, except without feedback vertices.
        feedback: int32[.], the feedback vertices in ascending order.
        limits: the range of the values.
        stop: bool[1], set by another thread to stop early.
        sweeps: the most sweeps.
    """
    if len(feedback) == 0:
        return False
    lowest, highest = limits
    count = len(feedback)
    memory = min(count, MIXED_SWEEPS)
    x, g, step, last_x, last_step = np.empty((5, count))
    x_changes, step_changes = np.empty((2, memory, count))
    matrix = np.empty((memory, memory + 1))
    known = 0
    best = np.inf
    halved, halved_in = np.inf, 0  # the last change that halved an earlier one, and its round
    plain, plain_until = PATIENT_SWEEPS, 0
    for j, position in enumerate(feedback):
        x[j] = value[position]
    for round_ in range(sweeps):
        sweep(equations, value)
        change = 0.0
        scale = 1.0
        for j, position in enumerate(feedback):
            g[j] = value[position]
            step[j] = g[j] - x[j]
            change = max(change, abs(step[j]))
            scale = max(scale, abs(g[j]))
        if stop[0]:
            return True
        if change <= CONVERGED * scale or (change >= best and change < NEARLY_CONVERGED * scale):
            break
        if change <= 0.5 * halved:
            halved, halved_in = change, round_
        elif round_ - halved_in >= PATIENT_SWEEPS and round_ >= plain_until:
            plain_until = halved_in = round_ + plain
            plain *= 2
        if round_ <= plain_until or change > 2.0 * best:  # the mixture was a bad guess: clear the history
            known = 0
        elif round_:
            slot = known % memory
            for j in range(count):
                x_changes[slot, j] = x[j] - last_x[j]
                step_changes[slot, j] = step[j] - last_step[j]
            known += 1
        best = min(best, change)
        for j in range(count):
            last_x[j], last_step[j] = x[j], step[j]
            x[j] = g[j]
        used = min(known, memory)
        if used and _mixture(step, step_changes[:used], matrix):
            for i in range(used):
                for j in range(count):
                    x[j] -= matrix[i, memory] * (x_changes[i, j] + step_changes[i, j])
            _keep_within(x, g, lowest, highest)
        for j, position in enumerate(feedback):
            x[j] = min(max(x[j], lowest), highest)
            value[position] = x[j]
    for j, position in enumerate(feedback):
        value[position] = x[j]
    return False


def _keep_within(x: F64, g: F64, lowest: float, highest: float) -> None:
    """Move from g towards x only as far as all values stay within the limits.

    Linear invariants of all mixtures then stay true, such as that the winning probabilities of all players sum to 1.
    Clipping each value at its limit would break them, and there are other fixed points beyond: all players could stay
    in an end component, each with a probability of 1.
    """
    share = 1.0
    for j in range(len(x)):
        if x[j] > max(highest, g[j]):  # g itself can exceed the limit by rounding
            share = min(share, (highest - g[j]) / (x[j] - g[j]))
        elif x[j] < min(lowest, g[j]):
            share = min(share, (g[j] - lowest) / (g[j] - x[j]))
    if share < 1.0:
        for j in range(len(x)):
            x[j] = g[j] + max(share, 0.0) * (x[j] - g[j])


def _mixture(step: F64, changes: F64, matrix: F64) -> bool:
    """Compute the least-squares solution of changes' * weights = step, into the last column of the matrix.

    Return whether the solution is well determined.
    """
    count = len(changes)
    last = matrix.shape[1] - 1
    for i in range(count):
        matrix[i, last] = 0.0
        for j in range(len(step)):
            matrix[i, last] += changes[i, j] * step[j]
        for k in range(count):
            matrix[i, k] = 0.0
            for j in range(len(step)):
                matrix[i, k] += changes[i, j] * changes[k, j]
    return eliminate(matrix, count, last)


def eliminate(matrix: F64, count: int, last: int) -> bool:
    """Solve symmetric linear equations in place by elimination, with the right-hand side in column `last`.

    Return whether they determine the solution well.
    """
    for column in range(count):
        pivot = matrix[column, column]
        if not pivot > 1e-300:
            return False
        for row in range(count):
            if row != column:
                factor = matrix[row, column] / pivot
                for k in range(column, count):
                    matrix[row, k] -= factor * matrix[column, k]
                matrix[row, last] -= factor * matrix[column, last]
    for row in range(count):
        matrix[row, last] /= matrix[row, row]
    return True


def sweep(equations: Any, value: F64) -> None:
    """Perform one Gauss-Seidel sweep of Bellman backups."""
    actions_end, constant, outcomes_end, target, weight = equations
    action = 0
    outcome = 0
    best = 0.0
    for i in range(len(actions_end)):
        before = best
        best = -np.inf
        while action < actions_end[i]:
            total = constant[action]
            while outcome < outcomes_end[action]:
                after = target[outcome]
                if after == i - 1:
                    total += weight[outcome] * before
                else:
                    total += weight[outcome] * value[after]
                outcome += 1
            best = max(best, total)
            action += 1
        value[i] = best
