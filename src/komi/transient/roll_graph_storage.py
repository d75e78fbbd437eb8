"""Storage of roll graphs, once each: interiors, exit assignments, and their pairs."""

from typing import Any

import numpy as np

from komi.game import CHANCE
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key
from komi.transient.builder import Builder
from komi.transient.enumerator import Roll
from komi.transient.roll_graph import GraphKind, RollGraphs
from komi.tuning import HASH_CHAINS, LONG_SUM


def store_roll_graph(roll: Roll, builder: Builder, graphs: RollGraphs, shared: bool) -> Any:
    """Store a new roll graph, unless it is stored already, and return it; -1 if the capacity is exceeded."""
    used = graphs.used
    size = number_nodes(builder)
    if not has_capacity(builder, graphs, size, shared):
        return -1
    interior = builder.interior[0]
    if interior < 0:
        interior = store_interior(builder, graphs, size)
        if shared and builder.counts[0] == roll.counts[0]:
            builder.interior[0] = interior
    _number_exits(builder)
    assignment = _store_assignment(builder, graphs, size)
    graph = used[GraphKind.GRAPH]
    if not shared:
        for earlier in range(graph):
            if graphs.graph_interior[earlier] == interior and graphs.graph_assignment[earlier] == assignment:
                return earlier
    exits = builder.counts[1]
    graphs.graph_interior[graph], graphs.graph_assignment[graph] = interior, assignment
    graphs.graph_exits[graph] = used[GraphKind.EXIT] + exits if shared else exits
    used[GraphKind.GRAPH] += 1
    if shared:
        for exit_ in range(exits):
            index, node = used[GraphKind.EXIT] + builder.exit_number[exit_], builder.exit_node[exit_]
            graphs.exit_at_root[index] = node == 0
            graphs.exit_action[index], graphs.exit_outcome[index] = (
                builder.exit_action[exit_],
                builder.exit_outcome[exit_],
            )
            for i in range(graphs.exit_fields.shape[1]):
                graphs.exit_fields[index, i] = roll.fields[node, i]
        used[GraphKind.EXIT] += exits
    return graph


def has_capacity(builder: Builder, graphs: RollGraphs, size: int, shared: bool) -> bool:
    """Return whether the capacity is sufficient for a roll graph of `size` nodes."""
    used = graphs.used
    nodes = builder.counts[0]
    entries, actions, terms = builder.node_entries[nodes - 1], builder.node_actions[nodes - 1], 0
    if actions:
        terms = builder.action_terms[actions - 1]
    actions, terms = actions + size - nodes, terms + size - nodes
    return (
        used[GraphKind.INTERIOR] + 1 < len(graphs.interior_hash)
        and used[GraphKind.ASSIGNMENT] + 1 < len(graphs.assignment_hash)
        and used[GraphKind.GRAPH] + 1 < len(graphs.graph_interior)
        and used[GraphKind.NODE] + size < len(graphs.node_actions)
        and used[GraphKind.ACTION] + actions < len(graphs.action_gain)
        and used[GraphKind.TERM] + terms < len(graphs.term_node)
        and used[GraphKind.ASSIGNED] + size < len(graphs.assigned_list)
        and used[GraphKind.LIST] + nodes + 1 < len(graphs.list_entries)
        and used[GraphKind.ENTRY] + entries < len(graphs.entry_exit)
        and (not shared or used[GraphKind.EXIT] + entries < len(graphs.exit_action))
    )


def _count_parts(builder: Builder, action: int) -> int:
    """Return the number of parts of an inner action's sum in the roll graph; 1 if it is not divided."""
    first = begin(builder.action_terms, action)
    count = builder.action_terms[action] - first
    for term in range(first, builder.action_terms[action]):
        if builder.term_weight[term] < 0.0:
            return 1
    return int(np.ceil(np.sqrt(count))) if count > LONG_SUM else 1


def number_nodes(builder: Builder) -> int:
    """Assign the nodes their indices in the roll graph, after those for parts of their sums; return their number."""
    index = 0
    for i in range(builder.counts[0]):
        node = builder.order.order[i]
        extra = 0
        for action in range(begin(builder.node_actions, node), builder.node_actions[node]):
            parts = _count_parts(builder, action)
            extra += parts if parts > 1 else 0
        builder.extra[node] = extra
        builder.order.position[node] = index + extra
        index += extra + 1
    return index


