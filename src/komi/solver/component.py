"""One strongly connected component: its optimal values, and a proof of how far off they can be.

Values are the mover's. With v the values found, T the Bellman operator of the component (exits hold
their own values, each off by at most E) and |Tv - v| <= d everywhere, rounding included, let g pick a
best action for v in every state, and let w solve

    w(s) >= 1 + (g's action, or the worst action of a free opponent: sum of p(s') w(s')),   w(exit) = 0

for "the mover plays g" (mine) and for "the opponent plays g" (theirs). Such a finite w is a
supermartingale certificate: against g play leaves the component with probability 1, after at most w(s)
actions on average, whatever the other does. Then v - E - d w(mine) increases along g on average, so g
guarantees the mover at least that much; likewise g guarantees the opponent 1 - v - E - d w(theirs).
Both hold whether an endless game counts as a win or as a loss, so the true value, which then does not
depend on it, is within E + d max(w) of v. Where no such w exists the value may depend on what an
endless game counts, and the component is refused.

(Optimistic value iteration, Hartmanns & Kaminski, CAV 2020, checks an upper bound inductively too; the
certificate of termination here takes the place of the treatment of end components by Kelmendi et al.,
CAV 2018.)

To find v: the states are ordered by a depth-first search so that few of them, the feedback states, are
read before they are written in a sweep. Given values x of the feedback states one sweep gives all
others, and new values G(x) of the feedback states themselves; G(x) = x is solved by accelerated iteration.
"""

from typing import Any, NamedTuple

import numba
import numpy as np

SOLVED, UNPROVED, STOPPED = range(3)

MEMORY = 5  # how many earlier sweeps Anderson acceleration mixes
SWEEPS = 100_000  # at most, for the values of one component
CERTIFICATE_SWEEPS = 10_000  # at most, for w
CERTIFICATE_START = 64.0  # first guess of w in the feedback states: right at once where it is high enough
MOST_ACTIONS = 1e9  # a larger w proves nothing of use
SETTLED = 2.0**-51  # a change between sweeps that is mere rounding
NEARLY_SETTLED = 2.0**-45  # a change that may be rounding, if it grows again
ROUNDING = 2.0**-52


