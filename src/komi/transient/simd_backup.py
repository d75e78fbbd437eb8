"""Backup, in SIMD lanes, of stored states that lie on no cycle, through their rolls.

The equations inside a roll are the same for all states with the same roll graph. So up to `LANES` states that do not
lead to each other are backed up at once, equation by equation, children first.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.bellman import round_up, rounding_error
from komi.graph.perspective import to_mover
from komi.graph.transitions import begin, count_columns, gain_at
from komi.jit.intrinsics import hash_key
from komi.jit.simd import LANES, back_up_row
from komi.transient.roll_graph import Shapes


class AloneRoom(NamedTuple):
    """Buffers for the rolls of several states in SIMD lanes, and for grouping the states."""

    port_value: Any  # float64[LANES, ports]
    list_value: Any  # float64[lists] of the best port; -inf if there is none
    row_value: Any  # float64[rows, LANES]
    largest: Any  # float64[LANES] magnitudes
    worst: Any  # float32[LANES] the largest error bounds of successors
    table: Any  # int32[a power of two] hash table from state indices to rows of the batch; -1 if empty
    slot: Any  # int64[states] their hash slots
    level: Any  # int32[states] the length of the longest path of other states that must be backed up before it
    level_end: Any  # int64[states + 2] one past the last of each level, and the positions during sorting
    order: Any  # int32[states] sorted by level

    @classmethod
    def empty(cls, states: int, ports: int, lists: int, rows: int) -> "AloneRoom":
        """Allocate buffers for a batch of `states` states."""
        return cls(
            np.empty((LANES, ports)),
            np.empty(lists),
            np.zeros((rows, LANES)),
            np.zeros(LANES),
            np.zeros(LANES, np.float32),
            np.full(2 << states.bit_length(), -1, np.int32),
            np.empty(states, np.int64),
            np.empty(states, np.int32),
            np.empty(states + 2, np.int64),
            np.empty(states, np.int32),
        )


def solve_alone(
    batch: Any, first: int, end: int, shapes: Shapes, shape_of: Any, objective: Any, room: AloneRoom, results: Any
) -> None:
    """Back up consecutive states of a batch, none of which lies on a cycle.

    Args:
        batch, shapes, shape_of, objective, findings: as in `expanded.solve_expanded`.
        first, end: the first of the states in the batch, and one past the last.
        room: a buffer that fits all of them.
    """
    count = end - first
    _order(batch, first, count, room)
    place = 0
    while place < count:
        row = room.order[place]
        level, graph = room.level[row], shapes.shape_graph[shape_of[batch.state[first + row]]]
        lanes = 0
        while place + lanes < count and lanes < LANES:
            row = room.order[place + lanes]
            shape = shape_of[batch.state[first + row]]
            if room.level[row] != level or shapes.shape_graph[shape] != graph:
                break
            _enter(batch, first + row, shapes, shape, objective, room, lanes, results)
            lanes += 1
        _back_up(shapes, graph, objective.sign, room)
        for lane in range(lanes):
            row = first + room.order[place + lane]
            _note(batch, row, shapes, shape_of[batch.state[row]], objective, room, lane, results)
        place += lanes


def _order(batch: Any, first: int, count: int, room: AloneRoom) -> None:
    """Sort states by level: states of one level do not lead to each other."""
    table, slots, levels, level_end, order = room.table, room.slot, room.level, room.level_end, room.order
    last = len(table) - 1
    most = 0
    outcome = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for row in range(count):
        level = 0
        while outcome < batch.outcomes_end[batch.actions_end[first + row] - 1]:
            slot: Any = np.int64(hash_key(np.uint64(0), np.int64(batch.target[outcome]))) & last
            while table[slot] >= 0 and batch.state[first + table[slot]] != batch.target[outcome]:
                slot = (slot + 1) & last
            if table[slot] >= 0:
                level = max(level, levels[table[slot]] + 1)
            outcome += 1
        levels[row] = level
        most = max(most, level)
        slot = np.int64(hash_key(np.uint64(0), np.int64(batch.state[first + row]))) & last
        while table[slot] >= 0:
            slot = (slot + 1) & last
        table[slot], slots[row] = row, slot
    for level in range(most + 2):
        level_end[level] = 0
    for row in range(count):
        table[slots[row]] = -1
        level_end[levels[row] + 1] += 1
    for level in range(most):
        level_end[level + 1] += level_end[level]
    for row in range(count):
        order[level_end[levels[row]]] = row
        level_end[levels[row]] += 1


def _enter(
    batch: Any, row: int, shapes: Shapes, shape: int, objective: Any, room: AloneRoom, lane: int, results: Any
) -> None:
    """Compute the values of a state's ports, and from them the initial values of the equations in its lane."""
    flips, sign = objective.is_zero_sum, objective.sign
    last_view = count_columns(batch.gain) - 1
    first_port = begin(batch.actions_end, row)
    outcome = begin(batch.outcomes_end, first_port)
    worst = np.float32(0.0)
    magnitude = 0.0
    for port in range(first_port, batch.actions_end[row]):
        value = sign * gain_at(batch.gain, port, 0)
        terms = gain_at(batch.gain, port, last_view)
        while outcome < batch.outcomes_end[port]:
            probability, after = batch.probability[outcome], batch.target[outcome]
            worth = results.value[after]
            if flips:
                worth = to_mover(worth, batch.passes[outcome])
            value += probability * worth
            terms += probability * abs(worth)
            worst = max(worst, results.bound[after])
            outcome += 1
        room.port_value[lane, port - first_port] = value
        magnitude = max(magnitude, terms)
    room.worst[lane], room.largest[lane] = worst, magnitude
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first_list = begin(shapes.exits_lists, exits)
    entry = begin(shapes.list_entries, first_list)
    for each in range(first_list, shapes.exits_lists[exits]):
        best = -np.inf
        while entry < shapes.list_entries[each]:
            best = max(best, room.port_value[lane, shapes.entry_port[entry]])
            entry += 1
        room.list_value[each - first_list] = best
    listed = begin(shapes.exits_listed, exits)
    for i in range(shapes.graph_rows[graph] - begin(shapes.graph_rows, graph)):
        room.row_value[i, lane] = room.list_value[shapes.listed_list[listed + i]]


