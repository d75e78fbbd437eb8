"""Values and mixed strategies of games with simultaneous moves, component by component, with error bounds.

The rules have one seat choose first, hidden from the other. A state in which this happens is *open*; its actions lead
to *blind* states, which are indistinguishable for the other seat, who chooses in them. The value of an open state is
that of the matrix game

    M[a, b] = 1 - (the value of action b to the other seat in the blind state after a),

and the values of all other states are those of a stochastic game with alternating moves. Strategies x of the open
states and y of the blind ones, found with the values v, prove these: let U = v + eta above and L = v - eta below, as
in `bellman.certificate`, with

    above = 1 + max over a of  sum over b of y[b] (what follows) - (v - sum over b of y[b] M[a, b]) / 2.5 c
    below = 1 + max over b of  sum over a of x[a] (what follows) - (sum over a of x[a] M[a, b] - v) / 2.5 c

in open states, where (what follows) is the expected bound of the successors. Against y the potential decreases with
every action of the first seat, and against x with every action of the second, so that the proof there holds, with the
strategies in place of g. The losses of x and y against optimal strategies are covered by d, as is rounding. Of equally
good actions, a seat that chooses alone takes the one that ends soonest.

Of equally good strategies, the simplex method may find one that waits forever. If there is no proof for those that it
finds, x is an optimal strategy in the matrix game of L, y in that of U, which distinguish ending from waiting:

    M[a, b] - c (what follows, in below),        M[a, b] + c (what follows, in above),

and the losses of x and y in M are added to `below` and `above`, divided by c, instead of being covered by d.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.bellman.certificate import INITIAL_BOUND, MAX_ACTIONS, extrapolate, largest_increment
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import solve_fixed_point
from komi.graph.components import ALL_SOLVED
from komi.graph.perspective import linear_term
from komi.graph.transitions import begin, gain_at
from komi.solvers.simultaneous.matrix_game import solve_matrix

SWEEPS = 10_000  # the limit for a certificate
ALONE, OPEN, BLIND = range(3)


class Rows(NamedTuple):
    """Buffers for the equations of the largest component, in solving order; compare `bellman.Workspace`."""

    order: Any  # int32[states]
    position: Any  # int32[states]
    path: Any  # int32[states]
    next: Any  # int64[states]
    feedback: Any  # int32[states]
    actions_end: Any  # int64[states]
    constant: Any  # float64[actions]
    outcomes_end: Any  # int64[actions]
    target: Any  # int32[outcomes]
    weight: Any  # float64[outcomes]
    kind: Any  # int8[states] ALONE, OPEN or BLIND
    follower: Any  # int32[actions] of an open state: the position of the blind state, or -1 less its index
    mix: Any  # float64[actions] of open states: the probability with which the mover takes an action
    columns: Any  # float64[states, most actions] of open states: the probability of each action of the other seat
    value: Any  # float64[states]
    below: Any  # float64[states]
    above: Any  # float64[states]

    @classmethod
    def empty(cls, states: int, actions: int, outcomes: int, max_actions: int) -> "Rows":
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        return cls(
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
            np.empty(states, np.int8),
            np.empty(actions, np.int32),
            np.empty(actions, np.float64),
            np.empty((states, max_actions), np.float64),
            np.empty(states, np.float64),
            np.empty(states, np.float64),
            np.empty(states, np.float64),
        )


class Room(NamedTuple):
    """Buffers for one matrix game."""

    payoffs: Any  # float64[most actions, most actions]
    tableau: Any  # float64[most actions + 1, 2 most actions + 1]
    basis: Any  # int64[most actions]
    rows: Any  # float64[most actions]
    columns: Any  # float64[most actions]

    @classmethod
    def empty(cls, most: int) -> "Room":
        """Allocate buffers for games with up to `most` actions of each player."""
        return cls(
            np.empty((most, most)),
            np.empty((most + 1, 2 * most + 1)),
            np.empty(most, np.int64),
            np.empty(most),
            np.empty(most),
        )


class Mixed(NamedTuple):
    """The solution of each state."""

    value: Any  # float64[states] the mover's probability of winning; in a blind state, given what the mover observes
    bound: Any  # float32[states] the error bound of the value
    mix: Any  # float64[states, most actions] the probability of each legal action, in their order
    worth: Any  # float64[states, most actions] of blind states: the value of each action to the mover there
    count: Any  # int32[states] the number of legal actions


def solve_mixed(
    batch: Any, ends: Any, start: int, kinds: Any, slack: float, rows: Any, room: Any, results: Any, stop: Any
) -> int:
    """Solve components in the order given, which must be reverse topological.

    Args:
        batch: the `Transitions` of the components, one after the other.
        ends: int64[components] one past the last state of each.
        start: the component to begin with.
        kinds: int8[all states], ALONE, OPEN or BLIND.
        slack: the bound on the rounding error of one backup.
        rows: `Rows` with capacity for the largest component.
        room: `Room`.
        findings: `Mixed` of states solved before; filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        ALL_SOLVED, or the number of the component that was not solved
    """
    first: Any = np.int64(begin(ends, start))  # a plain int would compile every function that takes it twice
    for component in range(start, len(ends)):
        size = ends[component] - first
        order_equations(batch, first, size, rows, results.value)
        exits_bound = _lay_out(batch, first, size, kinds, rows, results)
        count = _find_feedback(rows, size)
        everything = (rows, room, results.worth, results.count, size)
        for i in range(size):
            rows.value[i] = 0.5
        if solve_fixed_point(everything, rows.value, rows.feedback[:count], 0.0, 1.0, stop):
            return component
        distance, longest = _certify(everything, rows.feedback[:count], slack, False, stop)
        if longest < 0.0 and not stop[0]:
            distance, longest = _certify(everything, rows.feedback[:count], slack, True, stop)
        if longest < 0.0:
            return component
        _note(batch, first, size, rows, results, np.float32((exits_bound + distance * longest) * (1.0 + 2.0**-22)))
        first = ends[component]
    return ALL_SOLVED


def _lay_out(batch: Any, first: int, size: int, kinds: Any, rows: Any, results: Any) -> Any:
    """Copy the component's states in solving order, the boundary folded into constants; return its error bound."""
    _, _, actions_end, gains, _, outcomes_end, targets, probabilities, passes, _ = batch
    exits_bound = np.float32(0.0)
    action_height = 0
    outcome_height = 0
    for i in range(size):
        row = first + rows.order[i]
        rows.kind[i] = kinds[batch.state[row]]
        for action in range(begin(actions_end, row), actions_end[row]):
            constant = gain_at(gains, action, 0)
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                target, weight = targets[outcome], probabilities[outcome]
                if rows.kind[i] == OPEN:
                    rows.follower[action_height] = rows.position[-1 - target] if target < 0 else -1 - target
                    if target >= 0:
                        exits_bound = max(exits_bound, results.bound[target])
                    continue
                added, weight = linear_term(weight, passes[outcome])
                constant += added
                if target < 0:
                    rows.target[outcome_height] = rows.position[-1 - target]
                    rows.weight[outcome_height] = weight
                    outcome_height += 1
                else:
                    constant += weight * results.value[target]
                    exits_bound = max(exits_bound, results.bound[target])
            rows.constant[action_height] = constant
            rows.outcomes_end[action_height] = outcome_height
            action_height += 1
        rows.actions_end[i] = action_height
    return exits_bound


