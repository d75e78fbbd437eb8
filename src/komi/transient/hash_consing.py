"""Hash-consing of roll graphs: store each once, find it again, and compare a state's own roll with it."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I64, Flags
from komi.graph.reachability_kernel import ExplorationStatus
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key
from komi.transient.builder import Builder, build_roll_graph, update_exits
from komi.transient.enumerator import Outcomes, Roll, RulesContext, enumerate_roll, list_actions
from komi.transient.roll_graph import Exits, GraphKind, RollGraphs
from komi.transient.roll_graph_storage import has_capacity, number_nodes, store_interior, store_roll_graph
from komi.typing import State


class RollBuffers(NamedTuple):
    """The roll graphs found so far, and the buffers for the roll of one state."""

    inside: Flags  # [fields], which fields can change inside a roll
    totals: Flags  # [fields], the totals, on which no roll graph depends
    graphs: RollGraphs
    roll: Roll
    builder: Builder
    listing: Outcomes  # of one action
    exits: Exits  # of one state


def find_roll_graph(context: RulesContext, state: State, rolls: RollBuffers, witness: I64) -> Any:
    """Return the roll graph of a stored state's roll.

    If there are totals, states that differ only in these and have the same legal actions share a roll graph: only the
    roll of the first of them is enumerated. Otherwise that of every state is, and remains for `evaluate_exits`.

    Args:
        context, state, witness: see `enumerate_roll`.
        rolls: filled in.

    Returns:
        the roll graph; or -1 less the violation, or NO_ROOM, if the buffers are too small
    """
    graphs, roll, builder = rolls.graphs, rolls.roll, rolls.builder
    shared = len(graphs.class_fields) > 1
    slot = np.int64(0)
    status: int = ExplorationStatus.ROUND
    if shared:
        slot = class_slot(context, state, rolls, witness)
        if graphs.class_table[slot] >= 0:
            return graphs.class_graph[graphs.class_table[slot]]
        if graphs.used[GraphKind.CLASS] + 1 >= len(graphs.class_fields):
            return -1 - ExplorationStatus.NO_ROOM
        status = update_exits(context, state, rolls.inside, (roll, builder, rolls.listing), witness)
    if status == ExplorationStatus.ROUND:
        status = enumerate_roll(context, state, rolls.inside, roll, witness)
        if status == ExplorationStatus.DONE:
            status = build_roll_graph(context.seats, roll, builder)
    if status != ExplorationStatus.DONE:
        return -1 - status
    graph = store_roll_graph(roll, builder, graphs, shared)
    if graph < 0:
        return -1 - ExplorationStatus.NO_ROOM
    if shared:
        added = graphs.used[GraphKind.CLASS]
        for i in range(len(state)):
            graphs.class_fields[added, i] = 0 if rolls.totals[i] else state[i]
        graphs.class_graph[added] = graph
        graphs.class_table[slot] = added
        graphs.used[GraphKind.CLASS] = added + 1
    return graph


def rehash_classes(graphs: RollGraphs) -> None:
    """Fill an empty hash table of equivalence classes."""
    for index in range(graphs.used[GraphKind.CLASS]):
        hashed = np.uint64(0)
        for i in range(graphs.class_fields.shape[1]):
            hashed = hash_key(hashed, graphs.class_fields[index, i])
        slot: Any = np.int64(hashed % np.uint64(len(graphs.class_table)))
        while graphs.class_table[slot] >= 0:
            slot = slot + 1 if slot + 1 < len(graphs.class_table) else 0
        graphs.class_table[slot] = index


def class_slot(context: RulesContext, state: State, rolls: RollBuffers, witness: I64) -> Any:
    """Return the hash slot of the state's equivalence class, or the empty slot for it."""
    graphs, totals = rolls.graphs, rolls.totals
    table, fields = graphs.class_table, graphs.class_fields
    choices = list_actions(context, state, rolls.roll.legal, witness)
    hashed = np.uint64(0)
    for i in range(len(state)):
        hashed = hash_key(hashed, np.int64(0) if totals[i] else np.int64(state[i]))
    slot: Any = np.int64(hashed % np.uint64(len(table)))
    while table[slot] >= 0:
        index = table[slot]
        is_same = True
        for i in range(len(state)):
            is_same = is_same and (totals[i] or fields[index, i] == state[i])
        if is_same and _has_actions(rolls.roll.legal, choices, graphs, graphs.class_graph[index]):
            break
        slot = slot + 1 if slot + 1 < len(table) else 0
    return slot


