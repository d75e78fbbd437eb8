"""The encoder of rolls as roll graphs: merges the outcomes of inner actions, and the entries with one exit."""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, I32, I64, U64, Flags, allocate
from komi.graph.reachability_kernel import ExplorationStatus, two_sum_error
from komi.graph.transitions import begin, linear_term
from komi.jit.intrinsics import hash_key
from komi.jit.specialization import always_inline
from komi.rules.interface import state_from
from komi.transient.enumerator import (
    ENDED,
    NodeOrder,
    Outcomes,
    Roll,
    RulesContext,
    hash_of_row,
    list_actions,
    list_outcomes,
    sort_nodes,
    stays_inside,
)
from komi.transient.violations import SPARE
from komi.tuning import HASH_CHAINS
from komi.typing import State


class Builder(NamedTuple):
    """Buffers for the roll graph of one state: the nodes of its roll, then a node for each outcome that leaves it."""

    node_actions: I64  # [nodes] as in `RollGraphs`
    action_number: I16
    action_gain: F64
    action_terms: I64
    term_weight: F64
    term_rest: F64  # [terms] the rounding error of the weight
    term_node: I32
    node_entries: I64  # [nodes] one past its last entry
    node_exit: I32  # [nodes] of a node for an outcome: its exit
    entry_exit: I32  # [entries]
    entry_action: I16  # [entries]
    exit_hash: U64  # [exits] of its gain and successor
    exit_chain: I32  # [HASH_CHAINS] the first exit of a hash chain; -1 none
    exit_next: I32  # [exits] the next one; -1 none
    exit_node: I32  # [exits]
    exit_action: I16  # [exits]
    exit_outcome: I32  # [exits] the index of the action's outcome; -1 all
    exit_begin: I64  # [exits] the first of the action's outcomes in the roll
    exit_end: I64  # [exits] one past the last
    exit_fields: I64  # [exits, fields] of the only successor
    exit_ends: Flags  # [exits] whether the game is over there
    exit_passes: I64  # [exits]
    exit_gain: F64  # [exits]
    exit_number: I32  # [exits] in the roll graph; -1 not yet
    exit_numbered: I32  # [exits] the inverse
    order: NodeOrder  # of all nodes; `position` becomes their index in the roll graph
    extra: I32  # [nodes] the number of nodes before it in the roll graph for the parts of its long sums
    list_hash: U64  # [nodes] of the entries of a list
    list_chain: I32  # [HASH_CHAINS] the first list of a hash chain; -1 none
    list_next: I32  # [nodes] the next one; -1 none
    counts: I64  # [3] nodes; exits; the most terms of a sum, where passing outcomes of an exit count twice
    interior: I64  # [1] the interior of the nodes; -1 if it is not stored, or some of them are outcomes

    @classmethod
    def empty(cls, capacity: int, fields: int) -> Self:
        """Allocate buffers for `capacity` nodes, and for more of everything else."""

        def shape(name: str) -> int | tuple[int, ...]:
            if name == "exit_fields":
                return 16 * capacity, fields
            if name in ("exit_chain", "list_chain"):
                return HASH_CHAINS
            return capacity if name.startswith(("node", "list", "extra")) else 16 * capacity

        order, counts, interior = NodeOrder.empty(capacity), np.zeros(3, np.int64), np.full(1, -1, np.int64)
        return allocate(cls, shape, order=order, counts=counts, interior=interior)


