"""Equations of `komi.evaluation.mixed`: the outcomes of two hidden choices are folded into the state of the first."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I8, I32, I64, Flags
from komi.bellman import (
    LOOSE,
    SWEEPS,
    Component,
    ComponentStatus,
    Equations,
    Objective,
    Workspace,
    equations_of,
    order_equations,
    round_up,
    solve_lengths,
    solve_values,
)
from komi.graph.transitions import Transitions, begin, gain_at, inner_index
from komi.solvers.simultaneous.matrix_game_sweeps import ChoiceKind

MIXED_CHOICE = -1  # in place of the index of an action: all actions with their probabilities


class MatchValues(NamedTuple):
    """Results for each state in each role, at index state * 2 + role."""

    value: F64  # float64[quantities, .] the tracked seat's winning probability, then the expected actions and turns
    bound: F32  # float32[2, .] error bounds of the winning probability, and of both lengths
    actions: F64  # float64[quantities, states, max_actions, 2] action values by role, of blind size-1 SCCs


class MixedPlay(NamedTuple):
    """The strategies of both seats.

    Attributes:
        kinds: int8[states], OPEN, BLIND or neither.
        second_choices: int64[states], for open states: the number of actions of the other seat, which does not know
            the first choice.
        probabilities: float64[2, states, max_actions], of the legal actions, for the tracked seat and the other.
        free: bool[1], True if the tracked seat plays its best response instead.
        slack: float64[1], bound of the rounding error of one backup.
    """

    kinds: I8
    second_choices: I64
    probabilities: F64
    free: Flags
    slack: F64


class _EquationDraft(NamedTuple):
    """The equations of a component that are being written.

    Attributes:
        component: the component.
        play: the strategies of both seats.
        quantity: the index of the quantity in `QUANTITIES`.
        workspace: receives the equations.
        values: of the states solved before.
        sizes: int64[2], the numbers of actions and of outcomes written so far.
    """

    component: Component
    play: MixedPlay
    quantity: int
    workspace: Workspace
    values: MatchValues
    sizes: I64


def solve_mixed_play(
    batch: Transitions,
    ends: I64,
    start: int,
    sweeps: int,
    play: MixedPlay,
    workspace: Workspace,
    values: MatchValues,
    stop: Flags,
) -> tuple[int, int]:
    """Solve components in topological order: successors first.

    Args:
        batch: the transitions of the components, one after the other, with one view per seat.
        ends: int64[components] one past the last state of each.
        start: the index of the first component to solve.
        sweeps: the maximum number of sweeps of one component; below `SWEEPS`, components that converge slowly are left
            to the direct solver.
        play: the strategies of both seats.
        workspace: buffers of two roles with capacity for the largest component.
        values: those of the states solved before; modified in place.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (the status, the first component that was not solved)
    """
    first: Any = np.int64(begin(ends, start))  # with a plain int, every kernel that receives it would be compiled twice
    for number in range(start, len(ends)):
        component = Component(batch, first, ends[number] - first)
        if component.size == 1 and play.kinds[batch.state[first]] == ChoiceKind.BLIND:
            _store_blind(batch, first, values)
        else:
            status = _solve(component, sweeps, play, workspace, values, stop)
            if status != ComponentStatus.SOLVED:
                return status, number
        first = ends[number]
    return ComponentStatus.SOLVED, len(ends)


def _store_blind(batch: Transitions, row: int, values: MatchValues) -> None:
    """Store the value of each action of a blind state alone in its component, for the open state before it."""
    state = batch.state[row]
    first = begin(batch.actions_end, row)
    for role in range(2):
        for quantity in range(len(values.value)):
            for action in range(first, batch.actions_end[row]):
                total = _gain(batch, action, role, quantity)
                for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
                    turn = batch.passes[outcome]
                    after = 2 * batch.target[outcome] + ((role + turn) & 1)
                    total += batch.probability[outcome] * (
                        values.value[quantity, after] + (1.0 if quantity == 2 and turn else 0.0)
                    )
                    for kind in range(2):
                        bound = values.bound[kind, 2 * state + role]
                        values.bound[kind, 2 * state + role] = max(bound, values.bound[kind, after])
                values.actions[quantity, state, action - first, role] = total


def _gain(batch: Transitions, action: int, role: int, quantity: int) -> float:
    """Return the immediate gain of an action: the tracked seat's payoff, or 1 for the action; see QUANTITIES."""
    if quantity == 0:
        return gain_at(batch.gain, action, role)  # type: ignore[no-any-return]
    return 1.0 if quantity == 1 and batch.action[action] >= 0 else 0.0