def _find_feedback(rows: Any, size: int) -> int:
    """List the positions read at or before they are written, in ascending order; return their number."""
    is_read = rows.path  # 1 for these positions, else 0
    for i in range(size):
        is_read[i] = 0
    for i in range(size):
        if rows.kind[i] == BLIND:
            continue
        for action in range(begin(rows.actions_end, i), rows.actions_end[i]):
            if rows.kind[i] == ALONE:
                _mark(rows, action, action + 1, i, is_read)
            elif rows.follower[action] >= 0:
                blind = rows.follower[action]
                _mark(rows, begin(rows.actions_end, blind), rows.actions_end[blind], i, is_read)
    count = 0
    for i in range(size):
        if is_read[i]:
            rows.feedback[count] = i
            count += 1
    return count


def _mark(rows: Any, first: int, end: int, reader: int, is_read: Any) -> None:
    for outcome in range(begin(rows.outcomes_end, first), rows.outcomes_end[end - 1]):
        if rows.target[outcome] >= reader:
            is_read[rows.target[outcome]] = 1


def _worth(rows: Any, action: int, value: Any) -> float:
    """Compute the value of an action to the mover, in a state that is not open."""
    total = rows.constant[action]
    for outcome in range(begin(rows.outcomes_end, action), rows.outcomes_end[action]):
        total += rows.weight[outcome] * value[rows.target[outcome]]
    return total  # type: ignore[no-any-return]


def _fill(rows: Any, room: Any, worths: Any, counts: Any, i: int, value: Any) -> Any:
    """Fill in the matrix game of an open state."""
    first = begin(rows.actions_end, i)
    height = rows.actions_end[i] - first
    width = 0
    for a in range(height):
        blind = rows.follower[first + a]
        if blind >= 0:
            solution = begin(rows.actions_end, blind)
            width = rows.actions_end[blind] - solution
            for b in range(width):
                room.payoffs[a, b] = 1.0 - _worth(rows, solution + b, value)
        else:
            width = counts[-1 - blind]
            for b in range(width):
                room.payoffs[a, b] = 1.0 - worths[-1 - blind, b]
    return room.payoffs[:height, :width]