def build_roll_graph(seats: int, roll: Roll, builder: Builder) -> int:
    """Encode an enumerated roll as a roll graph; return DONE, or NO_ROOM if the buffers are too small."""
    outcomes = roll.outcomes
    nodes = following = roll.counts[0]
    actions = terms = entries = exits = 0
    builder.interior[0] = -1
    builder.exit_chain[:] = -1
    for node in range(nodes):
        for listed in range(begin(roll.node_actions, node), roll.node_actions[node]):
            action = roll.action[listed]
            first, end = begin(roll.action_outcomes, listed), roll.action_outcomes[listed]
            if max(actions, entries, exits + end - first) + SPARE >= len(builder.entry_exit):
                return ExplorationStatus.NO_ROOM
            if terms + end - first >= len(builder.term_node):
                return ExplorationStatus.NO_ROOM
            if roll.inner_outcomes[listed] == 0:
                exits = _enter(builder, entries, exits, (node, action), outcomes, first, end)
                entries += 1
                continue
            gain = rest = 0.0
            first_term = terms
            for outcome in range(first, end):
                weight = outcomes.probability[outcome]
                target = outcomes.target[outcome]
                if target >= 0:
                    gain += weight * outcomes.gain[outcome]
                    if seats == 2:
                        added, weight = linear_term(weight, outcomes.passes[outcome])
                        rest += two_sum_error(gain, added)
                        gain += added
                else:
                    target = following
                    if target + SPARE >= len(builder.node_exit):
                        return ExplorationStatus.NO_ROOM
                    _add_exit(builder, exits, (node, action), first, end)
                    builder.exit_outcome[exits] = outcome - first
                    builder.node_exit[target] = exits
                    exits += 1
                    following += 1
                terms = _add_term(builder, first_term, terms, weight, target)
            for term in range(first_term, terms):
                builder.term_weight[term] += builder.term_rest[term]
            builder.action_number[actions] = action
            builder.action_gain[actions] = gain + rest
            builder.action_terms[actions] = terms
            actions += 1
        builder.node_actions[node], builder.node_entries[node] = actions, entries
    if entries + following - nodes + SPARE >= len(builder.entry_exit):
        return ExplorationStatus.NO_ROOM
    for node in range(nodes, following):
        exit_ = builder.node_exit[node]
        builder.entry_exit[entries], builder.entry_action[entries] = exit_, builder.exit_action[exit_]
        entries += 1
        builder.node_actions[node], builder.node_entries[node] = actions, entries
    builder.counts[0], builder.counts[1] = following, exits
    sort_nodes(following, builder.node_actions, builder.action_terms, builder.term_node, builder.order)
    return ExplorationStatus.DONE


@always_inline
def _add_term(builder: Builder, first: int, terms: int, weight: float, node: int) -> int:
    """Add a term to those of an action, or its weight to the term of the same node; return the new number of terms.

    The rounding error of the weight is accumulated in `term_rest`.
    """
    for term in range(first, terms):
        before = builder.term_weight[term]
        if builder.term_node[term] == node and (before < 0.0) == (weight < 0.0):
            builder.term_rest[term] += two_sum_error(before, weight)
            builder.term_weight[term] = before + weight
            return terms
    builder.term_weight[terms] = weight
    builder.term_rest[terms] = 0.0
    builder.term_node[terms] = node
    return terms + 1


def update_exits(context: RulesContext, state: State, inside: Flags, rolls: Any, witness: I64) -> int:
    """Recompute the exits of a roll graph for another state, if its roll begins like that of the enumerated one.

    Play inside a roll depends only on its own fields, so that only exits can differ.

    Args:
        context, state, inside, witness: see `enumerate_roll`.
        rolls: (the enumerated roll, its builder, a buffer for the outcomes of one action).

    Returns:
        as `enumerate_roll`; ROUND, if the roll begins differently
    """
    roll, builder, listing = rolls
    if builder.interior[0] < 0 or not _begins_alike(context, state, inside, roll, listing, witness):
        return ExplorationStatus.ROUND
    width = len(state)
    builder.exit_chain[:] = -1
    entries = exits = 0
    for node in range(roll.counts[0]):
        for i in range(width):
            if node == 0 or not inside[i]:
                roll.fields[node, i] = state[i]
        current = state_from(roll.fields, node)
        inner, inner_end = begin(builder.node_actions, node), builder.node_actions[node]
        choices = list_actions(context, current, roll.legal, witness)
        if choices < 0:
            return -1 - choices  # type: ignore[no-any-return]
        for choice in range(choices):
            action = roll.legal[choice]
            if inner < inner_end and action == builder.action_number[inner]:
                inner += 1
                continue
            end = list_outcomes(context, current, action, listing, 0, 0, witness)
            if end < 0:
                return -1 - end  # type: ignore[no-any-return]
            if max(entries, exits) + SPARE >= len(builder.entry_exit):
                return ExplorationStatus.NO_ROOM
            exits = _enter(builder, entries, exits, (node, action), listing, 0, end)
            entries += 1
        builder.node_entries[node] = entries
    builder.counts[1] = exits
    return ExplorationStatus.DONE