def _solve(
    component: Component, sweeps: int, play: MixedPlay, workspace: Workspace, values: MatchValues, stop: Flags
) -> int:
    """Compute and prove the values of both seats in one component; return the status."""
    batch, first, size = component
    slack = play.slack[0]
    order_equations(component, 2, workspace, values.value[0])
    for quantity in range(len(values.value)):
        boundary_bound, highest = write_mixed_equations(component, play, quantity, workspace, values)
        equations = equations_of(workspace, 2 * size)
        count = _find_feedback(equations, workspace.feedback)
        if quantity:
            status, error = solve_lengths(equations, workspace, count, highest, slack, sweeps, stop)
        else:
            chances = Objective(True, 1.0, 0.0, 1.0, slack)
            status, error, _ = solve_values(equations, workspace, count, highest, 0.5, chances, sweeps, stop)
            if status == ComponentStatus.SOLVED and sweeps < SWEEPS and error > LOOSE:
                status = ComponentStatus.SLOW
        if status != ComponentStatus.SOLVED:
            return status
        bound = np.float32(round_up(boundary_bound + error))
        kind = min(quantity, 1)
        for i in range(2 * size):
            index = 2 * batch.state[first + workspace.order[i >> 1]] + (i & 1)
            values.value[quantity, index] = workspace.value[i]
            values.bound[kind, index] = max(values.bound[kind, index], bound)
    return ComponentStatus.SOLVED


def _find_feedback(equations: Equations, feedback: I32) -> int:
    """Find the equations that are read at or before they are written, in ascending order; return their number."""
    actions_end, _, outcomes_end, target, _ = equations
    count = 0
    feedback[: len(actions_end)] = 0
    for i in range(len(actions_end)):
        first = begin(actions_end, i)
        for outcome in range(begin(outcomes_end, first), outcomes_end[actions_end[i] - 1]):
            if target[outcome] >= i:
                feedback[target[outcome]] = 1
    for i in range(len(actions_end)):
        if feedback[i]:
            feedback[count] = i
            count += 1
    return count


def write_mixed_equations(
    component: Component, play: MixedPlay, quantity: int, workspace: Workspace, values: MatchValues
) -> tuple[Any, float]:
    """Write the component's equations in solving order, boundary values folded into constants.

    Returns:
        (the largest error bound on the boundary, the largest constant)
    """
    batch, first, size = component
    draft = _EquationDraft(component, play, quantity, workspace, values, np.zeros(2, np.int64))
    sizes = draft.sizes
    boundary_bound = np.float32(0.0)
    highest = 0.0
    for i in range(size):
        row = first + workspace.order[i]
        state = batch.state[row]
        kind = play.kinds[state]
        for role in range(2):
            is_free = play.free[0] and kind != ChoiceKind.BLIND and (role == 0 or kind == ChoiceKind.OPEN)
            options = 1
            if is_free:
                actions = batch.actions_end[row] - begin(batch.actions_end, row)
                options = play.second_choices[state] if role == 1 else actions
            for option in range(options):
                choice = option if is_free else MIXED_CHOICE
                workspace.constant[sizes[0]] = workspace.leaving[sizes[0]] = 0.0
                bound = np.float32(0.0)
                if kind == ChoiceKind.OPEN:
                    bound = _fold_choices(draft, row, role, choice)
                elif kind == ChoiceKind.BLIND:
                    workspace.leaving[sizes[0]] = 1.0
                else:
                    bound = _add_actions(draft, row, role, choice)
                boundary_bound = max(boundary_bound, bound)
                highest = max(highest, workspace.constant[sizes[0]])
                workspace.sure[sizes[0]] = workspace.terms[sizes[0]] = workspace.constant[sizes[0]]
                workspace.outcomes_end[sizes[0]] = sizes[1]
                sizes[0] += 1
            workspace.actions_end[2 * i + role] = sizes[0]
    return boundary_bound, highest