def sweep_mixed(everything: Any, value: Any) -> None:
    """Run one Gauss-Seidel sweep of backups that stores the strategies; replaces `fixed_point.sweep`."""
    rows, room, worths, counts, size = everything
    for i in range(size):
        if rows.kind[i] == BLIND:
            continue
        first, end = begin(rows.actions_end, i), rows.actions_end[i]
        if rows.kind[i] == OPEN:
            payoffs = _fill(rows, room, worths, counts, i, value)
            height, width = payoffs.shape
            mine, theirs = room.rows[:height], room.columns[:width]
            value[i] = solve_matrix(payoffs, room.tableau, room.basis, mine, theirs)
            for a in range(height):
                rows.mix[first + a] = mine[a]
            for b in range(width):
                rows.columns[i, b] = theirs[b]
        else:
            best = -np.inf
            for action in range(first, end):
                best = max(best, _worth(rows, action, value))
            value[i] = best


def _certify(everything: Any, feedback: Any, slack: float, hastens: bool, stop: Any) -> Any:
    """Find d, and the largest of above and below / (1 - h), whose product bounds the error; return (0, -1) on failure.

    Strategies of open states are those of M or, if play `hastens`, those of the matrix games of L and U.
    """
    rows, _, _, _, size = everything
    count = len(feedback)
    below_before, above_before, below_earlier, above_earlier = np.empty((4, count))
    x = np.empty(count)
    for j in range(count):
        x[j] = rows.value[feedback[j]]
    sweep_mixed(everything, rows.value)  # makes the other values and the strategies consistent with the feedback
    residual = 0.0
    for j in range(count):
        residual = max(residual, abs(rows.value[feedback[j]] - x[j]))
        rows.value[feedback[j]] = x[j]
    for i in range(size):
        rows.below[i] = rows.above[i] = INITIAL_BOUND
    residual = max(residual, _shortfall(everything))
    distance = 2.0 * residual + 8.0 * slack  # half of it covers the losses of actions, and rounding
    last_growth = 0.0
    for round_ in range(SWEEPS):
        for j in range(count):
            below_earlier[j], above_earlier[j] = below_before[j], above_before[j]
            below_before[j], above_before[j] = rows.below[feedback[j]], rows.above[feedback[j]]
        largest = _sweep_bounds(everything, distance, hastens)
        short = max(
            largest_increment(feedback, rows.below, below_before), largest_increment(feedback, rows.above, above_before)
        )
        short += 4.0 * slack * largest
        if short <= 0.5:
            return distance, max(largest, 1.0) / (1.0 - short)
        if stop[0] or largest > MAX_ACTIONS:
            break
        if round_ % 2:
            twice = max(
                largest_increment(feedback, rows.below, below_earlier),
                largest_increment(feedback, rows.above, above_earlier),
            )
            if round_ % 4 == 3 and last_growth > 0.0:
                extrapolate(feedback, rows.below, below_earlier, twice / last_growth)
                extrapolate(feedback, rows.above, above_earlier, twice / last_growth)
            last_growth = twice
    return 0.0, -1.0


def _shortfall(everything: Any) -> float:
    """Compute the largest residual of the equations of values and strategies."""
    rows, room, worths, counts, size = everything
    short = 0.0
    for i in range(size):
        first, end = begin(rows.actions_end, i), rows.actions_end[i]
        if rows.kind[i] == ALONE:
            best = -np.inf
            for action in range(first, end):
                best = max(best, _worth(rows, action, rows.value))
            short = max(short, abs(best - rows.value[i]))
        elif rows.kind[i] == OPEN:
            payoffs = _fill(rows, room, worths, counts, i, rows.value)
            height, width = payoffs.shape
            for a in range(height):
                total = 0.0
                for b in range(width):
                    total += payoffs[a, b] * rows.columns[i, b]
                short = max(short, total - rows.value[i])
            for b in range(width):
                total = 0.0
                for a in range(height):
                    total += payoffs[a, b] * rows.mix[first + a]
                short = max(short, rows.value[i] - total)
    return short


