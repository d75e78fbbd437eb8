"""Mixed equilibria of one component, for components in which no pure equilibrium was found.

The policy is smoothed: with a width w > 0, an action is taken in proportion to max(0, w - its loss against the best
action). The values then have a fixed point (Brouwer), which Newton's method finds and tracks while w is reduced. After
each step the actions with positive probability are tried as the support of an equilibrium: all that are mixed in a
state must have the same value for the mover there, which gives as many equations as there are unknown probabilities.
Newton's method solves these too, the values being those of the Markov chain with these probabilities. If no
probability is negative and no other action is better, the result is an equilibrium up to rounding, and
`deviation_bound` proves it. If this fails for all widths, it is tried again from other initial widths.
"""

from typing import Any

import numpy as np

from komi.bellman.equations import role_after
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import solve_fixed_point
from komi.graph.transitions import begin
from komi.solvers.multiplayer.deviation_bound import prove
from komi.solvers.multiplayer.seat_equations import lay_out_vectors

WIDEST = (1e-2, 1e-3, 1e-4, 3e-2, 1e-5)  # initial widths, tried one after the other
NARROWER = 0.6  # factor by which the width is reduced in each step
NARROWEST = 1e-10
STEPS = 20  # of Newton's method, for one width
MAX_SHARES = 64  # unknown probabilities of one system of equations
EQUAL = 1e-14  # tolerance for equal action values
BETTER = 1e-12  # an action is better only by more than this
NUDGE = 1e-6  # step of the finite differences with respect to a probability


def mix_component(
    batch: Any,
    first: int,
    size: int,
    seats: int,
    first_guess: Any,
    objective: Any,
    scratch: Any,
    rows: Any,
    results: Any,
    shares: Any,
    stop: Any,
) -> bool:
    """Find and prove an equilibrium of one component in which the policy may be mixed.

    Args:
        batch, first, size, seats: see `lay_out_vectors`.
        first_guess, objective, scratch, rows, findings, stop: see `solve_vectors`.
        shares: float64[actions of the batch], filled with the probability of each of the component's actions.

    Returns:
        whether an equilibrium was found and proved
    """
    feedback = scratch.feedback[: seats * order_equations(batch, first, size, scratch, results.bound)]
    lay_out_vectors(batch, first, size, seats, scratch, rows, feedback, results.value)
    width = np.zeros(1)
    count = scratch.actions_end[size - 1]
    given = (
        scratch.actions_end[:size],
        rows,
        scratch.outcomes_end,
        scratch.target,
        scratch.weight,
        np.empty(count),
        width,
    )
    value = scratch.value
    for widest in WIDEST:
        for i in range(size * seats):
            value[i] = first_guess[i % seats]
        width[0] = widest
        while width[0] > NARROWEST and not stop[0]:
            _follow(given, value, feedback)
            kept, narrower = value[: size * seats].copy(), NARROWER * width[0]
            width[0] = 0.0
            if _make_equal(given, value, feedback, objective, stop):
                _note_shares(batch, first, size, scratch, rows, shares)
                return prove(batch, first, size, seats, objective, scratch, rows, feedback, results, stop)
            value[: size * seats] = kept
            width[0] = narrower
    return False


def _note_shares(batch: Any, first: int, size: int, scratch: Any, rows: Any, shares: Any) -> None:
    """Write the probabilities of a component's actions to their indices in the batch."""
    place = 0
    for i in range(size):
        action = begin(batch.actions_end, first + scratch.order[i])
        for k in range(scratch.actions_end[i] - place):
            shares[action + k] = rows.share[place + k]
        place = scratch.actions_end[i]


def sweep_shares(given: Any, value: Any) -> None:
    """Run one Gauss-Seidel sweep of vector backups with mixed actions; replaces `fixed_point.sweep`.

    Args:
        given: (int64[states] ends of actions, `VectorRows`, int64[actions] ends of outcomes, int32[outcomes] targets,
            float64[outcomes] probabilities, float64[actions] buffer for the action values of the mover, float64[1] the
            width of the smoothed policy; 0 where the probabilities of actions are kept fixed).
        value: float64[states * seats], read and written.
    """
    actions_end, rows, _, _, _, worth, width = given
    share = rows.share
    seats = rows.constant.shape[1]
    for i in range(len(actions_end)):
        first, end = begin(actions_end, i), actions_end[i]
        best = -np.inf
        for action in range(first, end):
            worth[action] = _worth(given, value, action, 0)
            best = max(best, worth[action])
        if width[0] > 0.0:
            total = 0.0
            for action in range(first, end):
                share[action] = max(0.0, width[0] - (best - worth[action]))
                total += share[action]
            for action in range(first, end):
                share[action] /= total
        for role in range(seats):
            total = 0.0
            for action in range(first, end):
                if share[action] != 0.0:
                    total += share[action] * _worth(given, value, action, role)
            value[i * seats + role] = total