def _has_actions(actions: Any, count: int, graphs: RollGraphs, graph: int) -> bool:
    """Return whether the root of a roll graph has exactly the first `count` actions."""
    interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
    root = graphs.interior_nodes[interior] - 1
    inner, inner_end = begin(graphs.node_actions, root), graphs.node_actions[root]
    last = graphs.assigned_list[graphs.assignment_nodes[assignment] - 1] + begin(graphs.assignment_lists, assignment)
    entry, entry_end = begin(graphs.list_entries, last), graphs.list_entries[last]
    for i in range(count):
        if inner < inner_end and graphs.action_number[inner] == actions[i]:
            inner += 1
        elif entry < entry_end and graphs.entry_action[entry] == actions[i]:
            entry += 1
        else:
            return False
    return inner == inner_end and entry == entry_end  # type: ignore[no-any-return]


def compare_roll_graph(rolls: RollBuffers, graph: int) -> int:
    """Compare the roll of a state, just enumerated and built, with a roll graph that is shared.

    Entries with one exit of the roll graph must have one exit in the state's own. The state may merge more of them, for
    example if a total has reached its limit.

    Args:
        rolls: the state's own roll, and all roll graphs, whose spare capacity is overwritten.
        graph: the shared roll graph.

    Returns:
        DONE if the roll graph is correct for the state; DIFFERENT; NO_ROOM, if the buffers are too small
    """
    graphs, roll, builder = rolls.graphs, rolls.roll, rolls.builder
    size = number_nodes(builder)
    if not has_capacity(builder, graphs, size, True):
        return ExplorationStatus.NO_ROOM
    if store_interior(builder, graphs, size) != graphs.graph_interior[graph]:
        return ExplorationStatus.DIFFERENT
    assignment, first = graphs.graph_assignment[graph], begin(graphs.graph_exits, graph)
    first_node, first_list = begin(graphs.assignment_nodes, assignment), begin(graphs.assignment_lists, assignment)
    own_exit = builder.exit_numbered
    for number in range(graphs.graph_exits[graph] - first):
        own_exit[number] = -1
    for node in range(builder.counts[0]):
        own, own_end = begin(builder.node_entries, node), builder.node_entries[node]
        shared_list = first_list + graphs.assigned_list[first_node + builder.order.position[node]]
        entry = begin(graphs.list_entries, shared_list)
        if graphs.list_entries[shared_list] - entry != own_end - own:
            return ExplorationStatus.DIFFERENT
        while own < own_end:
            number, exit_ = graphs.entry_exit[entry], builder.entry_exit[own]
            if graphs.entry_action[entry] != builder.entry_action[own]:
                return ExplorationStatus.DIFFERENT
            if own_exit[number] < 0:
                own_exit[number] = exit_
                if not _is_representative(roll, builder, node, own, rolls.inside, graphs, first + number):
                    return ExplorationStatus.DIFFERENT
            if own_exit[number] != exit_:
                return ExplorationStatus.DIFFERENT
            own += 1
            entry += 1
    return ExplorationStatus.DONE


def _is_representative(
    roll: Roll, builder: Builder, node: int, entry: int, inside: Flags, graphs: RollGraphs, exit_: int
) -> bool:
    """Return whether an entry of a node is the representative of an exit: of the same node, action and outcome."""
    outcome: Any = np.int64(-1)
    if node >= roll.counts[0]:
        own = builder.entry_exit[entry]
        node, outcome = builder.exit_node[own], builder.exit_outcome[own]
    if (
        graphs.exit_at_root[exit_] != (node == 0)
        or graphs.exit_action[exit_] != builder.entry_action[entry]
        or graphs.exit_outcome[exit_] != outcome
    ):
        return False
    for i in range(len(inside)):
        if node > 0 and inside[i] and graphs.exit_fields[exit_, i] != roll.fields[node, i]:
            return False
    return True
