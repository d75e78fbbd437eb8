"""Hash-consing of roll graphs: store each shape once, find it again, and compare a state's own roll with it."""

from typing import Any

import numpy as np

from komi.game import CHANCE
from komi.graph.reachability_kernel import DONE
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key
from komi.transient.builder import expand, expand_again
from komi.transient.roll_graph import (
    ACTIONS,
    CHAINS,
    ENTRIES,
    EXITS,
    FAMILIES,
    GRAPHS,
    LISTED,
    LISTS,
    PORTS,
    ROWS,
    SHAPES,
    TERMS,
    Draft,
    Shapes,
)
from komi.transient.rule_calls import list_actions
from komi.transient.violations import DIFFERENT, NO_ROOM, ROUND

LONG = 8
"""The number of terms beyond which a sum is divided into parts."""


def find_shape(
    rules: Any, seats: int, known: int, state: Any, inside: Any, totals: Any, shapes: Shapes, draft: Draft, witness: Any
) -> Any:
    """Return the shape of a stored state's roll.

    If there are totals, states that differ only in these and have the same legal actions share a shape: only the first
    of them is expanded. Otherwise every state is, and the draft remains for `evaluate_ports`.

    Args:
        rules, seats, known, state, inside, draft, witness: see `expand`.
        totals: bool[fields], the fields on which no shape depends.
        shapes: all shapes found so far; added to.

    Returns:
        the shape; or -1 less the violation, or NO_ROOM, if the buffers of `shapes` or `draft` are too small
    """
    shared = len(shapes.family_fields) > 1
    slot = np.int64(0)
    if shared:
        slot = family_slot(rules, known, state, totals, shapes, draft, witness)
        if shapes.family_table[slot] >= 0:
            return shapes.family_shape[shapes.family_table[slot]]
        family = shapes.used[FAMILIES]
        if family + 1 >= len(shapes.family_fields):
            return -1 - NO_ROOM
    how = expand_again(rules, seats, known, state, inside, draft, witness) if shared else ROUND
    if how == ROUND:
        how = expand(rules, seats, known, state, inside, draft, witness)
    if how != DONE:
        return -1 - how
    shape = _keep(draft, shapes, shared)
    if shape < 0:
        return -1 - NO_ROOM
    if shared:
        for i in range(len(state)):
            shapes.family_fields[family, i] = 0 if totals[i] else state[i]
        shapes.family_shape[family] = shape
        shapes.family_table[slot] = family
        shapes.used[FAMILIES] = family + 1
    return shape


def rehash_families(shapes: Shapes) -> None:
    """Fill an empty hash table of families."""
    for family in range(shapes.used[FAMILIES]):
        hashed = np.uint64(0)
        for i in range(shapes.family_fields.shape[1]):
            hashed = hash_key(hashed, shapes.family_fields[family, i])
        slot: Any = np.int64(hashed % np.uint64(len(shapes.family_table)))
        while shapes.family_table[slot] >= 0:
            slot = slot + 1 if slot + 1 < len(shapes.family_table) else 0
        shapes.family_table[slot] = family


def family_slot(rules: Any, known: int, state: Any, totals: Any, shapes: Shapes, draft: Draft, witness: Any) -> Any:
    """Return the hash slot of the state's family, or the empty slot for it."""
    table, fields = shapes.family_table, shapes.family_fields
    choices = list_actions(rules, known, state, draft.listing, witness)
    hashed = np.uint64(0)
    for i in range(len(state)):
        hashed = hash_key(hashed, np.int64(0) if totals[i] else np.int64(state[i]))
    slot: Any = np.int64(hashed % np.uint64(len(table)))
    while table[slot] >= 0:
        family = table[slot]
        same = True
        for i in range(len(state)):
            same = same and (totals[i] or fields[family, i] == state[i])
        if same and _has_actions(draft.listing.action, choices, shapes, shapes.family_shape[family]):
            break
        slot = slot + 1 if slot + 1 < len(table) else 0
    return slot


