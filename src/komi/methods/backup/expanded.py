"""Backup of stored states through their rolls: the states inside a roll are worked out again, not stored.

A stored state and the rows of its roll (`komi.model.rolls.shapes`) are backed up together. Where the stored state lies
on no cycle, its rows are backed up in their order, children first. In a cyclic component each sweep does so in every
state (`komi.methods.backup.expanded_sweeps`): it is a sweep over the rows of all states as if they were stored, and
the proof in `certificate` is that of the game with all its states.
"""

from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import Kernels, engine, engine_with
from komi.methods.backup.batch import SOLVED, STOPPED, UNPROVED, ValueBackup, above
from komi.methods.backup.certificate import certify
from komi.methods.backup.endless import TOO_LONG
from komi.methods.backup.expanded_sweeps import (
    RollRoom,
    action_of_root,
    back_up_roll,
    sweep_rolls,
    sweep_rolls_bounds,
)
from komi.methods.backup.fixed_point import settle
from komi.methods.backup.laid_out import explain_endless
from komi.methods.backup.ordering import order_rows
from komi.methods.backup.rows import Scratch, rolled_slack, rounding
from komi.model.components import BACKED_UP
from komi.model.rolls.rolls import Rolls
from komi.model.rolls.shapes import Shapes
from komi.model.survey import Counts
from komi.model.transitions import Transitions, begin, gain_in, views_of


class Ports(NamedTuple):
    """What the ports of a cyclic component gain and lead to, state by state in solving order."""

    shape: Any  # int32[states]
    ports_end: Any  # int64[states] one past a state's last port
    constant: Any  # float64[ports] what it gains for sure, exits included
    outcomes_end: Any  # int64[ports]
    target: Any  # int32[outcomes] states, in solving order; outcomes within the component only
    weight: Any  # float64[outcomes]

    @classmethod
    def empty(cls, states: int, ports: int, outcomes: int) -> "Ports":
        """Room for so many."""
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(ports, np.float64),
            np.empty(ports, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
        )


