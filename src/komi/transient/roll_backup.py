"""Backup of stored states through their rolls: transient states are not stored.

A stored state and the equations of its roll graph (`komi.transient.roll_graph`) are backed up together. If the stored
state lies on no cycle, these equations are backed up in their order, children first. In a cyclic component each sweep
does so in every state (`komi.transient.roll_sweeps`): it is a sweep over the equations of all states as if
they were stored, and the proof in `certificate` is that of the game with all its states.
"""

from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from komi.arrays import F64, I32, I64, Flags
from komi.bellman import (
    LOOSE,
    SWEEPS,
    Component,
    ComponentStatus,
    Objective,
    PolicyEquations,
    ProbabilityError,
    RoleValues,
    ValueBackup,
    Workspace,
    iterate_policies,
    order_equations,
    roll_rounding_slack,
    round_up,
    solve_values,
)
from komi.graph.transitions import (
    GraphCounts,
    Transitions,
    begin,
    boundary_of,
    count_columns,
    gain_at,
    has_self_loop,
    inner_index,
    linear_term,
)
from komi.jit.kernels import Kernels, engine_kernels
from komi.transient.roll_equations import lay_out_rolls
from komi.transient.roll_graph import RollGraphs
from komi.transient.roll_sweeps import (
    ExitEquations,
    RollEquations,
    Slots,
    largest_roll_magnitude,
    sweep_rolls,
    sweep_rolls_bounds,
)
from komi.transient.schedules import ScheduleKind, Schedules, write_schedule
from komi.transient.simd_backup import LaneBuffers, back_up_acyclic
from komi.transient.store import Rolls

FIRST_SCHEDULES = 16
"""The initial capacity for evaluation schedules."""


class StateGraphs(NamedTuple):
    """The roll graphs of a game's states."""

    graphs: RollGraphs
    graph_of: I32  # [states] the roll graph of each
    schedules: Schedules  # of the roll graphs in cyclic components


class RollWorkspace(NamedTuple):
    """Buffers for the components of a batch."""

    component: Workspace  # fits the largest cyclic component
    exits: ExitEquations  # fits the largest cyclic component
    slots: Slots  # fits any of its states
    lanes: LaneBuffers  # for the states that lie on no cycle
    stop: Flags  # [1], set by another thread to stop early


