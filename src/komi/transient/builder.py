"""The builder of roll graphs: runs the rules in a stored state and in all transient states inside its roll."""

from typing import Any

import numpy as np

from komi.game import CHANCE
from komi.graph.perspective import linear_term
from komi.graph.reachability_kernel import DEAD_END, DONE, MIXED
from komi.graph.summation import two_sum_error
from komi.graph.transitions import begin
from komi.jit.intrinsics import hash_key
from komi.jit.specialization import always_inline
from komi.rules.interface import record_witness, state_from
from komi.transient.hashing import hash_of_row
from komi.transient.roll_graph import CHAINS, Draft, Listing
from komi.transient.rule_calls import list_actions, list_outcomes
from komi.transient.violations import NO_ROOM, ROUND, SPARE


def expand(rules: Any, seats: int, known: int, state: Any, inside: Any, draft: Draft, witness: Any) -> int:
    """Build the roll graph of a state in a draft.

    Args:
        rules: the rules.
        seats: the number of seats.
        known: the upper bound on action numbers, exclusive.
        state: a stored state, or one inside its roll.
        inside: bool[fields], which fields can change within the roll; a change of any other field ends it.
        draft: filled in.
        witness: filled with the fields of a state, and the action, if the rules are broken.

    Returns:
        DONE; NO_ROOM, if the buffers of the draft are too small; or the violation of the rules
    """
    source, listing = draft.source, draft.listing
    term_weight, term_rest, term_row = draft.term_weight, draft.term_rest, draft.term_row
    width = len(state)
    actions = terms = exits = ports = 0
    for row in range(draft.counted[0]):
        draft.table[draft.slot[row]] = -1
    draft.counted[0] = 0
    draft.graph[0] = -1
    draft.port_first[:] = -1
    source[0] = -1
    for i in range(width):
        draft.fields[0, i] = state[i]
    _row_of(draft, width)
    here = 0
    while here < draft.counted[0]:
        if here + SPARE >= len(source):
            return NO_ROOM
        if source[here] >= 0:
            if ports + SPARE >= len(draft.port_row) or exits + SPARE >= len(draft.exit_port):
                return NO_ROOM
            draft.port_row[ports] = source[here]
            draft.port_action[ports] = draft.source_action[here]
            draft.port_outcome[ports] = draft.source_outcome[here]
            draft.port_hash[ports] = np.uint64(0)
            draft.exit_port[exits] = ports
            draft.exit_number[exits] = draft.source_action[here]
            ports += 1
            exits += 1
            draft.row_actions[here] = actions
            draft.row_exits[here] = exits
            here += 1
            continue
        node = state_from(draft.fields, here)
        choices = list_actions(rules, known, node, listing, witness)
        if choices < 0:
            return -1 - choices  # type: ignore[no-any-return]
        chances = 0
        for choice in range(choices):
            action = listing.action[choice]
            chances += action == CHANCE
            count = list_outcomes(rules, seats, node, action, listing, 0, 0, witness)
            if count < 0:
                return -1 - count  # type: ignore[no-any-return]
            staying = _count_staying(listing, count, state, inside)
            if max(actions, exits, ports) + SPARE >= len(draft.exit_port) or terms + count >= len(draft.term_row):
                return NO_ROOM
            if staying == 0:
                draft.counted[1] = max(draft.counted[1], count + _count_passing(listing, count, width))
                port = _port(draft, ports, here, action, count, width)
                ports = max(ports, port + 1)
                draft.exit_port[exits] = port
                draft.exit_number[exits] = action
                exits += 1
                continue
            gain = rest = 0.0
            first_term = terms
            for k in range(count):
                weight = listing.probability[k]
                if draft.counted[0] + SPARE >= len(source):
                    return NO_ROOM
                turn = listing.fields[k, width + 1]
                if listing.stays[k]:
                    gain += weight * listing.gain[k]
                    for i in range(width):
                        draft.fields[draft.counted[0], i] = listing.fields[k, i]
                    row = _row_of(draft, width)
                    if seats == 2:
                        added, weight = linear_term(weight, turn)
                        rest += two_sum_error(gain, added)
                        gain += added
                else:
                    row = draft.counted[0]
                    source[row] = here
                    draft.source_action[row] = action
                    draft.source_outcome[row] = k
                    draft.slot[row] = len(draft.table) - 1
                    draft.counted[0] += 1
                terms = _add_term(term_weight, term_rest, term_row, first_term, terms, weight, row)
            for term in range(first_term, terms):
                draft.term_weight[term] += draft.term_rest[term]
            draft.action_number[actions] = action
            draft.action_gain[actions] = gain + rest
            draft.action_terms[actions] = terms
            actions += 1
        if choices == 0:
            record_witness(node, -1, witness)
            return DEAD_END
        if chances and choices > 1:
            record_witness(node, CHANCE, witness)
            return MIXED
        draft.counted[2] = max(draft.counted[2], choices)
        draft.row_actions[here] = actions
        draft.row_exits[here] = exits
        here += 1
    for port in range(ports):
        draft.port_number[port] = -1
    return _order(draft, width, witness)