def store_interior(builder: Builder, graphs: RollGraphs, size: int) -> Any:
    """Store the interior of a roll graph of `size` nodes, unless it is stored already, and return it."""
    used, position = graphs.used, builder.order.position
    first_node, action_at, term_at = used[GraphKind.NODE], used[GraphKind.ACTION], used[GraphKind.TERM]
    depth = builder.order.depth[0]
    for i in range(builder.counts[0]):
        node = builder.order.order[i]
        index = position[node] - builder.extra[node]
        for action in range(begin(builder.node_actions, node), builder.node_actions[node]):
            parts = _count_parts(builder, action)
            if parts == 1:
                continue
            depth = 2 * builder.order.depth[0]
            for part in range(parts):
                first, end = _part(builder, action, part, parts)
                total = _sum(builder.term_weight, first, end)
                for term in range(first, end):
                    graphs.term_weight[term_at] = builder.term_weight[term] / total
                    graphs.term_node[term_at] = position[builder.term_node[term]]
                    term_at += 1
                builder.counts[2] = max(builder.counts[2], end - first, parts)
                graphs.action_number[action_at], graphs.action_gain[action_at] = CHANCE, 0.0
                graphs.action_terms[action_at] = term_at
                action_at += 1
                graphs.node_actions[first_node + index] = action_at
                index += 1
        index = position[node] - builder.extra[node]
        for action in range(begin(builder.node_actions, node), builder.node_actions[node]):
            parts = _count_parts(builder, action)
            first, end = begin(builder.action_terms, action), builder.action_terms[action]
            if parts == 1:
                for term in range(first, end):
                    graphs.term_weight[term_at] = builder.term_weight[term]
                    graphs.term_node[term_at] = position[builder.term_node[term]]
                    term_at += 1
                builder.counts[2] = max(builder.counts[2], end - first)
            else:
                for part in range(parts):
                    first, end = _part(builder, action, part, parts)
                    graphs.term_weight[term_at] = _sum(builder.term_weight, first, end)
                    graphs.term_node[term_at] = index
                    term_at += 1
                    index += 1
            graphs.action_number[action_at] = builder.action_number[action]
            graphs.action_gain[action_at] = builder.action_gain[action]
            graphs.action_terms[action_at] = term_at
            action_at += 1
        graphs.node_actions[first_node + position[node]] = action_at
    hashed = _hash_interior(graphs, first_node, size, action_at, term_at)
    for earlier in range(used[GraphKind.INTERIOR]):
        if graphs.interior_hash[earlier] == hashed and _is_same_interior(graphs, earlier, first_node, size):
            return earlier
    interior = used[GraphKind.INTERIOR]
    graphs.interior_hash[interior] = hashed
    graphs.interior_nodes[interior] = first_node + size
    graphs.interior_depth[interior] = depth
    used[GraphKind.INTERIOR], used[GraphKind.NODE], used[GraphKind.ACTION], used[GraphKind.TERM] = (
        interior + 1,
        first_node + size,
        action_at,
        term_at,
    )
    return interior


def _part(builder: Builder, action: int, part: int, parts: int) -> tuple[int, int]:
    """Return the range of terms of one part of an action's sum."""
    first = begin(builder.action_terms, action)
    count = builder.action_terms[action] - first
    return first + part * count // parts, first + (part + 1) * count // parts


def _sum(weights: Any, first: int, end: int) -> float:
    total = 0.0
    for term in range(first, end):
        total += weights[term]
    return total


def _hash_interior(graphs: RollGraphs, node: int, size: int, actions_end: int, terms_end: int) -> Any:
    hashed = np.uint64(size)
    for i in range(size):
        hashed = hash_key(hashed, graphs.node_actions[node + i] - graphs.used[GraphKind.ACTION])
    for action in range(graphs.used[GraphKind.ACTION], actions_end):
        hashed = hash_key(hashed, np.int64(graphs.action_number[action]))
    for term in range(graphs.used[GraphKind.TERM], terms_end):
        hashed = hash_key(hashed, np.int64(graphs.term_weight[term] * 2.0**50))
        hashed = hash_key(hashed, np.int64(graphs.term_node[term]))
    return hashed


def _is_same_interior(graphs: RollGraphs, interior: int, node: int, size: int) -> bool:
    """Return whether an interior equals the one written after the used entries."""
    first = begin(graphs.interior_nodes, interior)
    if graphs.interior_nodes[interior] - first != size or not _are_same_ends(graphs.node_actions, first, node, size):
        return False
    action, other_action = begin(graphs.node_actions, first), begin(graphs.node_actions, node)
    actions = graphs.node_actions[first + size - 1] - action
    term, other_term = begin(graphs.action_terms, action), begin(graphs.action_terms, other_action)
    terms = begin(graphs.action_terms, action + actions) - term
    return (
        _are_same_ends(graphs.action_terms, action, other_action, actions)
        and _are_same(graphs.action_number, action, other_action, actions)
        and _are_same(graphs.action_gain, action, other_action, actions)
        and _are_same(graphs.term_weight, term, other_term, terms)
        and _are_same(graphs.term_node, term, other_term, terms)
    )


def _are_same(array: Any, first: int, other: int, count: int) -> bool:
    """Return whether two ranges of an array have the same items."""
    for i in range(count):  # noqa: SIM110  compiled code
        if array[first + i] != array[other + i]:
            return False
    return True


def _are_same_ends(ends: Any, first: int, other: int, count: int) -> bool:
    """Return whether two ranges of an array of range ends describe ranges of the same lengths."""
    start, other_start = begin(ends, first), begin(ends, other)
    for i in range(count):  # noqa: SIM110  compiled code
        if ends[first + i] - start != ends[other + i] - other_start:
            return False
    return True