def _has_actions(actions: Any, count: int, shapes: Shapes, shape: int) -> bool:
    """Return whether the root of a shape has exactly the first `count` actions: inner ones and exits, each in order."""
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    root = shapes.graph_rows[graph] - 1
    inner, inner_end = begin(shapes.row_actions, root), shapes.row_actions[root]
    listed = shapes.listed_list[shapes.exits_listed[exits] - 1] + begin(shapes.exits_lists, exits)
    entry, entry_end = begin(shapes.list_entries, listed), shapes.list_entries[listed]
    for i in range(count):
        if inner < inner_end and shapes.action_number[inner] == actions[i]:
            inner += 1
        elif entry < entry_end and shapes.entry_number[entry] == actions[i]:
            entry += 1
        else:
            return False
    return inner == inner_end and entry == entry_end  # type: ignore[no-any-return]


def _keep(draft: Draft, shapes: Shapes, shared: bool) -> Any:
    """Store the shape of the draft, unless it is stored already, and return it; -1 if the capacity is exceeded."""
    used = shapes.used
    rows = draft.counted[0]
    placed = _place_rows(draft, rows)
    if not _has_room(draft, shapes, placed, shared):
        return -1
    exits = draft.row_exits[rows - 1]
    graph = draft.graph[0]
    if graph < 0:
        graph = _keep_graph(draft, shapes, rows, placed)
    if shared:
        draft.graph[0] = graph
        for row in range(rows):
            if draft.source[row] >= 0:
                draft.graph[0] = -1
    ports = _number_ports(draft, rows)
    block = _keep_exits(draft, shapes, rows, placed)
    shape = used[SHAPES]
    if not shared:
        for earlier in range(shape):
            if shapes.shape_graph[earlier] == graph and shapes.shape_exits[earlier] == block:
                return earlier
    shapes.shape_graph[shape], shapes.shape_exits[shape] = graph, block
    shapes.shape_ports[shape] = used[PORTS] + ports if shared else ports
    used[SHAPES] += 1
    if shared:
        _keep_ports(draft, shapes, exits)
    return shape


def _has_room(draft: Draft, shapes: Shapes, placed: int, shared: bool) -> bool:
    """Return whether the capacity is sufficient for the shape of a draft whose graph has `placed` rows."""
    used = shapes.used
    rows = draft.counted[0]
    exits, actions, terms = draft.row_exits[rows - 1], draft.row_actions[rows - 1], 0
    if actions:
        terms = draft.action_terms[actions - 1]
    actions, terms = actions + placed - rows, terms + placed - rows
    return (
        used[GRAPHS] + 1 < len(shapes.graph_hash)
        and used[EXITS] + 1 < len(shapes.exits_hash)
        and used[SHAPES] + 1 < len(shapes.shape_graph)
        and used[ROWS] + placed < len(shapes.row_actions)
        and used[ACTIONS] + actions < len(shapes.action_gain)
        and used[TERMS] + terms < len(shapes.term_row)
        and used[LISTED] + placed < len(shapes.listed_list)
        and used[LISTS] + rows + 1 < len(shapes.list_entries)
        and used[ENTRIES] + exits < len(shapes.entry_port)
        and (not shared or used[PORTS] + exits < len(shapes.port_action))
    )


def compare_shape(draft: Draft, inside: Any, shapes: Shapes, shape: int) -> int:
    """Compare the roll of a state, just expanded, with a shape that is shared.

    Exits in one port of the shape must be in one port here. The state itself may merge more of them, for example if a
    total has reached its limit.

    Args:
        draft: the state's own, as `expand` fills it in.
        inside: bool[fields], which fields can change inside a roll.
        shapes: all shapes; the spare capacity is overwritten.
        shape: the shared one.

    Returns:
        DONE if the shape is correct for the state; DIFFERENT; NO_ROOM, if the buffers of `shapes` are too small
    """
    rows = draft.counted[0]
    placed = _place_rows(draft, rows)
    if not _has_room(draft, shapes, placed, True):
        return NO_ROOM
    if _keep_graph(draft, shapes, rows, placed) != shapes.shape_graph[shape]:
        return DIFFERENT
    exits, first = shapes.shape_exits[shape], begin(shapes.shape_ports, shape)
    listed, lists = begin(shapes.exits_listed, exits), begin(shapes.exits_lists, exits)
    own_port = draft.port_of
    for number in range(shapes.shape_ports[shape] - first):
        own_port[number] = -1
    for row in range(rows):
        own, own_end = begin(draft.row_exits, row), draft.row_exits[row]
        each = lists + shapes.listed_list[listed + draft.position[row]]
        entry = begin(shapes.list_entries, each)
        if shapes.list_entries[each] - entry != own_end - own:
            return DIFFERENT
        while own < own_end:
            number, port = shapes.entry_port[entry], draft.exit_port[own]
            if shapes.entry_number[entry] != draft.exit_number[own]:
                return DIFFERENT
            if own_port[number] < 0:
                own_port[number] = port
                if not _leads_out_alike(draft, row, draft.exit_number[own], inside, shapes, first + number):
                    return DIFFERENT
            if own_port[number] != port:
                return DIFFERENT
            own += 1
            entry += 1
    return DONE


