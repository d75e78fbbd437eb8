"""Backup of stored states through their rolls: the states inside a roll are worked out again, not stored.

A stored state and the rows of its roll (`komi.model.rolls.shapes`) are backed up together. Where the stored state lies
on no cycle, its rows are backed up in their order, children first. In a cyclic component the rows of all its states
are laid out one state after the other, as if they were stored, and solved and certified as any: the proof in
`certificate` is that of the game with all its states.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.methods.backup.batch import SOLVED, STOPPED, UNPROVED, ValueBackup, above
from komi.methods.backup.certificate import certify
from komi.methods.backup.endless import TOO_LONG, count_endless
from komi.methods.backup.fixed_point import settle
from komi.methods.backup.ordering import order_rows
from komi.methods.backup.rows import Scratch, rounding
from komi.model.components import BACKED_UP
from komi.model.rolls.rolls import Rolls
from komi.model.rolls.shapes import Shapes
from komi.model.transitions import Transitions, begin


class Laid(NamedTuple):
    """Room for the rows of the largest cyclic component, laid out."""

    root: Any  # int32[states] the row of each state, in solving order
    actions_end: Any  # int64[rows]
    constant: Any  # float64[actions]
    number: Any  # int16[actions] the action's number
    outcomes_end: Any  # int64[actions]
    target: Any  # int32[outcomes] rows
    weight: Any  # float64[outcomes]
    value: Any  # float64[rows]
    mine: Any  # float64[rows]
    theirs: Any  # float64[rows]
    choice: Any  # int32[rows]

    @classmethod
    def empty(cls, states: int, rows: int, actions: int, outcomes: int) -> "Laid":
        """Room for so many."""
        return cls(
            np.empty(states, np.int32),
            np.empty(rows, np.int64),
            np.empty(actions, np.float64),
            np.empty(actions, np.int16),
            np.empty(actions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.int32),
        )


class ExpandedBackup(ValueBackup):
    """Finds the values of stored states, each of which is expanded: a `model.components.Backup`.

    Args:
        rolls: the rolls of the states.
        states, counts, failed, flips, sign, lowest, highest: as `ValueBackup` takes them.
    """

    def __init__(self, rolls: Rolls, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._rolls = rolls
        self._laid = Laid.empty(1, 1, 1, 1)
        self._room = np.zeros(6, np.int64)
        self._lists, self._rows = np.empty((2, 1))

    def make_room(self, states: int, actions: int, outcomes: int) -> None:  # noqa: ARG002
        """Room for components of so many states, ports and outcomes of ports."""
        self._scratch = Scratch.empty(1, states, 1, 1)
        self._ports = np.empty(actions)

    def back_up(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Find the values of a batch's states."""
        shapes, shape_of = self._rolls.shapes, self._rolls.shape_of
        needed = np.zeros(6, np.int64)
        engine()[measure](batch, ends, shapes, shape_of, needed)
        if np.any(needed > self._room):
            self._room = np.maximum(self._room, needed * 5 // 4)
            *sizes, lists, rows = map(int, self._room)
            self._laid = Laid.empty(*sizes)
            self._lists, self._rows = np.empty(lists), np.empty(rows)
        return int(
            engine()[solve_expanded](
                batch,
                ends,
                shapes,
                shape_of,
                self._objective,
                self._scratch,
                self._laid,
                (self._ports, self._lists, self._rows),
                self.findings,
                self._verdict,
                self._stop,
            )
        )


def measure(batch: Any, ends: Any, shapes: Shapes, shape_of: Any, needed: Any) -> None:
    """Fill in what is needed most: states, rows, actions, outcomes of a cyclic component; lists and rows of a roll."""
    first = 0
    for component in range(len(ends)):
        rows = actions = outcomes = 0
        cyclic = _is_cyclic(batch, first, ends[component])
        for row in range(first, ends[component]):
            shape = shape_of[batch.state[row]]
            graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
            first_row = begin(shapes.graph_rows, graph)
            count = shapes.graph_rows[graph] - first_row
            first_list = begin(shapes.exits_lists, exits)
            needed[4] = max(needed[4], shapes.exits_lists[exits] - first_list)
            needed[5] = max(needed[5], count)
            if not cyclic:
                continue
            listed = begin(shapes.exits_listed, exits)
            for i in range(count):
                each = first_list + shapes.listed_list[listed + i]
                for entry in range(begin(shapes.list_entries, each), shapes.list_entries[each]):
                    port = begin(batch.actions_end, row) + shapes.entry_port[entry]
                    actions += 1
                    outcomes += batch.outcomes_end[port] - begin(batch.outcomes_end, port)
            first_action = begin(shapes.row_actions, first_row)
            end_action = shapes.row_actions[first_row + count - 1]
            rows += count
            actions += end_action - first_action
            outcomes += begin(shapes.action_terms, end_action) - begin(shapes.action_terms, first_action)
        if cyclic:
            needed[0] = max(needed[0], ends[component] - first)
            needed[1], needed[2] = max(needed[1], rows), max(needed[2], actions)
            needed[3] = max(needed[3], outcomes)
        first = ends[component]


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
    laid: Laid,
    room: Any,
    findings: Any,
    verdict: Any,
    stop: Any,
) -> int:
    """Solve components in the order given, which must have all that they lead to before them.

    Args:
        batch: their `Transitions`, with ports in place of actions.
        ends: int64[components] one past the last state of each.
        shapes, shape_of: of `Rolls`.
        objective, scratch, findings, verdict, stop: as `batch.solve_batch` takes them.
        laid: room for the largest cyclic component.
        room: float64[ports], float64[lists] and float64[rows] for one state.

    Returns:
        BACKED_UP, or a state of the component that was not solved
    """
    first = 0
    for component in range(len(ends)):
        end = ends[component]
        if not _is_cyclic(batch, first, end):
            _solve_alone(batch, first, shapes, shape_of[batch.state[first]], objective, room, findings)
        else:
            how, count = _solve_together(batch, first, end, shapes, shape_of, objective, scratch, laid, findings, stop)
            if how == UNPROVED:
                rows = laid.actions_end[:count], laid.constant, laid.outcomes_end, laid.target, laid.weight
                row, verdict[0], verdict[1], verdict[2] = count_endless(rows, objective.lowest, objective.highest, stop)
                place = 0
                while laid.root[place] < row:
                    place += 1
                return batch.state[first + scratch.order[place]]  # type: ignore[no-any-return]
            if how != SOLVED:
                verdict[2] = TOO_LONG
                return batch.state[first]  # type: ignore[no-any-return]
        first = end
    return BACKED_UP