class RollBackup(ValueBackup):
    """Computes the values of stored states and of the transient states in their rolls: a component solver.

    Args:
        rolls: the rolls of the states.
        states, counts, arguments, named: as in `ValueBackup`.
    """

    def __init__(self, rolls: Rolls, states: int, counts: GraphCounts, *arguments: Any, **named: Any) -> None:
        super().__init__(states, counts, *arguments, **named)
        self._objective = self._objective._replace(slack=roll_rounding_slack(counts))
        unit, deficit = self._rounding
        self._rounding = ProbabilityError(unit + 2.0**-51, deficit + roll_rounding_slack(counts))
        self._rolls = rolls
        self._sizes = np.zeros(3, np.int64)
        self._schedules = Schedules.empty(len(rolls.graphs.graph_interior), FIRST_SCHEDULES)
        self._slots = Slots.empty(0)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, exits and outcomes of exits."""
        self._workspace = Workspace.empty(1, states, 1, 1)
        self._states = states
        self._sizes[:] = 0
        self._exits = ExitEquations.empty(states, actions, outcomes)

    def solve(self, batch: Transitions, ends: I64) -> int:
        """Compute the values of a batch's states."""
        sizes = np.zeros(3, np.int64)
        engine_kernels()[measure](batch, ends[-1], self._state_graphs, sizes)
        if np.any(sizes > self._sizes):
            self._sizes = np.maximum(self._sizes, sizes * 5 // 4)
            self._lanes = LaneBuffers.empty(self._states, *map(int, self._sizes))
        while not engine_kernels()[write_schedules](batch, ends, self._state_graphs):
            self._schedules = self._schedules.doubled()
        slots = int(self._schedules.slots[: self._schedules.used[ScheduleKind.SCHEDULE]].max(initial=0))
        if slots > len(self._slots.value):
            self._slots = Slots.empty(slots)
        return super().solve(batch, ends)

    @property
    def _state_graphs(self) -> StateGraphs:
        return StateGraphs(self._rolls.graphs, self._rolls.graph_of, self._schedules)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        workspace = RollWorkspace(self._workspace, self._exits, self._slots, self._lanes, self._stop)
        return _kernels()[solve_roll_components](  # type: ignore[no-any-return]
            batch, ends, component, sweeps, self._state_graphs, self._objective, workspace, self.results
        )

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:  # noqa: ARG002
        """Solve a component by policy iteration on the equations of all its rolls; return whether that succeeded.

        An outcome that leaves a roll with a probability within rounding cannot be distinguished here, and counts as
        rounding.
        """
        first, end = int(begin(ends, component)), int(ends[component])
        objective, results = self._objective, self.results
        root, (actions_end, _, outcomes_end, target, weight), (number, sure, sizes) = engine_kernels()[lay_out_rolls](
            batch, first, end, self._rolls.graphs, self._rolls.graph_of, objective, results
        )
        actions, outcomes = int(actions_end[-1]), int(outcomes_end[actions_end[-1] - 1])
        origin = np.repeat(np.arange(actions), np.diff(outcomes_end[:actions], prepend=0))
        leaving: F64 = np.subtract(1.0, np.bincount(origin, np.abs(weight[:outcomes]), actions))
        leaving[leaving <= self._rounding.deficit] = 0.0
        equations = PolicyEquations(
            actions_end,
            outcomes_end[:actions],
            target[:outcomes].copy(),
            weight[:outcomes],
            sure[:actions],
            leaving,
            sizes[:actions] + leaving,
        )
        solved = iterate_policies(equations, objective, self._rounding, self._stop, self._progress)
        if solved is None:
            return False
        boundary, states = boundary_of(batch, first, end), batch.state[first:end]
        results.value[states] = solved.value[root]
        results.bound[states] = round_up(solved.bound[root] + results.bound[boundary].max(initial=0.0))
        results.choice[states] = number[solved.choice[root]]
        return True


@cache
def _kernels() -> Kernels:
    """Return the generic kernels, specialized so that a sweep evaluates the rolls of states."""
    functions = {
        "sweep": sweep_rolls,
        "sweep_bounds": sweep_rolls_bounds,
        "largest_magnitude": largest_roll_magnitude,
    }
    return engine_kernels(**{name: cast(FunctionType, function) for name, function in functions.items()})


def measure(batch: Transitions, states: int, rolls: StateGraphs, sizes: I64) -> None:
    """Fill in the largest numbers of exits, exit lists and nodes of any of the first `states` states of a batch."""
    graphs = rolls.graphs
    for row in range(states):
        graph = rolls.graph_of[batch.state[row]]
        interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
        sizes[0] = max(sizes[0], batch.actions_end[row] - begin(batch.actions_end, row))
        sizes[1] = max(sizes[1], graphs.assignment_lists[assignment] - begin(graphs.assignment_lists, assignment))
        sizes[2] = max(sizes[2], graphs.interior_nodes[interior] - begin(graphs.interior_nodes, interior))


def write_schedules(batch: Transitions, ends: I64, rolls: StateGraphs) -> bool:
    """Write missing evaluation schedules of roll graphs in cyclic components; return whether the capacity sufficed."""
    first = 0
    for end in ends:
        if _is_cyclic(batch, first, end):
            for row in range(first, end):
                graph = rolls.graph_of[batch.state[row]]
                exits = batch.actions_end[row] - begin(batch.actions_end, row)
                is_missing = rolls.schedules.of_graph[graph] < 0
                if is_missing and not write_schedule(rolls.graphs, graph, exits, rolls.schedules):
                    return False
        first = end
    return True


def _is_cyclic(batch: Transitions, first: int, end: int) -> bool:
    """Return whether a component has more than one state, or a state with a self-loop."""
    return end > first + 1 or has_self_loop(batch, first)


def solve_roll_components(
    batch: Transitions,
    ends: I64,
    component: int,
    sweeps: int,
    rolls: StateGraphs,
    objective: Objective,
    workspace: RollWorkspace,
    results: RoleValues,
) -> tuple[int, int]:
    """Solve components in the given order; all components that a component leads to must precede it.

    Args:
        batch: their transitions, with exits in place of actions.
        ends: [components] one past the last state of each.
        component: the first component to solve.
        sweeps: the most sweeps per component; with fewer than `SWEEPS`, slow components are left to a direct solver.
        rolls: the roll graphs of the states.
        objective, results: as in `backup.solve_batch`.
        workspace: buffers.

    Returns:
        (the status, the first unsolved component)
    """
    first: Any = np.int64(begin(ends, component))
    while component < len(ends):
        following = component
        while following < len(ends) and not _is_cyclic(batch, first + following - component, ends[following]):
            following += 1
        if following > component:
            end = ends[following - 1]
            back_up_acyclic(batch, first, end, rolls.graphs, rolls.graph_of, objective, workspace.lanes, results)
            first, component = end, following
            continue
        members = Component(batch, first, ends[component] - first)
        status = _solve_cyclic(members, sweeps, rolls, objective, workspace, results)
        if status != ComponentStatus.SOLVED:
            return status, component
        first = ends[component]
        component += 1
    return ComponentStatus.SOLVED, len(ends)


def _solve_cyclic(
    component: Component,
    sweeps: int,
    rolls: StateGraphs,
    objective: Objective,
    workspace: RollWorkspace,
    results: RoleValues,
) -> int:
    """Solve a cyclic component; return the status."""
    batch, first, size = component
    buffers = workspace.component
    feedback = order_equations(component, 1, buffers, results.value)
    boundary_bound, magnitude = _lay_out(component, rolls.graph_of, objective, buffers, workspace.exits, results)
    equations = RollEquations(size, workspace.exits, rolls.graphs, rolls.schedules, objective.sign, workspace.slots)
    initial = 0.5 if objective.is_zero_sum else 0.0
    buffers.value[:size] = initial  # a schedule reads the values of all states of the component, also of later ones
    status, error, scale = solve_values(
        equations, buffers, feedback, magnitude, initial, objective, sweeps, workspace.stop
    )
    if status != ComponentStatus.SOLVED:
        return status
    if sweeps < SWEEPS and error > LOOSE * scale:
        return ComponentStatus.SLOW
    bound = round_up(boundary_bound + error)
    for i in range(size):
        index = batch.state[first + buffers.order[i]]
        results.value[index] = buffers.value[i]
        results.bound[index] = bound
        results.choice[index] = buffers.choice[i]
    return ComponentStatus.SOLVED


def _lay_out(
    component: Component,
    graph_of: I32,
    objective: Objective,
    workspace: Workspace,
    into: ExitEquations,
    results: RoleValues,
) -> Any:
    """Copy the exits of all states in solving order, with boundary values folded into constants.

    Returns:
        (the largest error bound at the boundary, the largest magnitude of a constant's terms)
    """
    batch, first, size = component
    is_zero_sum, sign = objective.is_zero_sum, objective.sign
    last_column = count_columns(batch.gain) - 1
    boundary_bound = np.float32(0.0)
    magnitude = 0.0
    exits = more = 0
    for i in range(size):
        row = first + workspace.order[i]
        into.graph[i] = graph_of[batch.state[row]]
        first_exit = begin(batch.actions_end, row)
        outcome = begin(batch.outcomes_end, first_exit)
        for exit_ in range(first_exit, batch.actions_end[row]):
            constant = sign * gain_at(batch.gain, exit_, 0)
            terms = gain_at(batch.gain, exit_, last_column)
            into.weight[exits], into.target[exits] = 0.0, 0
            inside = 0
            while outcome < batch.outcomes_end[exit_]:
                target, weight = batch.target[outcome], batch.probability[outcome]
                if is_zero_sum:
                    added, weight = linear_term(weight, batch.passes[outcome])
                    constant += added
                if target >= 0:
                    constant += weight * results.value[target]
                    terms += abs(weight * results.value[target])
                    boundary_bound = max(boundary_bound, results.bound[target])
                elif inside == 0:
                    into.weight[exits], into.target[exits] = weight, workspace.position[inner_index(target)]
                    inside = 1
                else:
                    into.more_weight[more], into.more_target[more] = weight, workspace.position[inner_index(target)]
                    into.more_slot[more] = exit_ - first_exit
                    more += 1
                outcome += 1
            magnitude = max(magnitude, terms)
            into.constant[exits] = constant
            exits += 1
        into.exits_end[i] = exits
        into.more_end[i] = more
    return boundary_bound, magnitude