class Scratch(NamedTuple):
    """Room for the largest component, in the order in which its states are solved."""

    place: Any  # int32[all states] 1 + row of the state in the batch while its component is solved
    order: Any  # int32[states] rows in solving order
    position: Any  # int32[states] the inverse: position of the row
    path: Any  # int32[states]
    next: Any  # int64[states]
    feedback: Any  # int32[states] positions of the feedback states
    actions_end: Any  # int64[states]
    constant: Any  # float64[actions] with what exits are worth
    outcomes_end: Any  # int64[actions]
    target: Any  # int32[outcomes] positions; outcomes within the component only
    weight: Any  # float64[outcomes]
    value: Any  # float64[states]
    mine: Any  # float64[states] w where the mover plays g
    theirs: Any  # float64[states] w where the opponent plays g

    @classmethod
    def empty(cls, place: Any, states: int, actions: int, outcomes: int) -> "Scratch":
        return cls(
            place,
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(actions, np.float64),
            np.empty(actions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
            np.empty(states, np.float64),
            np.empty(states, np.float64),
            np.empty(states, np.float64),
        )


def solve_batch(batch: Any, ends: Any, slack: float, scratch: Any, values: Any, bounds: Any, stop: Any) -> Any:
    """Solve components in the order given, which must have all that they lead to before them.

    Args:
        batch: the `Transitions` of the components, one after the other.
        ends: int64[components] one past the last state of each.
        slack: what rounding can change in one backup.
        scratch: a `Scratch` with room for the largest.
        values: float64[all states], of states solved before; filled in.
        bounds: float32[all states], how far off each value can be; filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        (SOLVED, -1), or (UNPROVED or STOPPED, a state of the component that was not solved)
    """
    for component in range(len(ends)):
        first, end = begin(ends, component), ends[component]
        if end - first == 1 and _solve_single(batch, first, slack, values, bounds):
            continue
        how = _solve_cyclic(batch, first, end, slack, scratch, values, bounds, stop)
        if how != SOLVED:
            return how, batch.state[first]
    return SOLVED, -1


def begin(ends: Any, row: int) -> int:
    """Where the range of a row begins: where that of the row before it ends."""
    return ends[row - 1] if row else 0  # type: ignore[no-any-return]


def _solve_single(batch: Any, row: int, slack: float, values: Any, bounds: Any) -> bool:
    """Back up one state from those after it; false if it can lead to itself at once."""
    states, actions_end, constant, _, outcomes_end, targets, weight = batch
    state = states[row]
    first = begin(actions_end, row)
    outcome = begin(outcomes_end, first)
    best = -np.inf
    worst_bound = numba.float32(0.0)
    for action in range(first, actions_end[row]):
        value = constant[action]
        while outcome < outcomes_end[action]:
            target = targets[outcome]
            if target == state:
                return False
            value += weight[outcome] * values[target]
            worst_bound = max(worst_bound, bounds[target])
            outcome += 1
        best = max(best, value)
    values[state] = best
    bounds[state] = _above(worst_bound + slack)
    return True


def _above(bound: float) -> float:
    """The bound, with room for its own rounding and for being kept in single precision."""
    return bound * (1.0 + 2.0**-22)


def _solve_cyclic(
    batch: Any, first: int, end: int, slack: float, scratch: Any, values: Any, bounds: Any, stop: Any
) -> int:
    size = end - first
    place, states = scratch.place, batch.state
    for row in range(first, end):
        place[states[row]] = row - first + 1
    root = _most_entered(batch, first, end, scratch.place, scratch.position)
    feedback = _order(batch, first, size, root, scratch)
    exits_bound = _lay_out(batch, first, size, scratch, values, bounds)
    for row in range(first, end):
        place[states[row]] = 0
    rows = (scratch.actions_end, scratch.constant, scratch.outcomes_end, scratch.target, scratch.weight)
    value = scratch.value
    for i in range(size):
        value[i] = 0.5
    if _settle(size, rows, value, scratch.feedback[:feedback], stop):
        return STOPPED
    factor = _certify(size, rows, value, scratch.feedback[:feedback], slack, scratch.mine, scratch.theirs, stop)
    if factor < 0.0:
        return STOPPED if stop[0] else UNPROVED
    bound = _above(exits_bound + factor)
    order = scratch.order
    for i in range(size):
        state = states[first + order[i]]
        values[state] = value[i]
        bounds[state] = bound
    return SOLVED


def _most_entered(batch: Any, first: int, end: int, place: Any, entries: Any) -> int:
    """The row that most outcomes lead to: where cycles close, more often than not."""
    size = end - first
    for i in range(size):
        entries[i] = 0
    targets = batch.target
    first_outcome = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for outcome in range(first_outcome, batch.outcomes_end[batch.actions_end[end - 1] - 1]):
        row = place[targets[outcome]]
        if row:
            entries[row - 1] += 1
    most = 0
    for i in range(size):
        if entries[i] > entries[most]:
            most = i
    return most


def _order(batch: Any, first: int, count: int, root: int, scratch: Any) -> int:
    """Order the rows so that a state comes after what it leads to, but for the feedback states.

    Fills `order` and `position`, and `feedback` with positions in ascending order; returns how many
    feedback states there are.
    """
    _, actions_end, _, _, outcomes_end, targets, _ = batch
    place, order, position = scratch.place, scratch.order, scratch.position
    path, follow, feedback_states = scratch.path, scratch.next, scratch.feedback
    size = 0
    for i in range(count):
        position[i] = -1  # not seen; -2 on the path; -3 on the path and a feedback state
    depth = 1
    path[0] = root
    position[root] = -2
    follow[0] = begin(outcomes_end, begin(actions_end, first + root))
    feedback = 0
    while depth:
        row = path[depth - 1]
        end = outcomes_end[actions_end[first + row] - 1]
        outcome = follow[depth - 1]
        entered = -1
        while outcome < end:
            target = place[targets[outcome]] - 1
            outcome += 1
            if target < 0:
                continue
            if position[target] == -1:
                entered = target
                break
            if position[target] == -2:
                position[target] = -3
        follow[depth - 1] = outcome
        if entered >= 0:
            path[depth] = entered
            position[entered] = -2
            follow[depth] = begin(outcomes_end, begin(actions_end, first + entered))
            depth += 1
            continue
        if position[row] == -3:
            feedback_states[feedback] = size
            feedback += 1
        order[size] = row
        position[row] = size
        size += 1
        depth -= 1
    return feedback


def _lay_out(batch: Any, first: int, size: int, scratch: Any, values: Any, bounds: Any) -> float:
    """Copy the component's rows in solving order, exits folded into constants.

    Sweeps then read memory straight through. Returns the largest bound among the exits.
    """
    _, actions_end, constants, _, outcomes_end, targets, weights = batch
    place, order, position = scratch.place, scratch.order, scratch.position
    into_actions_end, into_constant, into_outcomes_end = scratch.actions_end, scratch.constant, scratch.outcomes_end
    into_target, into_weight = scratch.target, scratch.weight
    exits_bound = numba.float32(0.0)
    action_height = 0
    outcome_height = 0
    for i in range(size):
        row = first + order[i]
        first_action = begin(actions_end, row)
        outcome = begin(outcomes_end, first_action)
        for action in range(first_action, actions_end[row]):
            constant = constants[action]
            while outcome < outcomes_end[action]:
                target, weight = targets[outcome], weights[outcome]
                inside = place[target]
                if inside:
                    into_target[outcome_height] = position[inside - 1]
                    into_weight[outcome_height] = weight
                    outcome_height += 1
                else:
                    constant += weight * values[target]
                    exits_bound = max(exits_bound, bounds[target])
                outcome += 1
            into_constant[action_height] = constant
            into_outcomes_end[action_height] = outcome_height
            action_height += 1
        into_actions_end[i] = action_height
    return exits_bound


def _settle(size: int, rows: Any, value: Any, feedback: Any, stop: Any) -> bool:
    """Solve G(x) = x for the values x of the feedback states; true if stopped from outside.

    Anderson acceleration (D. G. Anderson, J. ACM 12(4), 1965; H. F. Walker and P. Ni, SIAM J. Numer. Anal.
    49(4), 2011): the next x is the mixture of the last few that would solve the equation if G were linear,
    as it is while the best actions stay the same. With one feedback state this is the secant method.
    """
    count = len(feedback)
    memory = min(count, MEMORY)
    x, g, step, last_x, last_step = np.empty((5, count))
    x_changes, step_changes = np.empty((2, memory, count))
    matrix = np.empty((memory, memory + 1))
    known = 0
    best = np.inf
    for j, position in enumerate(feedback):
        x[j] = value[position]
    for sweep in range(SWEEPS):
        _sweep(size, rows, value)
        change = 0.0
        for j, position in enumerate(feedback):
            g[j] = value[position]
            step[j] = g[j] - x[j]
            change = max(change, abs(step[j]))
        if stop[0]:
            return True
        if change <= SETTLED or (change >= best and change < NEARLY_SETTLED):
            break
        if change > 2.0 * best:  # the mixture was a bad guess: start a new memory
            known = 0
        elif sweep:
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
        for j, position in enumerate(feedback):
            x[j] = min(max(x[j], 0.0), 1.0)
            value[position] = x[j]
    for j, position in enumerate(feedback):
        value[position] = x[j]
    return False


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
    return _eliminate(matrix, count, last)


def _eliminate(matrix: Any, count: int, last: int) -> bool:
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


def _sweep(size: int, rows: Any, value: Any) -> None:
    """One Gauss-Seidel sweep of Bellman backups."""
    actions_end, constant, outcomes_end, target, weight = rows
    action = 0
    outcome = 0
    for i in range(size):
        best = -np.inf
        while action < actions_end[i]:
            total = constant[action]
            while outcome < outcomes_end[action]:
                total += weight[outcome] * value[target[outcome]]
                outcome += 1
            best = max(best, total)
            action += 1
        value[i] = best


def _certify(
    size: int, rows: Any, value: Any, feedback: Any, slack: float, mine: Any, theirs: Any, stop: Any
) -> float:
    """d max(w) of the module's proof for these values; -1 where no certificate is found.

    Values of feedback states stay as they are, all others are made consistent with them.
    """
    x = np.empty(len(feedback))
    before = np.empty((2, 2, len(feedback)))  # w (mine, theirs) one sweep ago, and two
    for j, position in enumerate(feedback):
        x[j] = value[position]
        mine[position] = theirs[position] = CERTIFICATE_START
    last_growth = 0.0
    for sweep in range(CERTIFICATE_SWEEPS):
        for j, position in enumerate(feedback):
            before[1, 0, j], before[1, 1, j] = before[0, 0, j], before[0, 1, j]
            before[0, 0, j], before[0, 1, j] = mine[position], theirs[position]
        residual, largest = _sweep_certificate(size, rows, value, feedback, x, slack, mine, theirs)
        growth = _growth(feedback, mine, theirs, before[0])
        if growth <= 0.5:
            # w is short of its inequality by at most `growth`, so w / (1 - growth) keeps it
            return (residual + 3.0 * slack) * largest / (1.0 - growth)  # type: ignore[no-any-return]
        if stop[0] or largest > MOST_ACTIONS:
            break
        if sweep % 2:
            growth = _growth(feedback, mine, theirs, before[1])
            if sweep % 4 == 3 and last_growth > 0.0:
                # Growth shrinks by about this factor in two sweeps (mine and theirs take turns): go at once to
                # where it ends, or a little beyond.
                factor = min(growth / last_growth, 0.999)
                reach = 1.05 * factor / (1.0 - factor)
                for j, position in enumerate(feedback):
                    mine[position] += reach * max(mine[position] - before[1, 0, j], 0.0)
                    theirs[position] += reach * max(theirs[position] - before[1, 1, j], 0.0)
            last_growth = growth
    return -1.0


def _growth(feedback: Any, mine: Any, theirs: Any, before: Any) -> float:
    growth = 0.0
    for j, position in enumerate(feedback):
        growth = max(growth, mine[position] - before[0, j], theirs[position] - before[1, j])
    return growth


def _sweep_certificate(
    size: int, rows: Any, value: Any, feedback: Any, x: Any, slack: float, mine: Any, theirs: Any
) -> Any:
    actions_end, constant, outcomes_end, target, weight = rows
    residual = 0.0
    largest = 0.0
    action = 0
    outcome = 0
    next_feedback = 0
    for i in range(size):
        best = -np.inf
        best_mine = 0.0
        longest = 0.0
        while action < actions_end[i]:
            total = constant[action]
            total_mine = total_theirs = 1.0 + 2.0**-20  # more than all rounding in w
            while outcome < outcomes_end[action]:
                chance, after = weight[outcome], target[outcome]
                total += chance * value[after]
                if chance < 0.0:
                    total_mine -= chance * theirs[after]
                    total_theirs -= chance * mine[after]
                else:
                    total_mine += chance * mine[after]
                    total_theirs += chance * theirs[after]
                outcome += 1
            longest = max(longest, total_theirs)
            if total > best + slack or (total >= best - slack and total_mine < best_mine):
                best_mine = total_mine
            best = max(best, total)
            action += 1
        mine[i], theirs[i] = best_mine, longest
        largest = max(largest, best_mine, longest)
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
    return residual, largest
