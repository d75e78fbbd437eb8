"""The kernel of the reachability analysis for stored states that are too many to store the shapes of their rolls."""

from typing import Any

from komi.graph.lookup import GrowingIndex, prefetch_state, state_at
from komi.graph.reachability_kernel import DONE, PAUSED, add_visit, push_successor
from komi.rules.interface import state_from
from komi.transient.enumeration import Sheet, unroll
from komi.transient.violations import NO_ROOM


def explore_sheets(
    rules: Any,
    seats: int,
    known: int,
    found: GrowingIndex,
    stack: Any,
    height: int,
    budget: int,
    totals: Any,
    witness: Any,
    sheet: Sheet,
) -> Any:
    """Visit stored states, as `reachability_kernel.explore` visits all states.

    Args:
        rules, found, stack, height, budget, totals, witness: see `reachability_kernel.explore`.
        seats, known: see `unroll`.
        sheet: buffers for one state's roll.

    Returns:
        as `reachability_kernel.explore`; NO_ROOM if the buffers of the sheet are too small.
    """
    _, _, _, actions_end, _, outcomes_end, _, _, _, _, ways, _, _, counted = sheet
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        how = unroll(rules, seats, known, state_at(found, here), False, sheet, witness)
        if how != DONE:
            if how == NO_ROOM:
                stack[height] = here
                height += 1
            return how, height
        for way in range(counted[1]):
            prefetch_state(found, state_from(ways, way))
        for way in range(counted[1]):
            after = state_from(ways, way)
            how, height = push_successor(rules, found, stack, height, here, after, witness)
            if how != DONE:
                return how, height
        actions = actions_end[counted[0] - 1]
        add_visit(totals, actions, outcomes_end[actions - 1], counted[2], counted[3], counted[4])
    return PAUSED, height
