"""Mixed equilibria of one component, for components in which no pure equilibrium was found.

The policy is smoothed: with a width w > 0, an action is taken in proportion to max(0, w - its loss against the best
action). The values then have a fixed point (Brouwer), which Newton's method finds and tracks while w is reduced. After
each step the actions with positive probability are tried as the support of an equilibrium: all that are mixed in a
state must have the same value for the mover there, which gives as many equations as there are unknown probabilities.
Newton's method solves these too, the values being those of the Markov chain with these probabilities. If no
probability is negative and no other action is better, the result is an equilibrium up to rounding, and
`deviation_bound` proves it. If this fails for all widths, it is tried again from other initial widths.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I32, I64, Flags
from komi.bellman import Component, Objective, Workspace, order_equations, solve_fixed_point
from komi.solvers.multiplayer.deviation_bound import prove
from komi.solvers.multiplayer.seat_equations import (
    FIXED,
    VectorEquations,
    VectorValues,
    action_value,
    actions_of,
    copy_shares,
    set_values,
    sweep_vectors,
    write_vector_equations,
)

WIDEST = (1e-2, 1e-3, 1e-4, 3e-2, 1e-5)  # initial widths, tried one after the other
NARROWER = 0.6  # factor by which the width is reduced in each step
NARROWEST = 1e-10  # width of the interval of nearly best actions, far above rounding: it stops the homotopy
STEPS = 20  # of Newton's method, for one width
MAX_SHARES = 64  # unknown probabilities of one system of equations
EQUAL = 1e-14  # tolerance for equal action values
BETTER = 1e-12  # an action is better only by more than this
NUDGE = 1e-6  # step of the finite differences with respect to a probability


def find_mixed_equilibrium(
    component: Component,
    first_guess: F64,
    objective: Objective,
    workspace: Workspace,
    buffers: VectorEquations,
    results: VectorValues,
    stop: Flags,
) -> bool:
    """Find and prove an equilibrium of one component in which the policy may be mixed.

    Args:
        component: its transitions.
        first_guess, objective, workspace, buffers, results, stop: see `VectorProblem`; the shares of the workspace
            are filled with the probability of each of the component's actions.

    Returns:
        whether an equilibrium was found and proved
    """
    seats = len(first_guess)
    feedback = workspace.feedback[: order_equations(component, seats, workspace, results.value.reshape(-1))]
    equations = write_vector_equations(component, objective, workspace, buffers, results)
    value, width, size = workspace.value, equations.width, component.size
    for widest in WIDEST:
        set_values(value, size, first_guess)
        width[0] = widest
        while width[0] > NARROWEST and not stop[0]:
            _follow(equations, value, feedback)
            kept, narrower = value[: size * seats].copy(), NARROWER * width[0]
            width[0] = FIXED
            if _make_equal(SupportProblem(equations, value, feedback, objective, _mixed_actions(equations), stop)):
                copy_shares(component, workspace, equations)
                return prove(component, objective, workspace, feedback, results, stop)
            value[: size * seats] = kept
            width[0] = narrower
    return False


def _follow(equations: VectorEquations, value: F64, feedback: I32) -> None:
    """Solve for the values of the feedback equations by Newton's method, for the current width.

    The Jacobian is approximated by finite differences, and steps are shortened by a line search.
    """
    width = equations.width[0]
    count = len(feedback)
    x, short, tried = np.empty((3, count))
    slopes = np.empty((count, count))
    for j in range(count):
        x[j] = value[feedback[j]]
    residual = _residuals(equations, value, feedback, x, short)
    for _ in range(STEPS):
        if residual <= 1e-4 * width:
            break
        for k in range(count):
            x[k] += 1e-3 * width
            _residuals(equations, value, feedback, x, tried)
            x[k] -= 1e-3 * width
            for j in range(count):
                slopes[j, k] = (short[j] - tried[j]) / (1e-3 * width)
        step = short.copy()
        if not solve_linear(slopes, step):
            break
        length = 2.0
        best = residual
        while length > 1e-3 and best > (1.0 - 0.25 * length) * residual:
            length *= 0.5
            best = _residuals(equations, value, feedback, x + length * step, tried)
        x += length * step
        residual = _residuals(equations, value, feedback, x, short)


def _residuals(equations: VectorEquations, value: F64, feedback: I32, x: F64, residuals: F64) -> float:
    """Compute the residuals of the feedback values x under one sweep, and return the largest."""
    for j, position in enumerate(feedback):
        value[position] = x[j]
    sweep_vectors(equations, value)
    largest = 0.0
    for j, position in enumerate(feedback):
        residuals[j] = value[position] - x[j]
        largest = max(largest, abs(residuals[j]))
    return largest


class SupportProblem(NamedTuple):
    """Equations for the probabilities of mixed actions.

    Attributes:
        equations, value, feedback: the component, whose shares are the probabilities.
        objective: the objective.
        mixed: int64[., 2], a mixed action, and the likeliest of the same state.
        stop: bool[1], set by another thread to stop early.
    """

    equations: VectorEquations
    value: F64
    feedback: I32
    objective: Objective
    mixed: I64
    stop: Flags


def _mixed_actions(equations: VectorEquations) -> I64:
    """List the actions with positive probability and a likelier one of the same state, at most MAX_SHARES + 1."""
    share = equations.share
    mixed = np.empty((MAX_SHARES + 1, 2), np.int64)
    count = 0
    for i in range(len(equations.rows.actions_end) // equations.seats):
        first, end = actions_of(equations, i)
        likeliest = first
        for action in range(first, end):
            if share[action] > share[likeliest]:
                likeliest = action
        for action in range(first, end):
            if action != likeliest and share[action] > 0.0 and count <= MAX_SHARES:
                mixed[count, 0], mixed[count, 1] = action, likeliest
                count += 1
    return mixed[:count]


def _make_equal(problem: SupportProblem) -> bool:
    """Find probabilities that equalize the values of all mixed actions. Return whether they are an equilibrium."""
    share, mixed = problem.equations.share, problem.mixed
    count = len(mixed)
    if count > MAX_SHARES:
        return False
    short, nudged = np.empty((2, count))
    slopes = np.empty((count, count))
    residual = _differences(problem, short)
    for _ in range(STEPS):
        if residual <= EQUAL:
            break
        for k in range(count):
            _shift(share, mixed[k], NUDGE)
            _differences(problem, nudged)
            _shift(share, mixed[k], -NUDGE)
            for j in range(count):
                slopes[j, k] = (short[j] - nudged[j]) / NUDGE
        step = short.copy()
        if not solve_linear(slopes, step):
            return False
        for k in range(count):
            if not abs(step[k]) < 1.0:
                return False
            _shift(share, mixed[k], step[k])
        residual = _differences(problem, short)
    return residual <= BETTER and _is_equilibrium(problem.equations, problem.value)


def _is_equilibrium(equations: VectorEquations, value: F64) -> bool:
    """Return whether all shares are probabilities, and no action is better than one with a positive share."""
    share = equations.share
    for i in range(len(equations.rows.actions_end) // equations.seats):
        best, least = -np.inf, np.inf
        for action in range(*actions_of(equations, i)):
            if share[action] < 0.0:
                return False
            total = action_value(equations, value, action)
            best = max(best, total)
            if share[action] > 0.0:
                least = min(least, total)
        if best > least + BETTER:
            return False
    return True


def _shift(share: F64, pair: I64, change: float) -> None:
    """Move `change` of the probability from the likeliest action of a state to another one."""
    share[pair[0]] += change
    share[pair[1]] -= change


def _differences(problem: SupportProblem, differences: F64) -> float:
    """Compute the value of each mixed action minus that of the likeliest one, and return the largest difference."""
    equations, value, feedback, objective, mixed, stop = problem
    solve_fixed_point(equations, value, feedback, (objective.lowest, objective.highest), stop)
    sweep_vectors(equations, value)
    largest = 0.0
    for k in range(len(mixed)):
        differences[k] = action_value(equations, value, mixed[k, 0]) - action_value(equations, value, mixed[k, 1])
        largest = max(largest, abs(differences[k]))
    return largest


def solve_linear(matrix: F64, right: F64) -> bool:
    """Solve linear equations in place by Gauss-Jordan elimination with pivoting; return False if singular.

    Args:
        matrix: float64[n, n], overwritten.
        right: float64[n], replaced by the solution.

    Example:
        >>> import numpy as np
        >>> right = np.array([2.0, 6.0])
        >>> solve_linear(np.array([[0.0, 1.0], [3.0, 0.0]]), right), right.tolist()
        (True, [2.0, 2.0])
    """
    count = len(right)
    for column in range(count):
        pivot = column
        for row in range(column + 1, count):
            if abs(matrix[row, column]) > abs(matrix[pivot, column]):
                pivot = row
        if not abs(matrix[pivot, column]) > 1e-300:
            return False
        for k in range(count):
            matrix[column, k], matrix[pivot, k] = matrix[pivot, k], matrix[column, k]
        right[column], right[pivot] = right[pivot], right[column]
        for row in range(count):
            if row != column:
                factor = matrix[row, column] / matrix[column, column]
                for k in range(column, count):
                    matrix[row, k] -= factor * matrix[column, k]
                right[row] -= factor * right[column]
    for row in range(count):
        right[row] /= matrix[row, row]
    return True