class ExpandedBackup(ValueBackup):
    """Finds the values of stored states, each of which is expanded: a `model.components.Backup`.

    Args:
        rolls: the rolls of the states.
        states, counts, failed, flips, sign, lowest, highest: as `ValueBackup` takes them.
    """

    def __init__(self, rolls: Rolls, states: int, counts: Counts, *arguments: Any, **named: Any) -> None:
        super().__init__(states, counts, *arguments, **named)
        self._objective = self._objective._replace(slack=rolled_slack(counts))
        self._rolls = rolls
        self._needed = np.zeros(3, np.int64)

    def make_room(self, states: int, actions: int, outcomes: int) -> None:
        """Room for components of so many states, ports and outcomes of ports."""
        self._scratch = Scratch.empty(1, states, 1, 1)
        self._ports = Ports.empty(states, actions, outcomes)

    def back_up(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Find the values of a batch's states."""
        shapes, shape_of = self._rolls.shapes, self._rolls.shape_of
        needed = np.zeros(3, np.int64)
        engine()[measure](batch, ends[-1], shapes, shape_of, needed)
        if np.any(needed > self._needed):
            self._needed = np.maximum(self._needed, needed * 5 // 4)
            self._room = RollRoom.empty(*map(int, self._needed))
        solved, how = _kernels()[solve_expanded](
            batch, ends, shapes, shape_of, self._objective, self._scratch, self._ports, self._room,
            self.findings, self._stop,
        )  # fmt: skip
        if how == SOLVED:
            return BACKED_UP
        first = int(ends[solved - 1]) if solved else 0
        if how == UNPROVED:
            return int(
                engine()[explain_endless](
                    batch,
                    first,
                    ends[solved],
                    shapes,
                    shape_of,
                    self._objective,
                    self.findings,
                    self._verdict,
                    self._stop,
                )
            )
        self._verdict[2] = TOO_LONG
        return int(batch.state[first])


@cache
def _kernels() -> Kernels:
    """Engine templates in which a sweep goes through the rolls of states."""
    functions = {"sweep": sweep_rolls, "sweep_bounds": sweep_rolls_bounds}
    return engine_with("expanded", **{name: cast(FunctionType, function) for name, function in functions.items()})


def measure(batch: Any, states: int, shapes: Shapes, shape_of: Any, needed: Any) -> None:
    """Fill in what one of so many states needs most: ports, lists and rows."""
    for row in range(states):
        shape = shape_of[batch.state[row]]
        graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
        needed[0] = max(needed[0], batch.actions_end[row] - begin(batch.actions_end, row))
        needed[1] = max(needed[1], shapes.exits_lists[exits] - begin(shapes.exits_lists, exits))
        needed[2] = max(needed[2], shapes.graph_rows[graph] - begin(shapes.graph_rows, graph))


def _is_cyclic(batch: Any, first: int, end: int) -> bool:
    """Whether a component has more than one state, or one that can lead to itself."""
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
    shapes: Shapes,
    shape_of: Any,
    objective: Any,
    scratch: Any,
    ports: Ports,
    room: RollRoom,
    findings: Any,
    stop: Any,
) -> tuple[int, int]:
    """Solve components in the order given, which must have all that they lead to before them.

    Args:
        batch: their `Transitions`, with ports in place of actions.
        ends: int64[components] one past the last state of each.
        shapes, shape_of: of `Rolls`.
        objective, scratch, findings, stop: as `batch.solve_batch` takes them.
        ports: room for the largest cyclic component.
        room: for one state.

    Returns:
        (how many components were solved, how the next one failed)
    """
    first = 0
    for component in range(len(ends)):
        end = ends[component]
        if not _is_cyclic(batch, first, end):
            _solve_alone(batch, first, shapes, shape_of[batch.state[first]], objective, room, findings)
        else:
            how = _solve_together(batch, first, end, shapes, shape_of, objective, scratch, ports, room, findings, stop)
            if how != SOLVED:
                return component, how
        first = end
    return len(ends), SOLVED


def _solve_alone(batch: Any, row: int, shapes: Shapes, shape: int, objective: Any, room: Any, findings: Any) -> None:
    """Back up one state from those that its ports lead to."""
    flips, sign = objective.flips, objective.sign
    last_view = views_of(batch.gain) - 1
    first_port = begin(batch.actions_end, row)
    outcome = begin(batch.outcomes_end, first_port)
    worst = np.float32(0.0)
    magnitude = 0.0
    for port in range(first_port, batch.actions_end[row]):
        value = sign * gain_in(batch.gain, port, 0)
        terms = gain_in(batch.gain, port, last_view)
        while outcome < batch.outcomes_end[port]:
            probability, after = batch.probability[outcome], batch.target[outcome]
            worth = findings.value[after]
            if flips and batch.passes[outcome] & 1:
                worth = 1.0 - worth
            value += probability * worth
            terms += probability * abs(worth)
            worst = max(worst, findings.bound[after])
            outcome += 1
        room.port_value[port - first_port] = value
        magnitude = max(magnitude, terms)
    value, largest = back_up_roll(shapes, shape, sign, room)
    magnitude = max(magnitude, largest)
    state = batch.state[row]
    findings.value[state] = value
    findings.choice[state] = action_of_root(shapes, shape, sign, value, room)
    depth = shapes.graph_depth[shapes.shape_graph[shape]]
    findings.bound[state] = above(worst + (depth + 1) * rounding(objective, 2.0 * magnitude))


def _solve_together(
    batch: Any,
    first: int,
    end: int,
    shapes: Shapes,
    shape_of: Any,
    objective: Any,
    scratch: Any,
    ports: Any,
    room: Any,
    findings: Any,
    stop: Any,
) -> int:
    """Solve a cyclic component; returns how that went."""
    size = end - first
    closing = order_rows(batch, first, size, scratch, findings.value)
    exits_bound, magnitude = _lay_out(batch, first, size, shape_of, objective, scratch, ports, findings)
    feedback = scratch.feedback[:closing]
    sign = objective.sign
    largest = np.zeros(1)
    rows = (
        shapes, ports.shape[:size], ports.ports_end, ports.constant, ports.outcomes_end, ports.target, ports.weight,
        sign, room, largest,
    )  # fmt: skip
    value = scratch.value
    for i in range(size):
        value[i] = 0.5 if objective.flips else 0.0
    if settle(rows, value, feedback, objective.lowest, objective.highest, stop):
        return STOPPED
    magnitude = max(magnitude, largest[0])
    for i in range(size):
        magnitude = max(magnitude, abs(value[i]))
    residual, longest = certify(
        rows,
        value,
        feedback,
        rounding(objective, 2.0 * magnitude),
        objective.lowest,
        objective.highest,
        scratch.mine,
        scratch.theirs,
        scratch.choice,
        stop,
    )
    if longest < 0.0:
        return STOPPED if stop[0] else UNPROVED
    bound = above(exits_bound + residual * longest)
    for i in range(size):
        index = batch.state[first + scratch.order[i]]
        findings.value[index] = value[i]
        findings.bound[index] = bound
        findings.choice[index] = scratch.choice[i]
    return SOLVED


def _lay_out(
    batch: Any, first: int, size: int, shape_of: Any, objective: Any, scratch: Any, into: Any, findings: Any
) -> Any:
    """Copy the ports of all states in solving order, what they lead to outside folded into constants.

    Returns:
        (the largest bound among what they lead to, the largest magnitude of a constant's terms)
    """
    flips, sign = objective.flips, objective.sign
    last_view = views_of(batch.gain) - 1
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    ports = outcomes = 0
    for i in range(size):
        row = first + scratch.order[i]
        into.shape[i] = shape_of[batch.state[row]]
        for port in range(begin(batch.actions_end, row), batch.actions_end[row]):
            constant = sign * gain_in(batch.gain, port, 0)
            terms = gain_in(batch.gain, port, last_view)
            for outcome in range(begin(batch.outcomes_end, port), batch.outcomes_end[port]):
                target, weight = batch.target[outcome], batch.probability[outcome]
                if flips and batch.passes[outcome] & 1:
                    constant += weight
                    weight = -weight
                if target < 0:
                    into.target[outcomes] = scratch.position[-1 - target]
                    into.weight[outcomes] = weight
                    outcomes += 1
                else:
                    constant += weight * findings.value[target]
                    terms += abs(weight * findings.value[target])
                    exits_bound = max(exits_bound, findings.bound[target])
            magnitude = max(magnitude, terms)
            into.constant[ports] = constant
            into.outcomes_end[ports] = outcomes
            ports += 1
        into.ports_end[i] = ports
    return exits_bound, magnitude