def _solve_alone(batch: Any, row: int, shapes: Shapes, shape: int, objective: Any, room: Any, findings: Any) -> None:
    """Back up one state from those that its ports lead to."""
    port_values, list_values, row_values = room
    flips, sign = objective.flips, objective.sign
    last_view = batch.gain.shape[1] - 1
    first_port = begin(batch.actions_end, row)
    outcome = begin(batch.outcomes_end, first_port)
    worst = np.float32(0.0)
    magnitude = 0.0
    for port in range(first_port, batch.actions_end[row]):
        value = sign * batch.gain[port, 0]
        terms = batch.gain[port, last_view]
        while outcome < batch.outcomes_end[port]:
            probability, after = batch.probability[outcome], batch.target[outcome]
            worth = findings.value[after]
            if flips and batch.passes[outcome] & 1:
                worth = 1.0 - worth
            value += probability * worth
            terms += probability * abs(worth)
            worst = max(worst, findings.bound[after])
            outcome += 1
        port_values[port - first_port] = value
        magnitude = max(magnitude, terms)
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first_list = begin(shapes.exits_lists, exits)
    entry = begin(shapes.list_entries, first_list)
    for each in range(first_list, shapes.exits_lists[exits]):
        best = -np.inf
        while entry < shapes.list_entries[each]:
            best = max(best, port_values[shapes.entry_port[entry]])
            entry += 1
        list_values[each - first_list] = best
    first_row, end_row = begin(shapes.graph_rows, graph), shapes.graph_rows[graph]
    listed = begin(shapes.exits_listed, exits)
    action = begin(shapes.row_actions, first_row)
    term = begin(shapes.action_terms, action)
    choice = 0
    for i in range(end_row - first_row):
        best = list_values[shapes.listed_list[listed + i]]
        while action < shapes.row_actions[first_row + i]:
            value = sign * shapes.action_gain[action]
            while term < shapes.action_terms[action]:
                value += shapes.term_weight[term] * row_values[shapes.term_row[term]]
                term += 1
            magnitude = max(magnitude, abs(value))
            if value > best:
                best = value
                choice = shapes.action_number[action]
            action += 1
        row_values[i] = best
    root = shapes.graph_rows[graph] - 1
    last = first_list + shapes.listed_list[listed + root - first_row]
    value = row_values[root - first_row]
    for entry in range(begin(shapes.list_entries, last), shapes.list_entries[last]):
        if port_values[shapes.entry_port[entry]] == value:
            choice = shapes.entry_number[entry]
            break
    state = batch.state[row]
    findings.value[state] = value
    findings.choice[state] = choice
    findings.bound[state] = above(worst + (shapes.graph_depth[graph] + 1) * rounding(objective, 2.0 * magnitude))