@always_inline
def _add_term(term_weight: Any, term_rest: Any, term_row: Any, first: int, terms: int, weight: float, row: int) -> int:
    """Add a term to those of an action, or its weight to the term of the same row; return the new number of terms.

    The rounding error of the weight is accumulated in `term_rest`.
    """
    for term in range(first, terms):
        before = term_weight[term]
        if term_row[term] == row and (before < 0.0) == (weight < 0.0):
            term_rest[term] += two_sum_error(before, weight)
            term_weight[term] = before + weight
            return terms
    term_weight[terms] = weight
    term_rest[terms] = 0.0
    term_row[terms] = row
    return terms + 1


def expand_again(rules: Any, seats: int, known: int, state: Any, inside: Any, draft: Draft, witness: Any) -> int:
    """Recompute the exits of a draft for another state, if its roll begins like that of the draft.

    Play inside a roll depends only on its own fields, so that only exits can differ.

    Returns:
        as `expand`; ROUND, if the roll begins differently
    """
    if draft.graph[0] < 0 or not _begins_so(rules, seats, known, state, inside, draft, witness):
        return ROUND
    width, listing = len(state), draft.listing
    draft.port_first[:] = -1
    exits = ports = 0
    for row in range(draft.counted[0]):
        for i in range(width):
            if row == 0 or not inside[i]:
                draft.fields[row, i] = state[i]
        node = state_from(draft.fields, row)
        inner, inner_end = begin(draft.row_actions, row), draft.row_actions[row]
        choices = list_actions(rules, known, node, listing, witness)
        if choices < 0:
            return -1 - choices  # type: ignore[no-any-return]
        for choice in range(choices):
            action = listing.action[choice]
            if inner < inner_end and action == draft.action_number[inner]:
                inner += 1
                continue
            count = list_outcomes(rules, seats, node, action, listing, 0, 0, witness)
            if count < 0:
                return -1 - count  # type: ignore[no-any-return]
            if max(exits, ports) + SPARE >= len(draft.exit_port):
                return NO_ROOM
            port = _port(draft, ports, row, action, count, width)
            ports = max(ports, port + 1)
            draft.exit_port[exits] = port
            draft.exit_number[exits] = action
            exits += 1
        draft.row_exits[row] = exits
    for port in range(ports):
        draft.port_number[port] = -1
    return DONE


def _begins_so(rules: Any, seats: int, known: int, state: Any, inside: Any, draft: Draft, witness: Any) -> bool:
    """Return whether the roll of a state begins like that of the draft."""
    listing = draft.listing
    inner, term = 0, 0
    for choice in range(list_actions(rules, known, state, listing, witness)):
        action = listing.action[choice]
        count = list_outcomes(rules, seats, state, action, listing, 0, 0, witness)
        staying = _count_staying(listing, count, state, inside)
        if staying == 0:
            continue
        if inner == draft.row_actions[0] or draft.action_number[inner] != action:
            return False
        if staying < count or draft.action_terms[inner] - term != count:
            return False
        gain = 0.0
        for k in range(count):
            if draft.term_weight[term] != listing.probability[k]:
                return False
            gain += listing.probability[k] * listing.gain[k]
            row = draft.term_row[term]
            for i in range(len(state)):
                if inside[i] and draft.fields[row, i] != listing.fields[k, i]:
                    return False
            term += 1
        if draft.action_gain[inner] != gain:
            return False
        inner += 1
    return inner == draft.row_actions[0]  # type: ignore[no-any-return]


