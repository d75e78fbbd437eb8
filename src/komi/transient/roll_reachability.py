"""The kernel of the reachability analysis for stored states: visits each once, and follows its roll."""

from typing import Any

from komi.graph.lookup import (
    GrowingIndex,
    find_packed_slot,
    has_capacity,
    insert_packed,
    is_occupied,
    packed_at,
    state_at,
)
from komi.graph.reachability_kernel import CROWDED, DONE, PAUSED, add_visit, push_successor
from komi.graph.transitions import begin
from komi.rules.interface import record_witness, state_from
from komi.transient.exits import evaluate_ports
from komi.transient.hash_consing import find_shape
from komi.transient.roll_graph import Draft, Ports, Shapes
from komi.transient.symbolic_transitions import MISSING, Formulas, find_leaves
from komi.transient.violations import NO_ROOM, UNKNOWN, UNSHARED


def explore_rolls(
    rules: Any,
    seats: int,
    known: int,
    found: GrowingIndex,
    stack: Any,
    height: int,
    budget: int,
    totals: Any,
    witness: Any,
    inside: Any,
    unshaping: Any,
    shapes: Shapes,
    draft: Draft,
    ports: Ports,
    formulas: Formulas,
) -> Any:
    """Visit stored states, as `reachability_kernel.explore` visits all states.

    Args:
        rules, found, stack, height, budget, totals, witness: see `reachability_kernel.explore`.
        seats, known, inside, shapes, draft: see `find_shape`; `unshaping` are its `totals`.
        ports: buffers for the ports of one state.
        formulas: the symbolic transition cache.

    Returns:
        as `reachability_kernel.explore`; NO_ROOM if the buffers of shapes, draft or ports are too small; UNKNOWN if
        symbolic transitions have to be learned from the state just visited: the witness is then its place and shape.
    """
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        root, choice = find_leaves(formulas, shapes.shape_ports, packed_at(found, here)[1])
        if root >= 0:
            shape, port = formulas.root_shape[root], formulas.root_port[root]
            count = shapes.shape_ports[shape] - begin(shapes.shape_ports, shape)
            outcomes = 0
            for each in range(port, port + count):
                leaf = formulas.port_chosen[choice, each]
                first, end = formulas.leaf_outcomes[leaf, 0], formulas.leaf_outcomes[leaf, 1]
                outcomes += end - first
                for outcome in range(first, end):
                    after = formulas.sum_value[formulas.outcome_sum[outcome]] + formulas.outcome_word[outcome]
                    slot = find_packed_slot(found, 0, after)
                    if is_occupied(found, slot):
                        continue
                    if height == len(stack) - 1 or not has_capacity(found, 1):
                        stack[height] = here
                        return CROWDED, height + 1
                    stack[height] = insert_packed(found, slot, 0, after)
                    height += 1
            add_visit(totals, count, outcomes, 0, 0, 0)
            continue
        state = state_at(found, here)
        shape = find_shape(rules, seats, known, state, inside, unshaping, shapes, draft, witness)
        count = shape
        if shape >= 0:
            count = evaluate_ports(rules, seats, known, state, shape, inside, shapes, draft, ports, witness)
        if count < 0:
            if count == -1 - NO_ROOM:
                stack[height] = here
                return NO_ROOM, height + 1
            if count == -1 - UNSHARED:
                record_witness(state, -1, witness)
            return -1 - count, height
        outcomes = ports.end[count - 1] if count else 0
        for outcome in range(outcomes):
            after = state_from(ports.fields, outcome)
            how, height = push_successor(rules, found, stack, height, here, after, witness)
            if how != DONE:
                return how, height
        add_visit(totals, count, outcomes, draft.counted[1], draft.counted[2], draft.listing.deficit[0])
        if root == MISSING:
            witness[0], witness[1] = here, shape
            return UNKNOWN, height
    return PAUSED, height