def _leads_out_alike(draft: Draft, row: int, action: int, inside: Any, shapes: Shapes, port: int) -> bool:
    """Return whether an exit of a row is the representative of a port: of the same row, action and outcome."""
    outcome = -1
    if draft.source[row] >= 0:
        action, outcome, row = draft.source_action[row], draft.source_outcome[row], draft.source[row]
    if (
        shapes.port_root[port] != (row == 0)
        or shapes.port_action[port] != action
        or shapes.port_outcome[port] != outcome
    ):
        return False
    for i in range(len(inside)):
        if row > 0 and inside[i] and shapes.port_fields[port, i] != draft.fields[row, i]:
            return False
    return True


def _parts(draft: Draft, action: int) -> int:
    """Return the number of parts of an inner action's sum in the graph; 1 if it is not divided."""
    first = begin(draft.action_terms, action)
    count = draft.action_terms[action] - first
    for term in range(first, draft.action_terms[action]):
        if draft.term_weight[term] < 0.0:
            return 1
    return int(np.ceil(np.sqrt(count))) if count > LONG else 1


def _place_rows(draft: Draft, rows: int) -> int:
    """Assign the rows their indices in the graph, after those for parts of their sums; return the number of all."""
    place = 0
    for i in range(rows):
        row = draft.order[i]
        extra = 0
        for action in range(begin(draft.row_actions, row), draft.row_actions[row]):
            parts = _parts(draft, action)
            extra += parts if parts > 1 else 0
        draft.extra[row] = extra
        draft.position[row] = place + extra
        place += extra + 1
    return place


def _keep_graph(draft: Draft, shapes: Shapes, rows: int, placed: int) -> Any:
    used, position = shapes.used, draft.position
    first_row, action_at, term_at = used[ROWS], used[ACTIONS], used[TERMS]
    depth = draft.depth[0]
    for i in range(rows):
        row = draft.order[i]
        place = position[row] - draft.extra[row]
        for action in range(begin(draft.row_actions, row), draft.row_actions[row]):
            parts = _parts(draft, action)
            if parts == 1:
                continue
            depth = 2 * draft.depth[0]
            for part in range(parts):
                first, end = _part(draft, action, part, parts)
                total = _sum(draft.term_weight, first, end)
                for term in range(first, end):
                    shapes.term_weight[term_at] = draft.term_weight[term] / total
                    shapes.term_row[term_at] = position[draft.term_row[term]]
                    term_at += 1
                draft.counted[1] = max(draft.counted[1], end - first, parts)
                shapes.action_number[action_at], shapes.action_gain[action_at] = CHANCE, 0.0
                shapes.action_terms[action_at] = term_at
                action_at += 1
                shapes.row_actions[first_row + place] = action_at
                place += 1
        place = position[row] - draft.extra[row]
        for action in range(begin(draft.row_actions, row), draft.row_actions[row]):
            parts = _parts(draft, action)
            first, end = begin(draft.action_terms, action), draft.action_terms[action]
            if parts == 1:
                for term in range(first, end):
                    shapes.term_weight[term_at] = draft.term_weight[term]
                    shapes.term_row[term_at] = position[draft.term_row[term]]
                    term_at += 1
                draft.counted[1] = max(draft.counted[1], end - first)
            else:
                for part in range(parts):
                    first, end = _part(draft, action, part, parts)
                    shapes.term_weight[term_at] = _sum(draft.term_weight, first, end)
                    shapes.term_row[term_at] = place
                    term_at += 1
                    place += 1
            shapes.action_number[action_at] = draft.action_number[action]
            shapes.action_gain[action_at] = draft.action_gain[action]
            shapes.action_terms[action_at] = term_at
            action_at += 1
        shapes.row_actions[first_row + position[row]] = action_at
    hashed = _hash_graph(shapes, first_row, placed, action_at, term_at)
    for earlier in range(used[GRAPHS]):
        if shapes.graph_hash[earlier] == hashed and _same_graph(shapes, earlier, first_row, placed):
            return earlier
    graph = used[GRAPHS]
    shapes.graph_hash[graph] = hashed
    shapes.graph_rows[graph] = first_row + placed
    shapes.graph_depth[graph] = depth
    used[GRAPHS], used[ROWS], used[ACTIONS], used[TERMS] = graph + 1, first_row + placed, action_at, term_at
    return graph


