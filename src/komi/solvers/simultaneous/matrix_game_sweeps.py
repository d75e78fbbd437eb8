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

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I8, I32, I64, Flags
from komi.bellman import (
    Bounds,
    Component,
    ComponentStatus,
    Scale,
    Workspace,
    certify,
    is_finite,
    largest_or_inf,
    order_equations,
    round_up,
    solve_fixed_point,
)
from komi.graph.transitions import Transitions, begin, gain_at, inner_index, linear_term
from komi.solvers.simultaneous.matrix_game import MatrixBuffers, solve_matrix

PROVED = 1e-6  # an error bound that is accepted whatever the tolerance; a larger one is loose


class ChoiceKind(IntEnum):
    """The kinds of states."""

    ALONE = 0  # one player chooses
    OPEN = 1  # one player chooses, hidden from the other
    BLIND = 2  # the other player chooses at the same time


class StateStrategies(NamedTuple):
    """The solution of each state."""

    value: F64  # [states] the mover's probability of winning; in a blind state, given what the mover observes
    bound: F32  # [states] the error bound of the value
    mix: F64  # [states, most actions] the probability of each legal action, in their order
    action_value: F64  # [states, most actions] of blind states: the value of each action to the mover there
    actions: I64  # [states] the number of legal actions

    @classmethod
    def empty(cls, states: int, max_actions: int) -> "StateStrategies":
        """Allocate the solution of a number of states."""
        return cls(
            np.full(states, 0.5),
            np.zeros(states, np.float32),
            np.zeros((states, max_actions)),
            np.zeros((states, max_actions)),
            np.zeros(states, np.int64),
        )


class MixedEquations(NamedTuple):
    """The equations of a component in solving order, and its strategies."""

    workspace: Workspace  # buffers; `share` is the probability with which the mover of an open state takes an action
    kind: I8  # [states] as `ChoiceKind`
    follower: I32  # [actions] of an open state: the position of the blind state, or -1 less its index
    columns: F64  # [states, most actions] of open states: the probability of each action of the other seat
    residual: F64  # [1] the largest residual of the values and of the strategies, as `certify` takes it

    @classmethod
    def empty(cls, states: int, actions: int, outcomes: int, max_actions: int) -> "MixedEquations":
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        return cls(
            Workspace.empty(1, states, actions, outcomes, shares=actions),
            np.empty(states, np.int8),
            np.empty(actions, np.int32),
            np.empty((states, max_actions)),
            np.zeros(1),
        )


class MixedProblem(NamedTuple):
    """The data of a kernel that solves the components of a batch.

    Attributes:
        kinds: int8[all states], as `ChoiceKind`.
        slack: the bound on the rounding error of one backup.
        equations: buffers that fit the largest component.
        matrix: buffers for one matrix game.
        results: of states solved before; filled in.
        stop: bool[1], set from outside to end early.
    """

    kinds: I8
    slack: float
    equations: MixedEquations
    matrix: MatrixBuffers
    results: StateStrategies
    stop: Flags


class MatrixGames(NamedTuple):
    """The equations of a component with its matrix games: the argument of the sweeps.

    Attributes:
        equations: the component.
        matrix: buffers for one matrix game.
        results: of the states on its boundary.
        size: the number of its states.
    """

    equations: MixedEquations
    matrix: MatrixBuffers
    results: StateStrategies
    size: int


def solve_mixed(batch: Transitions, ends: I64, start: int, problem: MixedProblem) -> tuple[int, int]:
    """Solve components in the order given, which must be reverse topological.

    Args:
        batch: the transitions of the components, one after the other.
        ends: int64[components] one past the last state of each.
        start: the component to begin with.
        problem: what to compute.

    Returns:
        (the status, the first component that is not solved)
    """
    kinds, slack, equations, matrix, results, stop = problem
    for number in range(start, len(ends)):
        first = begin(ends, number)
        component = Component(batch, first, ends[number] - first)
        order_equations(component, 1, equations.workspace, results.value)
        exits_bound = _write_equations(component, kinds, equations, results)
        feedback = equations.workspace.feedback[: _find_feedback(equations, component.size)]
        games = MatrixGames(equations, matrix, results, component.size)
        value, limits = equations.workspace.value, (0.0, 1.0)
        for i in range(component.size):
            value[i] = 0.5
        if solve_fixed_point(games, value, feedback, limits, stop):
            return ComponentStatus.STOPPED, number
        equations.residual[0] = 2.0 * _residual(games, feedback) + 4.0 * slack  # half of it covers losses of actions
        bounds = Bounds(equations.workspace.below, equations.workspace.above, equations.workspace.choice)
        distance, longest = certify(games, value, feedback, slack, limits, bounds, stop)
        if longest < 0.0:
            return ComponentStatus.STOPPED if stop[0] else ComponentStatus.UNPROVED, number
        bound = np.float32(round_up(exits_bound + distance * longest))
        _store(component, equations, results, bound)
        if bound > PROVED:
            return ComponentStatus.WEAK, number
    return ComponentStatus.SOLVED, len(ends)