def _worth(given: Any, value: Any, action: int, role: int) -> Any:
    """Compute the value of an action for a seat, with the turn `role` seats after it."""
    _, rows, outcomes_end, target, weight, _, _ = given
    constant, passes = rows.constant, rows.passes
    seats = constant.shape[1]
    total = constant[action, role]
    for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
        total += weight[outcome] * value[target[outcome] * seats + role_after(role, passes[outcome], seats)]
    return total


def _follow(given: Any, value: Any, feedback: Any) -> None:
    """Solve for the values of the feedback equations by Newton's method, for the current width.

    The Jacobian is approximated by finite differences, and steps are shortened by a line search.
    """
    width = given[-1][0]
    count = len(feedback)
    x, short, tried = np.empty((3, count))
    slopes = np.empty((count, count))
    for j in range(count):
        x[j] = value[feedback[j]]
    left = _shortfall(given, value, feedback, x, short)
    for _ in range(STEPS):
        if left <= 1e-4 * width:
            break
        for k in range(count):
            x[k] += 1e-3 * width
            _shortfall(given, value, feedback, x, tried)
            x[k] -= 1e-3 * width
            for j in range(count):
                slopes[j, k] = (short[j] - tried[j]) / (1e-3 * width)
        step = short.copy()
        if not solve_linear(slopes, step):
            break
        length = 2.0
        best = left
        while length > 1e-3 and best > (1.0 - 0.25 * length) * left:
            length *= 0.5
            best = _shortfall(given, value, feedback, x + length * step, tried)
        x += length * step
        left = _shortfall(given, value, feedback, x, short)


def _shortfall(given: Any, value: Any, feedback: Any, x: Any, short: Any) -> float:
    """Compute the residuals of the feedback values x under one sweep, and return the largest."""
    for j, position in enumerate(feedback):
        value[position] = x[j]
    sweep_shares(given, value)
    most = 0.0
    for j, position in enumerate(feedback):
        short[j] = value[position] - x[j]
        most = max(most, abs(short[j]))
    return most


def _make_equal(given: Any, value: Any, feedback: Any, objective: Any, stop: Any) -> bool:
    """Find probabilities that equalize the values of all mixed actions. Return whether they are an equilibrium."""
    actions_end, rows = given[0], given[1]
    share, worth = rows.share, given[5]
    mixed = np.empty((MAX_SHARES, 2), np.int64)  # a mixed action, and the likeliest of the same state
    count = 0
    for i in range(len(actions_end)):
        likeliest = begin(actions_end, i)
        for action in range(begin(actions_end, i), actions_end[i]):
            if share[action] > share[likeliest]:
                likeliest = action
        for action in range(begin(actions_end, i), actions_end[i]):
            if action != likeliest and share[action] > 0.0:
                if count == MAX_SHARES:
                    return False
                mixed[count, 0], mixed[count, 1] = action, likeliest
                count += 1
    mixed = mixed[:count]
    short, nudged = np.empty((2, count))
    slopes = np.empty((count, count))
    left = _differences(given, value, feedback, mixed, objective, short, stop)
    for _ in range(STEPS):
        if left <= EQUAL:
            break
        for k in range(count):
            _shift(share, mixed[k], NUDGE)
            _differences(given, value, feedback, mixed, objective, nudged, stop)
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
        left = _differences(given, value, feedback, mixed, objective, short, stop)
    if left > BETTER:
        return False
    for i in range(len(actions_end)):
        best = least = worth[begin(actions_end, i)]
        least = np.inf
        for action in range(begin(actions_end, i), actions_end[i]):
            if share[action] < 0.0:
                return False
            best = max(best, worth[action])
            if share[action] > 0.0:
                least = min(least, worth[action])
        if best > least + BETTER:
            return False
    return True


def _shift(share: Any, pair: Any, change: float) -> None:
    """Move `change` of the probability from the likeliest action of a state to another one."""
    share[pair[0]] += change
    share[pair[1]] -= change


def _differences(
    given: Any, value: Any, feedback: Any, mixed: Any, objective: Any, differences: Any, stop: Any
) -> float:
    """Compute the value of each mixed action minus that of the likeliest one, and return the largest difference."""
    worth = given[5]
    solve_fixed_point(given, value, feedback, objective.lowest, objective.highest, stop)
    sweep_shares(given, value)
    most = 0.0
    for k in range(len(mixed)):
        differences[k] = worth[mixed[k, 0]] - worth[mixed[k, 1]]
        most = max(most, abs(differences[k]))
    return most


def solve_linear(matrix: Any, right: Any) -> bool:
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