def _part(draft: Draft, action: int, part: int, parts: int) -> tuple[int, int]:
    """Return the range of terms of one part of an action's sum."""
    first = begin(draft.action_terms, action)
    count = draft.action_terms[action] - first
    return first + part * count // parts, first + (part + 1) * count // parts


def _sum(weights: Any, first: int, end: int) -> float:
    total = 0.0
    for term in range(first, end):
        total += weights[term]
    return total


def _hash_graph(shapes: Shapes, row: int, rows: int, actions_end: int, terms_end: int) -> Any:
    hashed = np.uint64(rows)
    for i in range(rows):
        hashed = hash_key(hashed, shapes.row_actions[row + i] - shapes.used[ACTIONS])
    for action in range(shapes.used[ACTIONS], actions_end):
        hashed = hash_key(hashed, np.int64(shapes.action_number[action]))
    for term in range(shapes.used[TERMS], terms_end):
        hashed = hash_key(hashed, np.int64(shapes.term_weight[term] * 2.0**50))
        hashed = hash_key(hashed, np.int64(shapes.term_row[term]))
    return hashed


def _same_graph(shapes: Shapes, graph: int, row: int, rows: int) -> bool:
    """Return whether a graph equals the one written after the used entries."""
    first = begin(shapes.graph_rows, graph)
    if shapes.graph_rows[graph] - first != rows:
        return False
    action, first_action = begin(shapes.row_actions, row), begin(shapes.row_actions, first)
    term, first_term = begin(shapes.action_terms, action), begin(shapes.action_terms, first_action)
    for i in range(rows):
        count = shapes.row_actions[first + i] - first_action
        if shapes.row_actions[row + i] - action != count:
            return False
    for i in range(shapes.row_actions[first + rows - 1] - first_action):
        if (
            shapes.action_number[first_action + i] != shapes.action_number[action + i]
            or shapes.action_gain[first_action + i] != shapes.action_gain[action + i]
            or shapes.action_terms[first_action + i] - first_term != shapes.action_terms[action + i] - term
        ):
            return False
    end = begin(shapes.action_terms, shapes.row_actions[first + rows - 1])
    for i in range(end - first_term):
        if (
            shapes.term_weight[first_term + i] != shapes.term_weight[term + i]
            or shapes.term_row[first_term + i] != shapes.term_row[term + i]
        ):
            return False
    return True


def _number_ports(draft: Draft, rows: int) -> int:
    """Assign the ports numbers in the order of the sorted rows; return the number of ports."""
    ports = 0
    for i in range(rows):
        row = draft.order[i]
        for entry in range(begin(draft.row_exits, row), draft.row_exits[row]):
            port = draft.exit_port[entry]
            if draft.port_number[port] < 0:
                draft.port_number[port] = ports
                ports += 1
    return ports