def _solve_together(
    batch: Any,
    first: int,
    end: int,
    shapes: Shapes,
    shape_of: Any,
    objective: Any,
    scratch: Any,
    laid: Laid,
    findings: Any,
    stop: Any,
) -> Any:
    """Solve a cyclic component: how that went, and how many rows it has."""
    size = end - first
    closing = order_rows(batch, first, size, scratch, findings.value)
    exits_bound, magnitude, count = _lay_out(batch, first, size, shapes, shape_of, objective, scratch, laid, findings)
    feedback = scratch.feedback[:closing]
    for j in range(closing):
        feedback[j] = laid.root[feedback[j]]
    rows = laid.actions_end[:count], laid.constant, laid.outcomes_end, laid.target, laid.weight
    value = laid.value
    for i in range(count):
        value[i] = 0.5 if objective.flips else 0.0
    if settle(rows, value, feedback, objective.lowest, objective.highest, stop):
        return STOPPED, count
    for i in range(count):
        magnitude = max(magnitude, abs(value[i]))
    residual, longest = certify(
        rows,
        value,
        feedback,
        rounding(objective, 2.0 * magnitude),
        objective.lowest,
        objective.highest,
        laid.mine,
        laid.theirs,
        laid.choice,
        stop,
    )
    if longest < 0.0:
        return STOPPED if stop[0] else UNPROVED, count
    bound = above(exits_bound + residual * longest)
    for i in range(size):
        index = batch.state[first + scratch.order[i]]
        root = laid.root[i]
        findings.value[index] = value[root]
        findings.bound[index] = bound
        findings.choice[index] = laid.number[laid.choice[root]]
    return SOLVED, count


def _lay_out(
    batch: Any,
    first: int,
    size: int,
    shapes: Shapes,
    shape_of: Any,
    objective: Any,
    scratch: Any,
    laid: Laid,
    findings: Any,
) -> Any:
    """Lay out the rows of all states in solving order, what they lead to outside folded into constants.

    Returns:
        (the largest bound among what they lead to, the largest magnitude of a constant's terms, how many rows)
    """
    order, position = scratch.order, scratch.position
    flips, sign = objective.flips, objective.sign
    last_view = batch.gain.shape[1] - 1
    into_actions_end, into_constant, into_number = laid.actions_end, laid.constant, laid.number
    into_outcomes_end, into_target, into_weight = laid.outcomes_end, laid.target, laid.weight
    graph_of, exits_of, graph_rows = shapes.shape_graph, shapes.shape_exits, shapes.graph_rows
    row_actions, action_number, action_gain = shapes.row_actions, shapes.action_number, shapes.action_gain
    action_terms, term_weight, term_row = shapes.action_terms, shapes.term_weight, shapes.term_row
    exits_listed, exits_lists, listed_list = shapes.exits_listed, shapes.exits_lists, shapes.listed_list
    list_entries, entry_port, entry_number = shapes.list_entries, shapes.entry_port, shapes.entry_number
    states, actions_end, outcomes_end = batch.state, batch.actions_end, batch.outcomes_end
    gains, targets, probabilities, passes = batch.gain, batch.target, batch.probability, batch.passes
    values, bounds = findings.value, findings.bound
    height = 0
    for i in range(size):
        graph = graph_of[shape_of[states[first + order[i]]]]
        height += graph_rows[graph] - begin(graph_rows, graph)
        laid.root[i] = height - 1
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    rows = action_height = outcome_height = 0
    for i in range(size):
        row = first + order[i]
        shape = shape_of[states[row]]
        graph, exits = graph_of[shape], exits_of[shape]
        first_row = begin(graph_rows, graph)
        first_list, listed = begin(exits_lists, exits), begin(exits_listed, exits)
        first_port = begin(actions_end, row)
        action = begin(row_actions, first_row)
        term = begin(action_terms, action)
        base = rows
        for inner in range(graph_rows[graph] - first_row):
            while action < row_actions[first_row + inner]:
                into_constant[action_height] = sign * action_gain[action]
                into_number[action_height] = action_number[action]
                while term < action_terms[action]:
                    into_target[outcome_height] = base + term_row[term]
                    into_weight[outcome_height] = term_weight[term]
                    outcome_height += 1
                    term += 1
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
                action += 1
            each = first_list + listed_list[listed + inner]
            for entry in range(begin(list_entries, each), list_entries[each]):
                port = first_port + entry_port[entry]
                constant = sign * gains[port, 0]
                terms = gains[port, last_view]
                for outcome in range(begin(outcomes_end, port), outcomes_end[port]):
                    target, weight = targets[outcome], probabilities[outcome]
                    if flips and passes[outcome] & 1:
                        constant += weight
                        weight = -weight
                    if target < 0:
                        into_target[outcome_height] = laid.root[position[-1 - target]]
                        into_weight[outcome_height] = weight
                        outcome_height += 1
                    else:
                        constant += weight * values[target]
                        terms += abs(weight * values[target])
                        exits_bound = max(exits_bound, bounds[target])
                magnitude = max(magnitude, terms)
                into_constant[action_height] = constant
                into_number[action_height] = entry_number[entry]
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            into_actions_end[rows] = action_height
            rows += 1
    return exits_bound, magnitude, rows
