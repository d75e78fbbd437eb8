"""Backup, in SIMD lanes, of stored states that lie on no cycle, through their rolls.

The equations inside a roll are the same for all states with the same roll graph. So up to `LANES` states that do not
lead to each other are backed up at once, equation by equation, children first.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I32, I64
from komi.bellman import is_finite, round_up, rounding_error
from komi.graph.transitions import Transitions, begin, count_columns, gain_at, to_mover
from komi.jit.intrinsics import hash_key
from komi.jit.simd import LANES, Sums, back_up_row
from komi.transient.roll_graph import RollGraphs


class LaneBuffers(NamedTuple):
    """Buffers for the rolls of several states in SIMD lanes, and for grouping the states."""

    exit_value: F64  # [LANES, exits]
    list_value: F64  # [lists] of the best exit; -inf if there is none
    node_value: F64  # [nodes, LANES]
    largest: F64  # [LANES] magnitudes
    worst: F32  # [LANES] the largest error bounds of successors
    table: I32  # [a power of two] hash table from state indices to rows of the batch; -1 if empty
    slot: I64  # [states] their hash slots
    level: I32  # [states] the length of the longest path of other states that must be backed up before it
    level_end: I64  # [states + 2] one past the last of each level, and the positions during sorting
    order: I32  # [states] sorted by level

    @classmethod
    def empty(cls, states: int, exits: int, lists: int, nodes: int) -> "LaneBuffers":
        """Allocate buffers for a batch of `states` states."""
        return cls(
            np.empty((LANES, exits)),
            np.empty(lists),
            np.zeros((nodes, LANES)),
            np.zeros(LANES),
            np.zeros(LANES, np.float32),
            np.full(2 << states.bit_length(), -1, np.int32),
            np.empty(states, np.int64),
            np.empty(states, np.int32),
            np.empty(states + 2, np.int64),
            np.empty(states, np.int32),
        )


def back_up_acyclic(
    batch: Transitions,
    first: int,
    end: int,
    graphs: RollGraphs,
    graph_of: I32,
    objective: Any,
    buffers: LaneBuffers,
    results: Any,
) -> None:
    """Back up consecutive states of a batch, none of which lies on a cycle.

    Args:
        batch, objective, results: as in `roll_backup.solve_roll_components`.
        graphs, graph_of: the roll graphs, and that of each state.
        first, end: the first of the states in the batch, and one past the last.
        buffers: a buffer that fits all of them.
    """
    count = end - first
    _order(batch, first, count, buffers)
    index = 0
    while index < count:
        row = buffers.order[index]
        level, interior = buffers.level[row], graphs.graph_interior[graph_of[batch.state[first + row]]]
        lanes = 0
        while index + lanes < count and lanes < LANES:
            row = buffers.order[index + lanes]
            graph = graph_of[batch.state[first + row]]
            if buffers.level[row] != level or graphs.graph_interior[graph] != interior:
                break
            _load_lane(batch, first + row, graphs, graph, objective, buffers, lanes, results)
            lanes += 1
        _back_up(graphs, interior, objective.sign, buffers)
        for lane in range(lanes):
            row = first + buffers.order[index + lane]
            _store_results(batch, row, graphs, graph_of[batch.state[row]], objective, buffers, lane, results)
        index += lanes


def _order(batch: Transitions, first: int, count: int, buffers: LaneBuffers) -> None:
    """Sort states by level: states of one level do not lead to each other."""
    table, slots, levels, level_end, order = (
        buffers.table,
        buffers.slot,
        buffers.level,
        buffers.level_end,
        buffers.order,
    )
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


def _load_lane(
    batch: Transitions,
    row: int,
    graphs: RollGraphs,
    graph: int,
    objective: Any,
    buffers: LaneBuffers,
    lane: int,
    results: Any,
) -> None:
    """Compute the values of a state's exits, and from them the initial values of the equations in its lane."""
    is_zero_sum, sign = objective.is_zero_sum, objective.sign
    last_view = count_columns(batch.gain) - 1
    first_exit = begin(batch.actions_end, row)
    outcome = begin(batch.outcomes_end, first_exit)
    worst = np.float32(0.0)
    magnitude = 0.0
    for exit_ in range(first_exit, batch.actions_end[row]):
        value = sign * gain_at(batch.gain, exit_, 0)
        terms = gain_at(batch.gain, exit_, last_view)
        while outcome < batch.outcomes_end[exit_]:
            probability, after = batch.probability[outcome], batch.target[outcome]
            after_value = results.value[after]
            if is_zero_sum:
                after_value = to_mover(after_value, batch.passes[outcome])
            value += probability * after_value
            terms += probability * abs(after_value)
            worst = max(worst, results.bound[after])
            outcome += 1
        buffers.exit_value[lane, exit_ - first_exit] = value
        if not is_finite(value):  # `max` would pass over it
            worst = np.float32(np.inf)
        magnitude = max(magnitude, terms)
    buffers.worst[lane], buffers.largest[lane] = worst, magnitude
    interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
    first_list = begin(graphs.assignment_lists, assignment)
    entry = begin(graphs.list_entries, first_list)
    for exit_list in range(first_list, graphs.assignment_lists[assignment]):
        best = -np.inf
        while entry < graphs.list_entries[exit_list]:
            best = max(best, buffers.exit_value[lane, graphs.entry_exit[entry]])
            entry += 1
        buffers.list_value[exit_list - first_list] = best
    listed = begin(graphs.assignment_nodes, assignment)
    for i in range(graphs.interior_nodes[interior] - begin(graphs.interior_nodes, interior)):
        buffers.node_value[i, lane] = buffers.list_value[graphs.assigned_list[listed + i]]