def _begins_alike(
    context: RulesContext, state: State, inside: Flags, roll: Roll, listing: Outcomes, witness: I64
) -> bool:
    """Return whether the roll of a state begins like the enumerated one: with the same inner actions and outcomes."""
    outcomes = roll.outcomes
    listed = 0
    for choice in range(list_actions(context, state, roll.legal, witness)):
        action = roll.legal[choice]
        while listed < roll.node_actions[0] and roll.inner_outcomes[listed] == 0:
            listed += 1
        count = list_outcomes(context, state, action, listing, 0, 0, witness)
        if listed == roll.node_actions[0] or roll.action[listed] != action:
            for k in range(count):
                if stays_inside(listing, k, state, inside):
                    return False
            continue
        first = begin(roll.action_outcomes, listed)
        if count != roll.inner_outcomes[listed] or count != roll.action_outcomes[listed] - first:
            return False
        for k in range(count):
            target = outcomes.target[first + k]
            if not stays_inside(listing, k, state, inside) or outcomes.gain[first + k] != listing.gain[k]:
                return False
            if (
                outcomes.probability[first + k] != listing.probability[k]
                or outcomes.passes[first + k] != listing.passes[k]
            ):
                return False
            for i in range(len(state)):
                if inside[i] and roll.fields[target, i] != listing.fields[k, i]:
                    return False
        listed += 1
    while listed < roll.node_actions[0] and roll.inner_outcomes[listed] == 0:
        listed += 1
    return listed == roll.node_actions[0]  # type: ignore[no-any-return]


def _enter(
    builder: Builder, entries: int, exits: int, source: tuple[Any, Any], outcomes: Outcomes, first: int, end: int
) -> int:
    """Write an entry for an action that leaves the roll; return the new number of exits.

    It gets an existing exit with the same gain and successor, or a new one.

    Args:
        builder: filled in.
        entries: the index of the entry.
        exits: the number of exits.
        source: (the node, the action).
        outcomes, first, end: the action's outcomes.
    """
    passing = 0
    for outcome in range(first, end):
        passing += outcomes.passes[outcome] != 0
    builder.counts[2] = max(builder.counts[2], end - first + passing)
    builder.entry_action[entries] = source[1]
    hashed = np.uint64(0)
    if end - first == 1:
        width = outcomes.fields.shape[1]
        hashed = hash_key(hash_of_row(outcomes.fields, first, width), np.int64(outcomes.gain[first] * 2.0**20))
        hashed = hash_key(hashed, outcomes.passes[first])
        chain = np.int64(hashed % np.uint64(HASH_CHAINS))
        exit_ = builder.exit_chain[chain]
        while exit_ >= 0:
            if builder.exit_hash[exit_] == hashed and _leads_to(builder, exit_, outcomes, first):
                builder.entry_exit[entries] = exit_
                return exits
            exit_ = builder.exit_next[exit_]
        builder.exit_next[exits], builder.exit_chain[chain] = builder.exit_chain[chain], exits
        for i in range(width):
            builder.exit_fields[exits, i] = outcomes.fields[first, i]
        builder.exit_ends[exits] = outcomes.target[first] == ENDED
        builder.exit_passes[exits], builder.exit_gain[exits] = outcomes.passes[first], outcomes.gain[first]
    builder.exit_hash[exits] = hashed
    builder.entry_exit[entries] = exits
    _add_exit(builder, exits, source, first, end)
    return exits + 1


def _leads_to(builder: Builder, exit_: int, outcomes: Outcomes, outcome: int) -> bool:
    """Return whether the only outcome of an exit has the same gain and successor as this one."""
    is_same = (
        builder.exit_gain[exit_] == outcomes.gain[outcome]
        and builder.exit_passes[exit_] == outcomes.passes[outcome]
        and builder.exit_ends[exit_] == (outcomes.target[outcome] == ENDED)
    )
    for i in range(outcomes.fields.shape[1]):
        is_same = is_same and builder.exit_fields[exit_, i] == outcomes.fields[outcome, i]
    return is_same  # type: ignore[no-any-return]


@always_inline
def _add_exit(builder: Builder, exit_: int, source: tuple[Any, Any], first: int, end: int) -> None:
    """Describe a new exit by its source: all outcomes of an action in a node."""
    builder.exit_node[exit_], builder.exit_action[exit_] = source
    builder.exit_outcome[exit_] = -1
    builder.exit_begin[exit_], builder.exit_end[exit_] = first, end
    builder.exit_number[exit_] = -1