def _count_passing(listing: Listing, count: int, width: int) -> int:
    """Count the outcomes of an action that pass the turn."""
    passing = 0
    for k in range(count):
        passing += listing.fields[k, width + 1] != 0
    return passing


def _count_staying(listing: Listing, count: int, root: Any, inside: Any) -> int:
    """Mark the outcomes of an action that stay inside the roll of a stored state; return their number."""
    width = len(root)
    staying = 0
    for k in range(count):
        stays = listing.transient[k]
        everything = True
        for i in range(width):
            everything = everything and inside[i]
            stays = stays and (inside[i] or listing.fields[k, i] == root[i])
        stays = stays and (everything or listing.fields[k, width + 1] == 0)
        listing.stays[k] = stays
        staying += stays
    return staying


@always_inline
def _row_of(draft: Draft, width: int) -> Any:
    """Return the row with the same fields as the one past the last row, which is added if they are new."""
    fields, table = draft.fields, draft.table
    new = draft.counted[0]
    last = np.uint64(len(table) - 2)  # a power of two less two: the last slot stays empty
    slot: Any = np.int64(hash_of_row(fields, new, width) % last)
    while table[slot] >= 0:
        row = table[slot]
        same = True
        for i in range(width):
            same = same and fields[row, i] == fields[new, i]
        if same:
            return row
        slot = slot + 1 if slot + 1 < len(table) - 1 else 0
    table[slot] = new
    draft.slot[new] = slot
    draft.source[new] = -1
    draft.counted[0] = new + 1
    return new


def _port(draft: Draft, ports: int, row: int, action: int, count: int, width: int) -> int:
    """Return the port of an exit: an existing one with the same gain and successor, or the next number."""
    hashed = np.uint64(0)
    if count == 1:
        hashed = hash_key(hash_of_row(draft.listing.fields, 0, width + 2), np.int64(draft.listing.gain[0] * 2.0**20))
        chain = np.int64(hashed % np.uint64(CHAINS))
        port = draft.port_first[chain]
        while port >= 0:
            same = draft.port_hash[port] == hashed and draft.port_gain[port] == draft.listing.gain[0]
            for i in range(width + 2):
                same = same and draft.port_fields[port, i] == draft.listing.fields[0, i]
            if same:
                return port  # type: ignore[no-any-return]
            port = draft.port_next[port]
        draft.port_next[ports], draft.port_first[chain] = draft.port_first[chain], ports
        for i in range(width + 2):
            draft.port_fields[ports, i] = draft.listing.fields[0, i]
    draft.port_hash[ports] = hashed
    draft.port_gain[ports] = draft.listing.gain[0]
    draft.port_row[ports] = row
    draft.port_action[ports] = action
    draft.port_outcome[ports] = -1
    return ports


def _order(draft: Draft, width: int, witness: Any) -> int:
    """Sort the rows topologically, children first; return ROUND if they form a cycle."""
    order, position, path, follow, depth = draft.order, draft.position, draft.path, draft.follow, draft.depth
    for row in range(draft.counted[0]):
        position[row] = -1  # not seen; -2 on the path
    length, size = 1, 0
    path[0], position[0] = 0, -2
    follow[0], depth[0] = 0, 1
    while length:
        row = path[length - 1]
        first = draft.row_actions[row - 1] if row else 0
        last = draft.row_actions[row]
        end = draft.action_terms[last - 1] if last > first else 0
        term = follow[length - 1]
        entered = -1
        while term < end:
            after = draft.term_row[term]
            if position[after] == -1:
                entered = after
                break
            if position[after] == -2:
                for i in range(width):
                    witness[i] = draft.fields[after, i]
                witness[width] = -1
                return ROUND
            depth[row] = max(depth[row], depth[after] + 1)
            term += 1
        follow[length - 1] = term
        if entered >= 0:
            path[length], position[entered], depth[entered] = entered, -2, 1
            first = draft.row_actions[entered - 1] if entered else 0
            follow[length] = draft.action_terms[first - 1] if first else 0
            length += 1
            continue
        order[size], position[row] = row, size
        size += 1
        length -= 1
    return DONE