def _keep_exits(draft: Draft, shapes: Shapes, rows: int, placed: int) -> Any:
    used = shapes.used
    listed, first_list, entry_at = used[LISTED], used[LISTS], used[ENTRIES]
    shapes.list_entries[first_list] = entry_at  # the first list is empty
    draft.list_first[:] = -1
    draft.list_first[0], draft.list_next[0], draft.list_hash[0] = 0, -1, 0
    lists = first_list + 1
    hashed = np.uint64(placed)
    for i in range(rows):
        row = draft.order[i]
        place = listed + draft.position[row]
        for extra in range(draft.extra[row]):
            shapes.listed_list[place - 1 - extra] = 0
        begun = entry_at
        for entry in range(begin(draft.row_exits, row), draft.row_exits[row]):
            shapes.entry_port[entry_at] = draft.port_number[draft.exit_port[entry]]
            shapes.entry_number[entry_at] = draft.exit_number[entry]
            entry_at += 1
        here = _same_list(draft, shapes, first_list, lists, begun, entry_at)
        shapes.listed_list[place] = here - first_list
        if here == lists:
            shapes.list_entries[lists] = entry_at
            hashed = hash_key(hashed, np.int64(draft.list_hash[lists - first_list]))
            lists += 1
        else:
            entry_at = begun
        hashed = hash_key(hashed, np.int64(here - first_list))
    for earlier in range(used[EXITS]):
        if shapes.exits_hash[earlier] == hashed and _same_exits(shapes, earlier, listed, placed, first_list, lists):
            return earlier
    block = used[EXITS]
    shapes.exits_hash[block] = hashed
    shapes.exits_listed[block], shapes.exits_lists[block] = listed + placed, lists
    used[EXITS], used[LISTED], used[LISTS], used[ENTRIES] = block + 1, listed + placed, lists, entry_at
    return block


def _same_list(draft: Draft, shapes: Shapes, first: int, lists: int, begun: int, end: int) -> int:
    """Find a list, from the first on, equal to the entries from `begun` to `end`; return `lists` if there is none."""
    hashed = np.uint64(0)
    for entry in range(begun, end):
        hashed = hash_key(hashed, np.int64(shapes.entry_port[entry]) << 20 | np.int64(shapes.entry_number[entry]))
    chain = np.int64(hashed % np.uint64(CHAINS))
    each = draft.list_first[chain]
    while each >= 0:
        start = begin(shapes.list_entries, first + each)
        count = shapes.list_entries[first + each] - start
        if draft.list_hash[each] == hashed and count == end - begun and _same_entries(shapes, start, begun, count):
            return first + each  # type: ignore[no-any-return]
        each = draft.list_next[each]
    new = lists - first
    draft.list_hash[new] = hashed
    draft.list_next[new], draft.list_first[chain] = draft.list_first[chain], new
    return lists


def _same_entries(shapes: Shapes, one: int, other: int, count: int) -> bool:
    for i in range(count):
        if (
            shapes.entry_port[one + i] != shapes.entry_port[other + i]
            or shapes.entry_number[one + i] != shapes.entry_number[other + i]
        ):
            return False
    return True


def _same_exits(shapes: Shapes, block: int, listed: int, rows: int, first_list: int, lists: int) -> bool:
    """Return whether exits equal those written after the used entries."""
    first = begin(shapes.exits_listed, block)
    earliest = begin(shapes.exits_lists, block)
    if shapes.exits_listed[block] - first != rows or shapes.exits_lists[block] - earliest != lists - first_list:
        return False
    for i in range(rows):
        if shapes.listed_list[first + i] != shapes.listed_list[listed + i]:
            return False
    start, begun = begin(shapes.list_entries, earliest), begin(shapes.list_entries, first_list)
    for i in range(lists - first_list):
        if shapes.list_entries[earliest + i] - start != shapes.list_entries[first_list + i] - begun:
            return False
    return _same_entries(shapes, start, begun, shapes.list_entries[lists - 1] - begun)


def _keep_ports(draft: Draft, shapes: Shapes, exits: int) -> None:
    first = shapes.used[PORTS]
    most = first - 1
    for entry in range(exits):
        port = draft.exit_port[entry]
        place = first + draft.port_number[port]
        most = max(most, place)
        row = draft.port_row[port]
        shapes.port_root[place] = row == 0
        for i in range(shapes.port_fields.shape[1]):
            shapes.port_fields[place, i] = draft.fields[row, i]
        shapes.port_action[place] = draft.port_action[port]
        shapes.port_outcome[place] = draft.port_outcome[port]
    shapes.used[PORTS] = most + 1