def _number_exits(builder: Builder) -> None:
    """Assign numbers to the exits, in the order of the sorted nodes."""
    for exit_ in range(builder.counts[1]):
        builder.exit_number[exit_] = -1
    number = 0
    for i in range(builder.counts[0]):
        node = builder.order.order[i]
        for entry in range(begin(builder.node_entries, node), builder.node_entries[node]):
            exit_ = builder.entry_exit[entry]
            if builder.exit_number[exit_] < 0:
                builder.exit_number[exit_], builder.exit_numbered[number] = number, exit_
                number += 1


def _store_assignment(builder: Builder, graphs: RollGraphs, size: int) -> Any:
    """Store the exit assignment of a roll graph of `size` nodes, unless it is stored already, and return it."""
    used = graphs.used
    first_node, first_list, entry_at = used[GraphKind.ASSIGNED], used[GraphKind.LIST], used[GraphKind.ENTRY]
    graphs.list_entries[first_list] = entry_at  # the first list is empty
    builder.list_chain[:] = -1
    builder.list_chain[0], builder.list_next[0], builder.list_hash[0] = 0, -1, 0
    lists = first_list + 1
    hashed = np.uint64(size)
    for i in range(builder.counts[0]):
        node = builder.order.order[i]
        index = first_node + builder.order.position[node]
        for extra in range(builder.extra[node]):
            graphs.assigned_list[index - 1 - extra] = 0
        first_entry = entry_at
        for entry in range(begin(builder.node_entries, node), builder.node_entries[node]):
            graphs.entry_exit[entry_at] = builder.exit_number[builder.entry_exit[entry]]
            graphs.entry_action[entry_at] = builder.entry_action[entry]
            entry_at += 1
        same = _find_or_add_list(builder, graphs, first_list, lists, first_entry, entry_at)
        graphs.assigned_list[index] = same - first_list
        if same == lists:
            graphs.list_entries[lists] = entry_at
            hashed = hash_key(hashed, np.int64(builder.list_hash[lists - first_list]))
            lists += 1
        else:
            entry_at = first_entry
        hashed = hash_key(hashed, np.int64(same - first_list))
    for earlier in range(used[GraphKind.ASSIGNMENT]):
        if graphs.assignment_hash[earlier] == hashed and _is_same_assignment(
            graphs, earlier, first_node, size, first_list, lists
        ):
            return earlier
    assignment = used[GraphKind.ASSIGNMENT]
    graphs.assignment_hash[assignment] = hashed
    graphs.assignment_nodes[assignment], graphs.assignment_lists[assignment] = first_node + size, lists
    used[GraphKind.ASSIGNMENT], used[GraphKind.ASSIGNED], used[GraphKind.LIST], used[GraphKind.ENTRY] = (
        assignment + 1,
        first_node + size,
        lists,
        entry_at,
    )
    return assignment


def _find_or_add_list(builder: Builder, graphs: RollGraphs, first: int, lists: int, first_entry: int, end: int) -> int:
    """Find a list, from the first on, with the same entries; return `lists`, which is added, if there is none."""
    hashed = np.uint64(0)
    for entry in range(first_entry, end):
        hashed = hash_key(hashed, np.int64(graphs.entry_exit[entry]) << 20 | np.int64(graphs.entry_action[entry]))
    chain = np.int64(hashed % np.uint64(HASH_CHAINS))
    index = builder.list_chain[chain]
    while index >= 0:
        start = begin(graphs.list_entries, first + index)
        count = graphs.list_entries[first + index] - start
        if (
            builder.list_hash[index] == hashed
            and count == end - first_entry
            and _are_same(graphs.entry_exit, start, first_entry, count)
            and _are_same(graphs.entry_action, start, first_entry, count)
        ):
            return first + index  # type: ignore[no-any-return]
        index = builder.list_next[index]
    new = lists - first
    builder.list_hash[new] = hashed
    builder.list_next[new], builder.list_chain[chain] = builder.list_chain[chain], new
    return lists


def _is_same_assignment(
    graphs: RollGraphs, assignment: int, first_node: int, size: int, first_list: int, lists: int
) -> bool:
    """Return whether an exit assignment equals the one written after the used entries."""
    node, list_ = begin(graphs.assignment_nodes, assignment), begin(graphs.assignment_lists, assignment)
    count = lists - first_list
    if graphs.assignment_nodes[assignment] - node != size or graphs.assignment_lists[assignment] - list_ != count:
        return False
    entry, other_entry = begin(graphs.list_entries, list_), begin(graphs.list_entries, first_list)
    entries = graphs.list_entries[lists - 1] - other_entry
    return (
        _are_same(graphs.assigned_list, node, first_node, size)
        and _are_same_ends(graphs.list_entries, list_, first_list, count)
        and _are_same(graphs.entry_exit, entry, other_entry, entries)
        and _are_same(graphs.entry_action, entry, other_entry, entries)
    )