def _back_up(shapes: Shapes, graph: int, sign: float, room: AloneRoom) -> None:
    """Back up all equations in all lanes, given the values of their ports."""
    first_row = begin(shapes.graph_rows, graph)
    action = begin(shapes.row_actions, first_row)
    term = begin(shapes.action_terms, action)
    for i in range(shapes.graph_rows[graph] - first_row):
        end = shapes.row_actions[first_row + i]
        term = back_up_row(
            room.row_value,
            i,
            room.largest,
            action,
            end,
            term,
            sign,
            shapes.action_gain,
            shapes.action_terms,
            shapes.term_weight,
            shapes.term_row,
        )
        action = end


def _note(
    batch: Any, row: int, shapes: Shapes, shape: int, objective: Any, room: AloneRoom, lane: int, results: Any
) -> None:
    """Store the results of the state in a lane."""
    graph, state = shapes.shape_graph[shape], batch.state[row]
    value = room.row_value[shapes.graph_rows[graph] - begin(shapes.graph_rows, graph) - 1, lane]
    results.value[state] = value
    results.choice[state] = _action_of_root(shapes, shape, objective.sign, value, room, lane)
    slack = (shapes.graph_depth[graph] + 1) * rounding_error(objective, 2.0 * room.largest[lane])
    results.bound[state] = round_up(room.worst[lane] + slack)


def _action_of_root(shapes: Shapes, shape: int, sign: float, value: float, room: AloneRoom, lane: int) -> int:
    """Return the number of an action that attains the value of a state, after its roll is backed up."""
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    root = shapes.graph_rows[graph] - 1
    first_row = begin(shapes.graph_rows, graph)
    last = begin(shapes.exits_lists, exits) + shapes.listed_list[begin(shapes.exits_listed, exits) + root - first_row]
    for entry in range(begin(shapes.list_entries, last), shapes.list_entries[last]):
        if room.port_value[lane, shapes.entry_port[entry]] == value:
            return shapes.entry_number[entry]  # type: ignore[no-any-return]
    best = -np.inf
    number = 0
    for action in range(begin(shapes.row_actions, root), shapes.row_actions[root]):
        total = sign * shapes.action_gain[action]
        for term in range(begin(shapes.action_terms, action), shapes.action_terms[action]):
            total += shapes.term_weight[term] * room.row_value[shapes.term_row[term], lane]
        if total > best:
            best, number = total, shapes.action_number[action]
    return number
