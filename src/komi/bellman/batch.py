"""Kernels that compute the values and expected lengths of a batch of components."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16, I64, Flags
from komi.bellman.certificate import is_finite
from komi.bellman.component_solver import CLOSE, LOOSE, ComponentStatus, solve_lengths, solve_values
from komi.bellman.equations import (
    ACTIONS,
    VALUE,
    ActionCode,
    Boundary,
    Component,
    Objective,
    Workspace,
    equations_of,
    prescribed_action,
    role_after,
    write_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import SWEEPS
from komi.bellman.rounding import round_up, rounding_error
from komi.graph.transitions import Transitions, begin, count_columns, gain_at, to_mover
from komi.jit.intrinsics import prefetch


class RoleValues(NamedTuple):
    """The results of each state in each role, at index state * roles + role.

    Lengths are computed in all `MEASURES`, in the first one only, or not at all.
    """

    value: F64  # [.] the value to the player to move, times the objective's sign
    bound: F32  # [.] its error bound
    choice: I16  # [.] the action taken: an optimal one if the player is free
    length: F64  # [measures, .] the expected remaining length under the chosen policies
    length_bound: F32  # [.] its error bound

    @classmethod
    def empty(cls, rows: int, measures: int) -> "RoleValues":
        """Allocate the results of `rows` pairs of state and role."""
        return cls(
            np.empty(rows, np.float64),
            np.zeros(rows, np.float32),
            np.empty(rows, np.int16),
            np.empty((measures, rows), np.float64),
            np.zeros(rows if measures else 0, np.float32),
        )


class Problem(NamedTuple):
    """The data of a kernel that solves the components of a batch.

    Attributes:
        policies: int16[all states * roles], actions, FREE, UNIFORM, UNREACHED or EXCEPT - action; int16[roles] if it
            is the same in all states.
        roles: the number of roles.
        objective: the objective.
        workspace: buffers that fit the largest component.
        results: those of states solved before; filled in.
        stop: bool[1], set by another thread to stop early.
    """

    policies: I16
    roles: int
    objective: Objective
    workspace: Workspace
    results: RoleValues
    stop: Flags


def solve_batch(batch: Transitions, ends: I64, component: int, sweeps: int, problem: Problem) -> tuple[int, int]:
    """Solve components in the given order; all components that a component leads to must precede it.

    Args:
        batch: the transitions of the components, one after the other.
        ends: int64[components], one past the last state of each.
        component: the first component to solve.
        sweeps: the most sweeps per component; with fewer than `SWEEPS`, slow components are left to a direct solver.
        problem: what to compute.

    Returns:
        (the status, the first component that is not solved)
    """
    row: Any = np.int64(begin(ends, component))  # a plain int would compile every callee twice
    while component < len(ends):
        count = _count_singles(batch, ends, component, row, problem.results, problem.roles)
        if count:
            count = _solve_singles(batch, row, row + count, problem)
        if count:
            if len(problem.results.length):
                _measure_singles(batch, row, row + count, problem.roles, problem.objective.slack, problem.results)
            component += count
            row += count
        else:
            status = _solve_cyclic(Component(batch, row, ends[component] - row), sweeps, problem)
            if status != ComponentStatus.SOLVED:
                return status, component
            row = ends[component]
            component += 1
    return ComponentStatus.SOLVED, component


def _count_singles(batch: Transitions, ends: I64, component: int, row: int, results: RoleValues, roles: int) -> int:
    """Count the consecutive components from `component` on that consist of one state without a self-loop.

    The values and bounds of successor states are prefetched; `row` is the first state of `component`.
    """
    actions_end, outcomes_end = batch.actions_end, batch.outcomes_end
    count = 0
    while component + count < len(ends) and ends[component + count] == row + count + 1:
        first = begin(outcomes_end, begin(actions_end, row + count))
        for outcome in range(first, outcomes_end[actions_end[row + count] - 1]):
            target = batch.target[outcome]
            if target < 0:
                return count
            prefetch(results.value, target * roles)
            prefetch(results.bound, target * roles)
        count += 1
    return count


def _solve_singles(batch: Transitions, first: int, end: int, problem: Problem) -> int:
    """Back up states one by one, each from its successors.

    Return their number; a state that has a value that is infinite or no number is left to a certificate, which refuses
    it.
    """
    policies, roles, objective, _, results, _ = problem
    actions_end, numbers, outcomes_end = batch.actions_end, batch.action, batch.outcomes_end
    values, bounds = results.value, results.bound
    is_zero_sum = count_columns(batch.gain) == 1
    sign = 1.0 if is_zero_sum else objective.sign
    for row in range(first, end):
        begins = begin(actions_end, row)
        for role in range(roles):
            index = batch.state[row] * roles + role
            view = 0 if is_zero_sum else (roles - role) % roles
            prescribed = prescribed_action(policies, batch.state[row], role, roles)
            best = -np.inf
            choice = np.int16(ActionCode.UNIFORM)
            sum_of_values = 0.0
            magnitude = 0.0
            worst_bound = np.float32(0.0)
            outcome = begin(outcomes_end, begins)
            for action in range(begins, actions_end[row]):
                value = sign * gain_at(batch.gain, action, view)
                terms = gain_at(batch.gain, action, count_columns(batch.gain) - 1)
                while outcome < outcomes_end[action]:
                    probability, turn = batch.probability[outcome], batch.passes[outcome]
                    after = batch.target[outcome] * roles + role_after(role, turn, roles)
                    if is_zero_sum:
                        value += probability * to_mover(values[after], turn)
                    else:
                        value += probability * values[after]
                        terms += probability * abs(values[after])
                    worst_bound = max(worst_bound, bounds[after])
                    outcome += 1
                sum_of_values += value
                magnitude = max(magnitude, terms)
                is_free = prescribed == ActionCode.FREE or (
                    prescribed <= ActionCode.EXCEPT and numbers[action] != ActionCode.EXCEPT - prescribed
                )
                if (is_free and value > best) or prescribed == numbers[action]:
                    best, choice = value, numbers[action]
            if prescribed == ActionCode.UNREACHED:
                best, choice = 0.0, np.int16(ActionCode.UNREACHED)
            if not is_finite(sum_of_values if prescribed in (ActionCode.FREE, ActionCode.UNIFORM) else best):
                return row - first
            values[index] = sum_of_values / (actions_end[row] - begins) if prescribed == ActionCode.UNIFORM else best
            bounds[index] = round_up(worst_bound + rounding_error(objective, magnitude))
            results.choice[index] = choice
    return end - first


def _measure_singles(batch: Transitions, first: int, end: int, roles: int, slack: float, results: RoleValues) -> None:
    """Compute expected lengths state by state under the chosen policies."""
    actions_end, numbers, outcomes_end = batch.actions_end, batch.action, batch.outcomes_end
    lengths, bounds = results.length, results.length_bound
    counts_all = len(lengths) > 1
    for row in range(first, end):
        begins = begin(actions_end, row)
        for role in range(roles):
            index = batch.state[row] * roles + role
            choice = results.choice[index]
            share = 1.0 / (actions_end[row] - begins) if choice == ActionCode.UNIFORM else 1.0
            actions = turns = chance_moves = 0.0
            worst_bound = np.float32(0.0)
            for action in range(begins, actions_end[row]):
                if choice != ActionCode.UNIFORM and numbers[action] != choice:
                    continue
                if numbers[action] >= 0:
                    actions += share
                else:
                    chance_moves += share
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    weight, turn = share * batch.probability[outcome], batch.passes[outcome]
                    after = batch.target[outcome] * roles + role_after(role, turn, roles)
                    actions += weight * lengths[0, after]
                    if counts_all:
                        turns += weight * (lengths[1, after] + (1.0 if turn else 0.0))
                        chance_moves += weight * lengths[2, after]
                    worst_bound = max(worst_bound, bounds[after])
            lengths[0, index] = actions
            if counts_all:
                lengths[1, index], lengths[2, index] = turns, chance_moves
            longest = max(actions, turns, chance_moves)
            bounds[index] = round_up(worst_bound + slack * (longest + 1.0))


def _solve_cyclic(component: Component, sweeps: int, problem: Problem) -> int:
    """Compute the values of a component on a cycle, and its lengths; return the status."""
    policies, roles, objective, workspace, results, stop = problem
    states, first, size = component.batch.state, component.first, component.size
    feedback = order_equations(component, roles, workspace, results.value)
    boundary = Boundary(results.value, results.bound)
    exits_bound, magnitude = write_equations(component, policies, roles, VALUE, objective, workspace, boundary)
    equations, initial = equations_of(workspace, size * roles), 0.5 if objective.is_zero_sum else 0.0
    status, error, scale = solve_values(equations, workspace, feedback, magnitude, initial, objective, sweeps, stop)
    if status != ComponentStatus.SOLVED:
        return status
    bound = round_up(exits_bound + error)
    if sweeps < SWEEPS and bound > LOOSE * scale and error > CLOSE * scale:
        return ComponentStatus.SLOW
    largest = 1.0
    for i in range(size):
        for role in range(roles):
            value, choice = workspace.value[i * roles + role], workspace.choice[i * roles + role]
            largest = max(largest, abs(value))
            index = states[first + workspace.order[i]] * roles + role
            results.value[index], results.bound[index] = value, bound
            results.choice[index] = workspace.number[choice]
    if len(results.length):
        status = _measure_cyclic(component, feedback, sweeps, problem)
    return ComponentStatus.WEAK if status == ComponentStatus.SOLVED and error > LOOSE * largest else status


def _measure_cyclic(component: Component, feedback: int, sweeps: int, problem: Problem) -> int:
    """Compute the expected length from each state under the chosen policies, in each measure; return the status."""
    _, roles, objective, workspace, results, stop = problem
    states, first, size = component.batch.state, component.first, component.size
    counted = Objective(False, 1.0, 0.0, np.inf, objective.slack)
    lengths, bounds = results.length, results.length_bound
    worst = 0.0
    for measure in range(len(lengths)):
        quantity, boundary = ACTIONS + measure, Boundary(lengths[measure], bounds)
        exits_bound, highest = write_equations(component, results.choice, roles, quantity, counted, workspace, boundary)
        equations = equations_of(workspace, size * roles)
        status, error = solve_lengths(equations, workspace, feedback, highest, objective.slack, sweeps, stop)
        if status != ComponentStatus.SOLVED:
            return status
        worst = max(worst, exits_bound + error)
        for i in range(size):
            for role in range(roles):
                lengths[measure, states[first + workspace.order[i]] * roles + role] = workspace.value[i * roles + role]
    for i in range(size):
        for role in range(roles):
            bounds[states[first + workspace.order[i]] * roles + role] = round_up(worst)
    return ComponentStatus.SOLVED
