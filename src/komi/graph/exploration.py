"""The kernel of the reachability analysis, for a game all of whose states are stored."""

from typing import Any

import numpy as np

from komi.graph.expanded_rules import ExpandedGame, expansion_at, fail
from komi.graph.expansion import HIGH, LOW, MOST_OUTCOMES, OUTCOMES, OVER
from komi.graph.lookup import (
    find_packed_slot,
    has_capacity,
    insert_packed_atomically,
    is_occupied,
    packed_at,
)
from komi.graph.reachability_kernel import (
    CROWDED,
    DEFICIT_UNITS,
    DONE,
    OUTSIDE,
    PAUSED,
    UNLISTED,
    Exploration,
    add_visit,
)
from komi.jit.addresses import RAISED, call_at


def explore(game: ExpandedGame, exploration: Exploration, height: int, budget: int) -> Any:
    """Visit at most `budget` of the states that are reachable from the stacked ones.

    Args:
        game: the game.
        exploration: modified in place.
        height: the height of the stack.
        budget: the number of visits after which to pause.

    Returns:
        (how it ended, height of the stack). After OUTSIDE, CROWDED and UNLISTED the last state is on it, to be
        visited again.
    """
    found, stack, totals, witness = exploration
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        high, low = packed_at(found, here)
        actions = call_at(game.function, game.context, high, low)
        if actions == RAISED:
            fail(game, high, low, actions)
        into = expansion_at(game.context)
        if actions < 0:
            witness[:] = into.witness
            return -actions, height + (actions == -UNLISTED)
        for outcome in range(into.counts[OUTCOMES]):
            if into.outcome[outcome, OVER]:
                continue
            next_high, next_low = into.outcome[outcome, HIGH], into.outcome[outcome, LOW]
            if next_low < 0:
                stack[height] = here
                witness[:] = into.outside[0]
                return OUTSIDE, height + 1
            slot = find_packed_slot(found, next_high, next_low)
            if is_occupied(found, slot):
                continue
            if height == len(stack) - 1 or not has_capacity(found, 1):  # the last entry stays free
                stack[height] = here
                return CROWDED, height + 1
            handle = insert_packed_atomically(found, slot, next_high, next_low)
            if handle >= 0:
                stack[height] = handle
                height += 1
        deficit = np.int64(into.deficit[0] * DEFICIT_UNITS)
        add_visit(totals, actions, into.counts[OUTCOMES], into.counts[MOST_OUTCOMES], actions, deficit)
    return PAUSED, height