def _sweep_bounds(everything: Any, distance: float, hastens: bool) -> float:
    """Back up `above` and `below` in every state, and store the strategies; return the largest of both.

    Here c is d, so that eta is from c to 2 c; the loss of an action is divided by 2.5 c where it reduces a bound.
    """
    rows, room, worths, counts, size = everything
    discount = 0.4 / distance
    largest = 0.0
    for i in range(size):
        if rows.kind[i] == BLIND:
            continue
        first, end = begin(rows.actions_end, i), rows.actions_end[i]
        value = rows.value[i]
        above = below = -np.inf
        if rows.kind[i] == ALONE:
            best, soonest, choice = -np.inf, np.inf, first
            for action in range(first, end):
                best = max(best, _worth(rows, action, rows.value))
                rows.mix[action] = 0.0
            for action in range(first, end):
                worth = _worth(rows, action, rows.value)
                up, down = _following(rows, action, False)
                above = max(above, 1.0 + up - max(value - worth, 0.0) * discount)
                if worth >= best - 0.25 * distance and 1.0 + down < soonest:  # as good, within what d covers
                    soonest, choice = 1.0 + down, action
            rows.mix[choice] = 1.0
            below = soonest
        else:
            if hastens:
                _hasten(everything, i, distance)
            payoffs = _fill(rows, room, worths, counts, i, rows.value)
            height, width = payoffs.shape
            for a in range(height):
                total, follows = 0.0, 0.0
                for b in range(width):
                    total += payoffs[a, b] * rows.columns[i, b]
                    follows += rows.columns[i, b] * _answered(rows, first + a, b)[0]
                gained = max(total - value, 0.0) / distance if hastens else 0.0
                above = max(above, 1.0 + follows + gained - max(value - total, 0.0) * discount)
            for b in range(width):
                total, follows = 0.0, 0.0
                for a in range(height):
                    total += payoffs[a, b] * rows.mix[first + a]
                    follows += rows.mix[first + a] * _answered(rows, first + a, b)[1]
                gained = max(value - total, 0.0) / distance if hastens else 0.0
                below = max(below, 1.0 + follows + gained - max(total - value, 0.0) * discount)
        rows.above[i] = min(max(above, 0.0), (1.0 - value) / distance)
        rows.below[i] = min(max(below, 0.0), value / distance)
        largest = max(largest, rows.above[i], rows.below[i])
    return largest


def _hasten(everything: Any, i: int, distance: float) -> None:
    """Replace the strategies of both seats in an open state by those of the matrix games of L and U."""
    rows, room, worths, counts, _ = everything
    first = begin(rows.actions_end, i)
    for bound in range(2):
        payoffs = _fill(rows, room, worths, counts, i, rows.value)
        height, width = payoffs.shape
        for a in range(height):
            for b in range(width):
                up, down = _answered(rows, first + a, b)
                payoffs[a, b] += distance * (up if bound else -down)
        mine, theirs = room.rows[:height], room.columns[:width]
        solve_matrix(payoffs, room.tableau, room.basis, mine, theirs)
        if bound:
            for b in range(width):
                rows.columns[i, b] = theirs[b]
        else:
            for a in range(height):
                rows.mix[first + a] = mine[a]


def _answered(rows: Any, action: int, solution: int) -> tuple[float, float]:
    """Compute (above, below) of the successors of an action pair in an open state, for its mover."""
    blind = rows.follower[action]
    if blind < 0:
        return 0.0, 0.0
    return _following(rows, begin(rows.actions_end, blind) + solution, True)


def _following(rows: Any, action: int, for_other: bool) -> tuple[float, float]:
    """Compute (above, below) of the successors of an action, for the seat that takes it, or for the other seat."""
    up = down = 0.0
    for outcome in range(begin(rows.outcomes_end, action), rows.outcomes_end[action]):
        weight, after = rows.weight[outcome], rows.target[outcome]
        if (weight < 0.0) != for_other:
            up += abs(weight) * rows.below[after]
            down += abs(weight) * rows.above[after]
        else:
            up += abs(weight) * rows.above[after]
            down += abs(weight) * rows.below[after]
    return up, down


def _note(batch: Any, first: int, size: int, rows: Any, results: Any, bound: Any) -> None:
    """Store the solution of a component's states, and of the blind states after its open ones."""
    for i in range(size):
        state = batch.state[first + rows.order[i]]
        begins, end = begin(rows.actions_end, i), rows.actions_end[i]
        results.count[state] = end - begins
        results.bound[state] = bound
        results.mix[state, :] = 0.0
        if rows.kind[i] == BLIND:
            for b in range(end - begins):
                results.worth[state, b] = _worth(rows, begins + b, rows.value)
            continue
        results.value[state] = rows.value[i]
        for a in range(end - begins):
            results.mix[state, a] = rows.mix[begins + a]
    for i in range(size):
        if rows.kind[i] != OPEN:
            continue
        for action in range(begin(rows.actions_end, i), rows.actions_end[i]):
            blind = rows.follower[action]
            state = batch.state[first + rows.order[blind]] if blind >= 0 else -1 - blind
            results.value[state] = 1.0 - rows.value[i]
            results.bound[state] = max(results.bound[state], bound)
            for b in range(results.count[state]):
                results.mix[state, b] = rows.columns[i, b]
