"""Backup of stored states through their rolls: transient states are enumerated again instead of stored.

A stored state and the equations of its roll graph (`komi.transient.roll_graph`) are backed up together. If the stored
state lies on no cycle, these equations are backed up in their order, children first. In a cyclic component each sweep
does so in every state (`komi.transient.roll_sweeps`): it is a sweep over the equations of all states as if
they were stored, and the proof in `certificate` is that of the game with all its states.
"""

from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.bellman.backup import (
    FIRST_SWEEPS,
    LOOSE,
    SLOW,
    SOLVED,
    STOPPED,
    UNPROVED,
    WEAK,
    ValueBackup,
    round_up,
)
from komi.bellman.certificate import UNCONVERGED, certify
from komi.bellman.equations import Workspace, roll_rounding_slack, rounding_error
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import NEARLY_CONVERGED, SWEEPS, solve_fixed_point
from komi.bellman.policy_equations import PolicyEquations
from komi.bellman.policy_iteration import ProbabilityError, iterate_policies
from komi.graph.components import ALL_SOLVED
from komi.graph.perspective import linear_term
from komi.graph.transitions import GraphCounts, Transitions, begin, count_columns, gain_at
from komi.jit.kernels import Kernels, engine_kernels, engine_kernels_with
from komi.transient.roll_equations import lay_out_rolls
from komi.transient.roll_graph import Shapes
from komi.transient.roll_sweeps import (
    PortRows,
    Slots,
    largest_magnitude,
    sweep_rolls,
    sweep_rolls_bounds,
)
from komi.transient.schedules import PLANS, Plans, write_plan
from komi.transient.simd_backup import AloneRoom, solve_alone
from komi.transient.store import Rolls

FIRST_PLANS = 16
"""The initial capacity for evaluation schedules."""