def _write_equations(component: Component, kinds: I8, into: MixedEquations, results: StateStrategies) -> Any:
    """Copy the component's states in solving order, the boundary folded into constants; return its error bound."""
    batch, first, size = component
    exits_bound = np.float32(0.0)
    action = outcome = 0
    for i in range(size):
        row = first + into.workspace.order[i]
        into.kind[i] = kinds[batch.state[row]]
        for k in range(begin(batch.actions_end, row), batch.actions_end[row]):
            constant = gain_at(batch.gain, k, 0)
            for source in range(begin(batch.outcomes_end, k), batch.outcomes_end[k]):
                target, weight = batch.target[source], batch.probability[source]
                if into.kind[i] == ChoiceKind.OPEN:
                    into.follower[action] = into.workspace.position[inner_index(target)] if target < 0 else -1 - target
                    if target >= 0:
                        exits_bound = max(exits_bound, results.bound[target])
                    continue
                added, weight = linear_term(weight, batch.passes[source])
                constant += added
                if target < 0:
                    into.workspace.target[outcome] = into.workspace.position[inner_index(target)]
                    into.workspace.weight[outcome] = weight
                    outcome += 1
                else:
                    constant += weight * results.value[target]
                    exits_bound = max(exits_bound, results.bound[target])
            into.workspace.constant[action] = constant
            into.workspace.outcomes_end[action] = outcome
            action += 1
        into.workspace.actions_end[i] = action
    return exits_bound


def _find_feedback(equations: MixedEquations, size: int) -> int:
    """List the positions read at or before they are written, in ascending order; return their number."""
    is_read = equations.workspace.path  # 1 for these positions, else 0
    for i in range(size):
        is_read[i] = 0
    for i in range(size):
        if equations.kind[i] == ChoiceKind.BLIND:
            continue
        for action in range(begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]):
            first, end = action, action + 1
            if equations.kind[i] == ChoiceKind.OPEN:
                blind = equations.follower[action]
                if blind < 0:
                    continue
                first, end = begin(equations.workspace.actions_end, blind), equations.workspace.actions_end[blind]
            for outcome in range(
                begin(equations.workspace.outcomes_end, first), equations.workspace.outcomes_end[end - 1]
            ):
                if equations.workspace.target[outcome] >= i:
                    is_read[equations.workspace.target[outcome]] = 1
    count = 0
    for i in range(size):
        if is_read[i]:
            equations.workspace.feedback[count] = i
            count += 1
    return count


def _action_value(equations: MixedEquations, action: int, value: F64) -> float:
    """Compute the value of an action to the mover, in a state that is not open."""
    total = equations.workspace.constant[action]
    for outcome in range(begin(equations.workspace.outcomes_end, action), equations.workspace.outcomes_end[action]):
        total += equations.workspace.weight[outcome] * value[equations.workspace.target[outcome]]
    return total  # type: ignore[no-any-return]


def _best_value(equations: MixedEquations, i: int, value: F64) -> float:
    """Compute the value of a state in which one player chooses."""
    best = -np.inf
    for action in range(begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]):
        best = max(best, _action_value(equations, action, value))
    return best


def _fill_matrix(games: MatrixGames, i: int, value: F64) -> F64:
    """Fill in the matrix game of an open state, and return its payoffs."""
    equations, matrix, results, _ = games
    first = begin(equations.workspace.actions_end, i)
    height = equations.workspace.actions_end[i] - first
    width = 0
    for a in range(height):
        blind = equations.follower[first + a]
        if blind >= 0:
            answer = begin(equations.workspace.actions_end, blind)
            width = equations.workspace.actions_end[blind] - answer
            for b in range(width):
                matrix.payoffs[a, b] = 1.0 - _action_value(equations, answer + b, value)
        else:
            width = results.actions[-1 - blind]
            for b in range(width):
                matrix.payoffs[a, b] = 1.0 - results.action_value[-1 - blind, b]
    return matrix.payoffs[:height, :width]