def _add_actions(draft: _EquationDraft, row: int, role: int, choice: int) -> Any:
    """Add a state's actions with their probabilities, or only the chosen one."""
    batch, probabilities = draft.component.batch, draft.play.probabilities
    bound = np.float32(0.0)
    first = begin(batch.actions_end, row)
    for action in range(first, batch.actions_end[row]):
        share = 1.0 if choice >= 0 else probabilities[role, batch.state[row], action - first]
        if share > 0.0 and (choice < 0 or action - first == choice):
            bound = max(bound, _add_action(draft, action, share, role))
    return bound


def _fold_choices(draft: _EquationDraft, row: int, role: int, choice: int) -> Any:
    """Add an open state's pairs of actions: all mixed, or with the tracked seat's action fixed."""
    batch, first, _ = draft.component
    play, workspace, values, quantity = draft.play, draft.workspace, draft.values, draft.quantity
    bound = np.float32(0.0)
    state, first_action = batch.state[row], begin(batch.actions_end, row)
    equation = draft.sizes[0]
    for action in range(first_action, batch.actions_end[row]):
        share = play.probabilities[role, state, action - first_action]
        if role == 0 and choice >= 0:
            share = 1.0 if action - first_action == choice else 0.0
        if share == 0.0:
            continue
        if quantity:
            workspace.constant[equation] += share  # the open state's action, or its turn
        target = batch.target[begin(batch.outcomes_end, action)]
        inner_row = first - 1 - target  # of the blind state, if it is in the component
        blind = batch.state[inner_row] if target < 0 else target
        for second in range(play.second_choices[state]):
            second_share = play.probabilities[1 - role, blind, second]
            if role == 1 and choice >= 0:
                second_share = 1.0 if second == choice else 0.0
            if second_share == 0.0:
                continue
            weight = share * second_share
            if target < 0:
                second_action = begin(batch.actions_end, inner_row) + second
                bound = max(bound, _add_action(draft, second_action, weight, 1 - role))
            else:
                workspace.constant[equation] += weight * values.actions[quantity, blind, second, 1 - role]
                workspace.leaving[equation] += weight
                bound = max(bound, values.bound[min(quantity, 1), 2 * blind + 1 - role])
    return bound


def _add_action(draft: _EquationDraft, action: int, share: float, role: int) -> Any:
    """Add an action with its probability to the equation; return the largest error bound on its boundary."""
    batch, workspace, values, quantity = draft.component.batch, draft.workspace, draft.values, draft.quantity
    sizes = draft.sizes
    bound = np.float32(0.0)
    constant, leaving = share * _gain(batch, action, role, quantity), share * batch.ending[action]
    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
        target, turn = batch.target[outcome], batch.passes[outcome]
        weight, after = share * batch.probability[outcome], (role + turn) & 1
        if quantity == 2 and turn:
            constant += weight
        if target < 0:
            workspace.target[sizes[1]] = 2 * workspace.position[inner_index(target)] + after
            workspace.weight[sizes[1]] = weight
            sizes[1] += 1
        else:
            constant += weight * values.value[quantity, 2 * target + after]
            leaving += weight
            bound = max(bound, values.bound[min(quantity, 1), 2 * target + after])
    workspace.constant[sizes[0]] += constant
    workspace.leaving[sizes[0]] += leaving
    return bound