class ExpandedBackup(ValueBackup):
    """Computes the values of stored states and of the transient states in their rolls: a component solver.

    Args:
        rolls: the rolls of the states.
        states, counts, fallback, objective: as in `ValueBackup`.
    """

    def __init__(self, rolls: Rolls, states: int, counts: GraphCounts, *arguments: Any, **named: Any) -> None:
        super().__init__(states, counts, *arguments, **named)
        self._objective = self._objective._replace(slack=roll_rounding_slack(counts))
        unit, uneven = self._rounding
        self._rounding = ProbabilityError(unit + 2.0**-51, uneven + roll_rounding_slack(counts))
        self._rolls = rolls
        self._needed = np.zeros(3, np.int64)
        self._plans = Plans.empty(len(rolls.shapes.shape_graph), FIRST_PLANS)
        self._slots = Slots.empty(0)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, ports and outcomes of ports."""
        self._scratch = Workspace.empty(1, states, 1, 1)
        self._states = states
        self._needed[:] = 0
        self._ports = PortRows.empty(states, actions, outcomes)

    def solve(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
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
        component = 0
        while component < len(ends):
            component, how = self._sweep_rolls(batch, ends, component, FIRST_SWEEPS)
            if how == SOLVED:
                break
            if how == STOPPED or not self._solve_rolls(batch, ends, component):
                _, how = self._sweep_rolls(batch, ends[: component + 1], component, SWEEPS)
                if how != SOLVED and not self._finish(batch, ends, component, how):
                    return int(batch.state[begin(ends, component)])
            elif self._is_weak(batch, ends, component):
                self._finish(batch, ends, component, WEAK)
            component += 1
        return ALL_SOLVED

    def _sweep_rolls(self, batch: Transitions, ends: NDArray[np.int64], component: int, sweeps: int) -> tuple[int, int]:
        """Solve components by sweeps, from `component` on; return the first unsolved component, and the status."""
        return _kernels()[solve_expanded](  # type: ignore[no-any-return]
            batch, ends, component, sweeps, self._rolls.shapes, self._rolls.shape_of, self._plans, self._objective,
            self._scratch, self._ports, self._slots, self._room, self.results, self._stop,
        )  # fmt: skip

    def _solve_rolls(self, batch: Transitions, ends: NDArray[np.int64], component: int) -> bool:
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
        leaving[leaving <= self._rounding.uneven] = 0.0
        rows = PolicyEquations(
            actions_end,
            outcomes_end[:actions],
            target[:outcomes].astype(np.int64),
            weight[:outcomes],
            sure[:actions],
            leaving,
            sizes[:actions] + leaving,
        )
        solved = iterate_policies(
            rows, objective.is_zero_sum, objective.lowest, objective.highest, self._rounding, self._stop, self._progress
        )
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
    functions = {"sweep": sweep_rolls, "sweep_bounds": sweep_rolls_bounds}
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


def solve_expanded(
    batch: Any,
    ends: Any,
    component: Any,
    sweeps: int,
    shapes: Shapes,
    shape_of: Any,
    plans: Plans,
    objective: Any,
    scratch: Any,
    ports: PortRows,
    slots: Slots,
    room: AloneRoom,
    results: Any,
    stop: Any,
) -> tuple[int, int]:
    """Solve components in the given order; all components that a component leads to must precede it.

    Args:
        batch: their `Transitions`, with ports in place of actions.
        ends: int64[components], one past the last state of each.
        component: the first component to solve.
        sweeps: the most sweeps per component; with fewer than `SWEEPS`, slow components are left to a direct solver.
        shapes, shape_of: see `Rolls`.
        plans: the evaluation schedules of the roll graphs in cyclic components.
        objective, scratch, findings, stop: as in `backup.solve_batch`.
        ports: a buffer that fits the largest cyclic component.
        slots: a buffer that fits any of its states.
        room: a buffer for the states that lie on no cycle.

    Returns:
        (the first unsolved component, the status)
    """
    first: Any = np.int64(begin(ends, component))
    while component < len(ends):
        alone = component
        while alone < len(ends) and not _is_cyclic(batch, first + alone - component, ends[alone]):
            alone += 1
        if alone > component:
            solve_alone(batch, first, ends[alone - 1], shapes, shape_of, objective, room, results)
            first, component = ends[alone - 1], alone
            continue
        end = ends[component]
        how = _solve_together(
            batch, first, end, sweeps, shapes, shape_of, plans, objective, scratch, ports, slots, results, stop
        )
        if how != SOLVED:
            return component, how
        first = end
        component += 1
    return len(ends), SOLVED


def _solve_together(
    batch: Any,
    first: int,
    end: int,
    sweeps: int,
    shapes: Shapes,
    shape_of: Any,
    plans: Plans,
    objective: Any,
    scratch: Any,
    ports: PortRows,
    slots: Slots,
    results: Any,
    stop: Any,
) -> int:
    """Solve a cyclic component; return the status."""
    size = end - first
    closing = order_equations(batch, first, size, scratch, results.value)
    exits_bound, magnitude = _lay_out(batch, first, size, shape_of, objective, scratch, ports, results)
    feedback = scratch.feedback[:closing]
    rows = size, ports, shapes, plans, objective.sign, slots
    value = scratch.value
    for i in range(size):
        value[i] = 0.5 if objective.is_zero_sum else 0.0
    if solve_fixed_point(rows, value, feedback, objective.lowest, objective.highest, stop, sweeps):
        return STOPPED
    if not objective.is_zero_sum:
        magnitude = max(magnitude, largest_magnitude(rows, value))
    for i in range(size):
        magnitude = max(magnitude, abs(value[i]))
    residual, longest = certify(
        rows,
        value,
        feedback,
        rounding_error(objective, 2.0 * magnitude),
        objective.lowest,
        objective.highest,
        scratch.mine,
        scratch.theirs,
        scratch.choice,
        stop,
        np.inf if sweeps == SWEEPS else NEARLY_CONVERGED * (1.0 + magnitude),
    )
    if longest == UNCONVERGED:
        return SLOW
    if longest < 0.0:
        return STOPPED if stop[0] else UNPROVED
    if sweeps < SWEEPS and residual * longest > LOOSE * (1.0 + magnitude):
        return SLOW
    bound = round_up(exits_bound + residual * longest)
    for i in range(size):
        index = batch.state[first + scratch.order[i]]
        results.value[index] = value[i]
        results.bound[index] = bound
        results.choice[index] = scratch.choice[i]
    return SOLVED


def _lay_out(
    batch: Any,
    first: int,
    size: int,
    shape_of: Any,
    objective: Any,
    scratch: Any,
    into: PortRows,
    results: Any,
) -> Any:
    """Copy the ports of all states in solving order, with boundary values folded into constants.

    Returns:
        (the largest error bound at the boundary, the largest magnitude of a constant's terms)
    """
    flips, sign = objective.is_zero_sum, objective.sign
    last_view = count_columns(batch.gain) - 1
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    ports = more = 0
    for i in range(size):
        row = first + scratch.order[i]
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
                if flips:
                    added, weight = linear_term(weight, batch.passes[outcome])
                    constant += added
                if target >= 0:
                    constant += weight * results.value[target]
                    terms += abs(weight * results.value[target])
                    exits_bound = max(exits_bound, results.bound[target])
                elif inside == 0:
                    into.weight[ports], into.target[ports] = weight, scratch.position[-1 - target]
                    inside = 1
                else:
                    into.more_weight[more], into.more_target[more] = weight, scratch.position[-1 - target]
                    into.more_port[more] = port - first_port
                    more += 1
                outcome += 1
            magnitude = max(magnitude, terms)
            into.constant[ports] = constant
            ports += 1
        into.ports_end[i] = ports
        into.more_end[i] = more
    return exits_bound, magnitude