def sweep_mixed(games: MatrixGames, value: F64) -> None:
    """Run one Gauss-Seidel sweep of backups that stores the strategies; replaces `fixed_point.sweep`."""
    equations, matrix, _, size = games
    for i in range(size):
        if equations.kind[i] == ChoiceKind.OPEN:
            payoffs = _fill_matrix(games, i, value)
            value[i] = solve_matrix(payoffs, matrix)
            _copy_rows(equations, i, matrix)
            equations.columns[i, : payoffs.shape[1]] = matrix.columns[: payoffs.shape[1]]
        elif equations.kind[i] == ChoiceKind.ALONE:
            value[i] = _best_value(equations, i, value)


def _copy_rows(equations: MixedEquations, i: int, matrix: MatrixBuffers) -> None:
    """Store the row player's strategy of the last matrix game."""
    first, end = begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]
    equations.workspace.share[first:end] = matrix.rows[: end - first]


def _residual(games: MatrixGames, feedback: I32) -> float:
    """Make values and strategies consistent with the feedback vertices; return the largest residual of both."""
    equations = games.equations
    value, x = equations.workspace.value, np.empty(len(feedback))
    for j in range(len(feedback)):
        x[j] = value[feedback[j]]
    sweep_mixed(games, value)
    residual = 0.0
    for j in range(len(feedback)):
        residual = largest_or_inf(residual, abs(value[feedback[j]] - x[j]))
        value[feedback[j]] = x[j]
    for i in range(games.size):
        first = begin(equations.workspace.actions_end, i)
        if equations.kind[i] == ChoiceKind.ALONE:
            residual = largest_or_inf(residual, abs(_best_value(equations, i, value) - value[i]))
        elif equations.kind[i] == ChoiceKind.OPEN:
            payoffs = _fill_matrix(games, i, value)
            height, width = payoffs.shape
            for a in range(height):
                total = 0.0
                for b in range(width):
                    total += payoffs[a, b] * equations.columns[i, b]
                residual = largest_or_inf(residual, total - value[i])
            for b in range(width):
                total = 0.0
                for a in range(height):
                    total += payoffs[a, b] * equations.workspace.share[first + a]
                residual = largest_or_inf(residual, value[i] - total)
    return residual


def sweep_mixed_bounds(
    games: MatrixGames, value: F64, _feedback: I32, _x: F64, scale: Scale, bounds: Bounds
) -> tuple[float, float]:
    """Perform `certificate.sweep_bounds` with mixed strategies, for values that are consistent already.

    Strategies of open states are those of M or, if losses have a price, those of the matrix games of L and U.
    """
    equations = games.equations
    largest = 0.0
    for i in range(games.size):
        if equations.kind[i] == ChoiceKind.BLIND:
            continue
        if equations.kind[i] == ChoiceKind.ALONE:
            below, above = _bound_choice(equations, i, value, scale)
        else:
            if scale.price > 0.0:
                _leave_soonest(games, i, scale)
            below, above = _bound_matrix(games, i, value, scale)
        if not (is_finite(value[i]) and is_finite(above)):
            return np.inf, np.inf
        bounds.above[i] = min(max(above, 0.0), (1.0 - value[i]) * scale.unit)
        bounds.below[i] = min(max(below, 0.0), value[i] * scale.unit)
        largest = max(largest, bounds.above[i], bounds.below[i])
    return equations.residual[0], largest


def _bound_choice(equations: MixedEquations, i: int, value: F64, scale: Scale) -> tuple[float, float]:
    """Compute (below, above) of a state in which one player chooses, and store the choice."""
    first, end = begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]
    best = _best_value(equations, i, value)
    above, soonest, choice = -np.inf, np.inf, first
    for action in range(first, end):
        total = _action_value(equations, action, value)
        if not is_finite(total):
            return np.inf, np.inf
        up, down = _successor_bounds(equations, action, False)
        above = max(above, 1.0 + up - max(value[i] - total, 0.0) * scale.discount)
        if total >= best - 0.25 / scale.unit and 1.0 + down < soonest:  # as good, within what d covers
            soonest, choice = 1.0 + down, action
    equations.workspace.share[first:end] = 0.0
    equations.workspace.share[choice] = 1.0
    return soonest, above


