"""Fixed points of Bellman backups over one component, by accelerated Gauss-Seidel sweeps.

Rows are in an order in which only few of them, the feedback rows, are read before they are written in a
sweep. Given values x of these one sweep gives all others, and new values G(x) of the feedback rows. With one feedback
row `newton` is quicker.
"""

from typing import Any

import numpy as np

MEMORY = 5  # how many earlier sweeps Anderson acceleration mixes
SWEEPS = 100_000  # at most, for one component
SETTLED = 2.0**-51  # a relative change between sweeps that is mere rounding
NEARLY_SETTLED = 2.0**-45  # a relative change that may be rounding, if it grows again
PATIENCE = 16  # sweeps in which acceleration must halve the change; then plain sweeps: so many, then twice as many, ...


def settle(
    rows: Any, value: Any, feedback: Any, lowest: float, highest: float, stop: Any, sweeps: int = SWEEPS
) -> bool:
    """Solve G(x) = x for the values x of the feedback rows, from `lowest` to `highest`; true if stopped from outside.

    G is one sweep. Anderson acceleration (D. G. Anderson, J. ACM 12(4), 1965; H. F. Walker and P. Ni, SIAM J.
    Numer. Anal. 49(4), 2011): the next x is the mixture of the last few that would solve the equation if G were linear,
    as it is while the best actions stay the same. With one feedback state this is the secant method.

    Mixtures can circle for ever between guesses that have other best actions. Plain sweeps, of which no one changes
    the values by more than the one before, come as near to the fixed point as one likes, where there is but one: they
    take turns with mixtures that bring no progress. After so many `sweeps` the last values stay.

    Args:
        rows: what `sweep` takes. Where no other stands in its place: actions_end int64[rows], constant
            float64[actions], outcomes_end int64[actions], target int32[outcomes], weight float64[outcomes], in solving
            order: each row leads to rows before it and to feedback rows.
        value: float64[rows], filled in; where the search begins.
        feedback: int32[.], the feedback rows in rising order.
        lowest, highest: no value is out of this range.
        stop: bool[1], set from outside to end early.
        sweeps: the most sweeps.
    """
    count = len(feedback)
    memory = min(count, MEMORY)
    x, g, step, last_x, last_step = np.empty((5, count))
    x_changes, step_changes = np.empty((2, memory, count))
    matrix = np.empty((memory, memory + 1))
    known = 0
    best = np.inf
    halved, halved_in = np.inf, 0  # the last change that was half of one before, and its round
    plain, plain_until = PATIENCE, 0
    for j, position in enumerate(feedback):
        x[j] = value[position]
    for round_ in range(sweeps):
        sweep(rows, value)
        change = 0.0
        scale = 1.0
        for j, position in enumerate(feedback):
            g[j] = value[position]
            step[j] = g[j] - x[j]
            change = max(change, abs(step[j]))
            scale = max(scale, abs(g[j]))
        if stop[0]:
            return True
        if change <= SETTLED * scale or (change >= best and change < NEARLY_SETTLED * scale):
            break
        if change <= 0.5 * halved:
            halved, halved_in = change, round_
        elif round_ - halved_in >= PATIENCE and round_ >= plain_until:
            plain_until = halved_in = round_ + plain
            plain *= 2
        if round_ <= plain_until or change > 2.0 * best:  # the mixture was a bad guess: start a new memory
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


def _keep_within(x: Any, g: Any, lowest: float, highest: float) -> None:
    """Go from g towards x only as far as all stay within the limits.

    What is true of all mixtures then stays true, such as that the chances of all seats sum to 1. To cut each one off
    at its limit would break that, and there are fixed points beyond: all seats could stall, each with a chance of 1.
    """
    share = 1.0
    for j in range(len(x)):
        if x[j] > max(highest, g[j]):  # g itself may be beyond, by rounding
            share = min(share, (highest - g[j]) / (x[j] - g[j]))
        elif x[j] < min(lowest, g[j]):
            share = min(share, (g[j] - lowest) / (g[j] - x[j]))
    if share < 1.0:
        for j in range(len(x)):
            x[j] = g[j] + max(share, 0.0) * (x[j] - g[j])


def _mixture(step: Any, changes: Any, matrix: Any) -> bool:
    """The least-squares solution of changes' * weights = step, left in the matrix's last column."""
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


def eliminate(matrix: Any, count: int, last: int) -> bool:
    """Solve symmetric linear equations in place by elimination, their right side in column `last`.

    False if they do not determine the solution well.
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


def sweep(rows: Any, value: Any) -> None:
    """One Gauss-Seidel sweep of Bellman backups."""
    actions_end, constant, outcomes_end, target, weight = rows
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
