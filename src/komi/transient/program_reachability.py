"""The kernel of the reachability analysis for stored states that are too many to store the shapes of their rolls."""

from typing import Any

from komi.graph.lookup import GrowingIndex, prefetch_state, state_at
from komi.graph.reachability_kernel import DONE, NO_ROOM, PAUSED
from komi.rules.interface import state_from
from komi.transient.enumeration import Sheet, unroll
from komi.transient.roll_reachability import stack_found


def survey_sheets(
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
    """Visit stored states, as `reachability_kernel.survey` visits all states.

    Args:
        rules, found, stack, height, budget, totals, witness: see `reachability_kernel.survey`.
        seats, known: see `unroll`.
        sheet: buffers for one state's roll.

    Returns:
        as `reachability_kernel.survey`; NO_ROOM if the buffers of the sheet are too small.
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
            how, height = stack_found(rules, found, stack, height, here, after, witness)
            if how != DONE:
                return how, height
        actions = actions_end[counted[0] - 1]
        totals[0] += 1
        totals[1] += actions
        totals[2] += outcomes_end[actions - 1]
        totals[3] = max(totals[3], counted[2])
        totals[4] = max(totals[4], counted[3])
        totals[5] = max(totals[5], counted[4])
    return PAUSED, height