def _bound_matrix(games: MatrixGames, i: int, value: F64, scale: Scale) -> tuple[float, float]:
    """Compute (below, above) of an open state, for the strategies stored."""
    equations = games.equations
    first = begin(equations.workspace.actions_end, i)
    payoffs = _fill_matrix(games, i, value)
    height, width = payoffs.shape
    below = above = -np.inf
    for a in range(height):
        total, follows = 0.0, 0.0
        for b in range(width):
            total += payoffs[a, b] * equations.columns[i, b]
            follows += equations.columns[i, b] * _answer_bounds(equations, first + a, b)[0]
        loss = value[i] - total
        if not is_finite(loss):
            return np.inf, np.inf
        above = max(above, 1.0 + follows + max(-loss, 0.0) * scale.price - max(loss, 0.0) * scale.discount)
    for b in range(width):
        total, follows = 0.0, 0.0
        for a in range(height):
            total += payoffs[a, b] * equations.workspace.share[first + a]
            follows += equations.workspace.share[first + a] * _answer_bounds(equations, first + a, b)[1]
        loss = value[i] - total
        below = max(below, 1.0 + follows + max(loss, 0.0) * scale.price - max(-loss, 0.0) * scale.discount)
    return below, above


def _leave_soonest(games: MatrixGames, i: int, scale: Scale) -> None:
    """Replace the strategies of both seats in an open state by those of the matrix games of L and U."""
    equations, matrix, _, _ = games
    first = begin(equations.workspace.actions_end, i)
    for bound in range(2):
        payoffs = _fill_matrix(games, i, equations.workspace.value)
        height, width = payoffs.shape
        for a in range(height):
            for b in range(width):
                up, down = _answer_bounds(equations, first + a, b)
                payoffs[a, b] += (up if bound else -down) / scale.unit
        solve_matrix(payoffs, matrix)
        if bound:
            equations.columns[i, :width] = matrix.columns[:width]
        else:
            _copy_rows(equations, i, matrix)


def _answer_bounds(equations: MixedEquations, action: int, answer: int) -> tuple[float, float]:
    """Compute (above, below) of the successors of an action pair in an open state, for its mover."""
    blind = equations.follower[action]
    if blind < 0:
        return 0.0, 0.0
    return _successor_bounds(equations, begin(equations.workspace.actions_end, blind) + answer, True)


def _successor_bounds(equations: MixedEquations, action: int, for_other: bool) -> tuple[float, float]:
    """Compute (above, below) of the successors of an action, for the seat that takes it, or for the other seat."""
    up = down = 0.0
    for outcome in range(begin(equations.workspace.outcomes_end, action), equations.workspace.outcomes_end[action]):
        weight, after = equations.workspace.weight[outcome], equations.workspace.target[outcome]
        if (weight < 0.0) != for_other:
            up += abs(weight) * equations.workspace.below[after]
            down += abs(weight) * equations.workspace.above[after]
        else:
            up += abs(weight) * equations.workspace.above[after]
            down += abs(weight) * equations.workspace.below[after]
    return up, down


def _store(component: Component, equations: MixedEquations, results: StateStrategies, bound: Any) -> None:
    """Store the solution of a component's states, and of the blind states after its open ones."""
    states = component.batch.state
    for i in range(component.size):
        state = states[component.first + equations.workspace.order[i]]
        first, end = begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]
        results.actions[state] = end - first
        results.bound[state] = bound
        results.mix[state, :] = 0.0
        if equations.kind[i] == ChoiceKind.BLIND:
            for b in range(end - first):
                results.action_value[state, b] = _action_value(equations, first + b, equations.workspace.value)
            continue
        results.value[state] = equations.workspace.value[i]
        for a in range(end - first):
            results.mix[state, a] = equations.workspace.share[first + a]
    for i in range(component.size):
        if equations.kind[i] != ChoiceKind.OPEN:
            continue
        for action in range(begin(equations.workspace.actions_end, i), equations.workspace.actions_end[i]):
            blind = equations.follower[action]
            state = states[component.first + equations.workspace.order[blind]] if blind >= 0 else -1 - blind
            results.value[state] = 1.0 - equations.workspace.value[i]
            results.bound[state] = max(results.bound[state], bound)
            for b in range(results.actions[state]):
                results.mix[state, b] = equations.columns[i, b]