def _back_up(graphs: RollGraphs, interior: int, sign: float, buffers: LaneBuffers) -> None:
    """Back up all equations in all lanes, given the values of their exits."""
    first_row = begin(graphs.interior_nodes, interior)
    action = begin(graphs.node_actions, first_row)
    term = begin(graphs.action_terms, action)
    sums = Sums(graphs.action_gain, graphs.action_terms, graphs.term_weight, graphs.term_node)
    for i in range(graphs.interior_nodes[interior] - first_row):
        end = graphs.node_actions[first_row + i]
        term = back_up_row(
            buffers.node_value,
            i,
            buffers.largest,
            action,
            end,
            term,
            sign,
            sums,
        )
        action = end


def _store_results(
    batch: Transitions,
    row: int,
    graphs: RollGraphs,
    graph: int,
    objective: Any,
    buffers: LaneBuffers,
    lane: int,
    results: Any,
) -> None:
    """Store the results of the state in a lane."""
    interior, state = graphs.graph_interior[graph], batch.state[row]
    value = buffers.node_value[graphs.interior_nodes[interior] - begin(graphs.interior_nodes, interior) - 1, lane]
    results.value[state] = value
    results.choice[state] = _action_of_root(graphs, graph, objective.sign, value, buffers, lane)
    slack = (graphs.interior_depth[interior] + 1) * rounding_error(objective, 2.0 * buffers.largest[lane])
    results.bound[state] = round_up(buffers.worst[lane] + slack)


def _action_of_root(graphs: RollGraphs, graph: int, sign: float, value: float, buffers: LaneBuffers, lane: int) -> int:
    """Return the number of an action that attains the value of a state, after its roll is backed up."""
    interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
    root = graphs.interior_nodes[interior] - 1
    first_row = begin(graphs.interior_nodes, interior)
    last = (
        begin(graphs.assignment_lists, assignment)
        + graphs.assigned_list[begin(graphs.assignment_nodes, assignment) + root - first_row]
    )
    for entry in range(begin(graphs.list_entries, last), graphs.list_entries[last]):
        if buffers.exit_value[lane, graphs.entry_exit[entry]] == value:
            return graphs.entry_action[entry]  # type: ignore[no-any-return]
    best = -np.inf
    number = 0
    for action in range(begin(graphs.node_actions, root), graphs.node_actions[root]):
        total = sign * graphs.action_gain[action]
        for term in range(begin(graphs.action_terms, action), graphs.action_terms[action]):
            total += graphs.term_weight[term] * buffers.node_value[graphs.term_node[term], lane]
        if total > best:
            best, number = total, graphs.action_number[action]
    return number
