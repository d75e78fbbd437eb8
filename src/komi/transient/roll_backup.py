"""Backup of stored states through their rolls: transient states are enumerated again instead of stored.

A stored state and the equations of its roll graph (`komi.transient.roll_graph`) are backed up together. If the stored
state lies on no cycle, these equations are backed up in their order, children first. In a cyclic component each sweep
does so in every state (`komi.transient.roll_sweeps`): it is a sweep over the equations of all states as if
they were stored, and the proof in `certificate` is that of the game with all its states.
"""

from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from komi.arrays import I64, Flags
from komi.bellman import (
    LOOSE,
    SLOW,
    SOLVED,
    SWEEPS,
    Component,
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
from komi.graph.perspective import linear_term
from komi.graph.transitions import GraphCounts, Transitions, begin, count_columns, gain_at
from komi.jit.kernels import Kernels, engine_kernels, engine_kernels_with
from komi.transient.roll_equations import lay_out_rolls
from komi.transient.roll_graph import Shapes
from komi.transient.roll_sweeps import (
    PortRows,
    Slots,
    largest_roll_magnitude,
    sweep_rolls,
    sweep_rolls_bounds,
)
from komi.transient.schedules import PLANS, Plans, write_plan
from komi.transient.simd_backup import AloneRoom, solve_alone
from komi.transient.store import Rolls

FIRST_PLANS = 16
"""The initial capacity for evaluation schedules."""


class ExpandedBackup(ValueBackup):
    """Computes the values of stored states and of the transient states in their rolls.

    Args:
        rolls: the rolls of the states.
        states, counts, fallback, objective: as in `ValueBackup`.
    """

    def __init__(self, rolls: Rolls, states: int, counts: GraphCounts, *arguments: Any, **named: Any) -> None:
        super().__init__(states, counts, *arguments, **named)
        self._objective = self._objective._replace(slack=roll_rounding_slack(counts))
        unit, deficit = self._rounding
        self._rounding = ProbabilityError(unit + 2.0**-51, deficit + roll_rounding_slack(counts))
        self._rolls = rolls
        self._needed = np.zeros(3, np.int64)
        self._plans = Plans.empty(len(rolls.shapes.shape_graph), FIRST_PLANS)
        self._slots = Slots.empty(0)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, ports and outcomes of ports."""
        self._workspace = Workspace.empty(1, states, 1, 1)
        self._states = states
        self._needed[:] = 0
        self._ports = PortRows.empty(states, actions, outcomes)

    def solve(self, batch: Transitions, ends: I64) -> int:
        """Compute the values of a batch's states."""
        shapes, shape_of = self._rolls.shapes, self._rolls.shape_of
        needed = np.zeros(3, np.int64)
        engine_kernels()[measure](batch, ends[-1], shapes, shape_of, needed)
        if np.any(needed > self._needed):
            self._needed = np.maximum(self._needed, needed * 5 // 4)
            self._room = AloneRoom.empty(self._states, *map(int, self._needed))
        while not engine_kernels()[write_plans](batch, ends, shapes, shape_of, self._plans):
            self._plans = self._plans.doubled()
        most_slots = int(self._plans.slots[: self._plans.used[PLANS]].max(initial=0))
        if most_slots > len(self._slots.value):
            self._slots = Slots.empty(most_slots)
        return super().solve(batch, ends)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        problem = RollProblem(
            self._rolls.shapes, self._rolls.shape_of, self._plans, self._objective, self._workspace, self._ports,
            self._slots, self._room, self.results, self._stop,
        )  # fmt: skip
        return _kernels()[solve_expanded](batch, ends, component, sweeps, problem)  # type: ignore[no-any-return]

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:  # noqa: ARG002
        """Solve a component by policy iteration on the equations of all its rolls; return whether that succeeded.

        An outcome that leaves a roll with a probability within rounding cannot be distinguished here, and counts as
        rounding.
        """
        first, end = int(begin(ends, component)), int(ends[component])
        objective, found = self._objective, self.results
        root, (actions_end, _, outcomes_end, target, weight), (number, sure, sizes) = engine_kernels()[lay_out_rolls](
            batch, first, end, self._rolls.shapes, self._rolls.shape_of, objective, found
        )
        actions, outcomes = int(actions_end[-1]), int(outcomes_end[actions_end[-1] - 1])
        origin = np.repeat(np.arange(actions), np.diff(outcomes_end[:actions], prepend=0))
        leaving = 1.0 - np.bincount(origin, np.abs(weight[:outcomes]), actions)
        leaving[leaving <= self._rounding.deficit] = 0.0
        rows = PolicyEquations(
            actions_end,
            outcomes_end[:actions],
            target[:outcomes].astype(np.int64),
            weight[:outcomes],
            sure[:actions],
            leaving,
            sizes[:actions] + leaving,
        )
        solved = iterate_policies(rows, objective, self._rounding, self._stop, self._progress)
        if solved is None:
            return False
        targets = batch.target[
            begin(batch.outcomes_end, begin(batch.actions_end, first)) : begin(
                batch.outcomes_end, int(begin(batch.actions_end, end))
            )
        ]
        exits = targets[targets >= 0]
        states = batch.state[first:end]
        found.value[states] = solved.value[root]
        found.bound[states] = round_up(solved.bound[root] + found.bound[exits].max(initial=0.0))
        found.choice[states] = number[solved.choice[root]]
        return True


@cache
def _kernels() -> Kernels:
    """Return the generic kernels, specialized so that a sweep evaluates the rolls of states."""
    functions = {"sweep": sweep_rolls, "sweep_bounds": sweep_rolls_bounds, "largest_magnitude": largest_roll_magnitude}
    return engine_kernels_with(
        "expanded", **{name: cast(FunctionType, function) for name, function in functions.items()}
    )


def measure(batch: Any, states: int, shapes: Shapes, shape_of: Any, needed: Any) -> None:
    """Fill in the largest numbers of ports, exit lists and equations of any of the first `states` states of a batch."""
    for row in range(states):
        shape = shape_of[batch.state[row]]
        graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
        needed[0] = max(needed[0], batch.actions_end[row] - begin(batch.actions_end, row))
        needed[1] = max(needed[1], shapes.exits_lists[exits] - begin(shapes.exits_lists, exits))
        needed[2] = max(needed[2], shapes.graph_rows[graph] - begin(shapes.graph_rows, graph))


def write_plans(batch: Any, ends: Any, shapes: Shapes, shape_of: Any, plans: Plans) -> bool:
    """Write missing evaluation schedules of roll graphs in cyclic components; return whether the capacity sufficed."""
    first = 0
    for end in ends:
        if _is_cyclic(batch, first, end):
            for row in range(first, end):
                shape = shape_of[batch.state[row]]
                ports = batch.actions_end[row] - begin(batch.actions_end, row)
                if plans.of_shape[shape] < 0 and not write_plan(shapes, shape, ports, plans):
                    return False
        first = end
    return True


def _is_cyclic(batch: Any, first: int, end: int) -> bool:
    """Return whether a component has more than one state, or a state with a self-loop."""
    if end > first + 1:
        return True
    start = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for outcome in range(start, batch.outcomes_end[batch.actions_end[first] - 1]):  # noqa: SIM110  compiled code
        if batch.target[outcome] < 0:
            return True
    return False


class RollProblem(NamedTuple):
    """What to compute for the components of a batch, whose actions are the ports of rolls.

    Attributes:
        shapes, shape_of: see `Rolls`.
        plans: the evaluation schedules of the roll graphs in cyclic components.
        objective: the objective.
        workspace: buffers that fit the largest cyclic component.
        ports: a buffer that fits the largest cyclic component.
        slots: a buffer that fits any of its states.
        room: a buffer for the states that lie on no cycle.
        results: of states solved before; filled in.
        stop: bool[1], set by another thread to stop early.
    """

    shapes: Shapes
    shape_of: Any
    plans: Plans
    objective: Objective
    workspace: Workspace
    ports: PortRows
    slots: Slots
    room: AloneRoom
    results: RoleValues
    stop: Flags


def solve_expanded(batch: Transitions, ends: I64, component: int, sweeps: int, problem: RollProblem) -> tuple[int, int]:
    """Solve components in the given order; all components that a component leads to must precede it.

    Args:
        batch: their transitions, with ports in place of actions.
        ends: int64[components], one past the last state of each.
        component: the first component to solve.
        sweeps: the most sweeps per component; with fewer than `SWEEPS`, slow components are left to a direct solver.
        problem: what to compute.

    Returns:
        (the status, the first unsolved component)
    """
    shapes, shape_of, objective = problem.shapes, problem.shape_of, problem.objective
    first: Any = np.int64(begin(ends, component))
    while component < len(ends):
        alone = component
        while alone < len(ends) and not _is_cyclic(batch, first + alone - component, ends[alone]):
            alone += 1
        if alone > component:
            solve_alone(batch, first, ends[alone - 1], shapes, shape_of, objective, problem.room, problem.results)
            first, component = ends[alone - 1], alone
            continue
        status = _solve_together(Component(batch, first, ends[component] - first), sweeps, problem)
        if status != SOLVED:
            return status, component
        first = ends[component]
        component += 1
    return SOLVED, len(ends)


def _solve_together(component: Component, sweeps: int, problem: RollProblem) -> int:
    """Solve a cyclic component; return the status."""
    objective, workspace, results = problem.objective, problem.workspace, problem.results
    batch, first, size = component
    feedback = order_equations(component, 1, workspace, results.value)
    exits_bound, magnitude = _lay_out(component, problem.shape_of, objective, workspace, problem.ports, results)
    rows = size, problem.ports, problem.shapes, problem.plans, objective.sign, problem.slots
    initial = 0.5 if objective.is_zero_sum else 0.0
    status, error, scale = solve_values(rows, workspace, feedback, magnitude, initial, objective, sweeps, problem.stop)
    if status != SOLVED:
        return status  # type: ignore[no-any-return]
    if sweeps < SWEEPS and error > LOOSE * scale:
        return SLOW
    bound = round_up(exits_bound + error)
    for i in range(size):
        index = batch.state[first + workspace.order[i]]
        results.value[index] = workspace.value[i]
        results.bound[index] = bound
        results.choice[index] = workspace.choice[i]
    return SOLVED


def _lay_out(
    component: Component,
    shape_of: Any,
    objective: Objective,
    workspace: Workspace,
    into: PortRows,
    results: RoleValues,
) -> Any:
    """Copy the ports of all states in solving order, with boundary values folded into constants.

    Returns:
        (the largest error bound at the boundary, the largest magnitude of a constant's terms)
    """
    batch, first, size = component
    is_zero_sum, sign = objective.is_zero_sum, objective.sign
    last_view = count_columns(batch.gain) - 1
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    ports = more = 0
    for i in range(size):
        row = first + workspace.order[i]
        into.shape[i] = shape_of[batch.state[row]]
        first_port = begin(batch.actions_end, row)
        outcome = begin(batch.outcomes_end, first_port)
        for port in range(first_port, batch.actions_end[row]):
            constant = sign * gain_at(batch.gain, port, 0)
            terms = gain_at(batch.gain, port, last_view)
            into.weight[ports], into.target[ports] = 0.0, 0
            inside = 0
            while outcome < batch.outcomes_end[port]:
                target, weight = batch.target[outcome], batch.probability[outcome]
                if is_zero_sum:
                    added, weight = linear_term(weight, batch.passes[outcome])
                    constant += added
                if target >= 0:
                    constant += weight * results.value[target]
                    terms += abs(weight * results.value[target])
                    exits_bound = max(exits_bound, results.bound[target])
                elif inside == 0:
                    into.weight[ports], into.target[ports] = weight, workspace.position[-1 - target]
                    inside = 1
                else:
                    into.more_weight[more], into.more_target[more] = weight, workspace.position[-1 - target]
                    into.more_port[more] = port - first_port
                    more += 1
                outcome += 1
            magnitude = max(magnitude, terms)
            into.constant[ports] = constant
            ports += 1
        into.ports_end[i] = ports
        into.more_end[i] = more
    return exits_bound, magnitude
