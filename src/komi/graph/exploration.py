"""The kernel of the reachability analysis, for a game all of whose states are stored."""

from typing import Any

import numpy as np

from komi.arrays import I64
from komi.graph.expanded_rules import ExpandedGame, expansion_at, fail
from komi.graph.expansion import HIGH, LOW, MOST_OUTCOMES, OUTCOMES, OVER, Expansion
from komi.graph.lookup import (
    GrowingIndex,
    find_packed_slot,
    has_capacity,
    insert_packed_atomically,
    is_occupied,
    packed_at,
)
from komi.graph.reachability_kernel import DEFICIT_UNITS, Exploration, ExplorationStatus, add_visit
from komi.jit.addresses import RAISED, call_at
from komi.jit.specialization import always_inline


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
            return ExplorationStatus.DONE, height
        height -= 1
        here = stack[height]
        into, actions = expand_at(game, found, here)
        if actions < 0:
            witness[:] = into.witness
            return -actions, height + (actions == -ExplorationStatus.UNLISTED)
        for outcome in range(into.counts[OUTCOMES]):
            if into.outcome[outcome, OVER]:
                continue
            next_high, next_low = into.outcome[outcome, HIGH], into.outcome[outcome, LOW]
            if next_low < 0:
                stack[height] = here
                witness[:] = into.outside[0]
                return ExplorationStatus.OUTSIDE, height + 1
            how, height = push_packed(found, stack, height, here, next_high, next_low)
            if how != ExplorationStatus.DONE:
                return how, height
        deficit = np.int64(into.deficit[0] * DEFICIT_UNITS)
        add_visit(totals, actions, into.counts[OUTCOMES], into.counts[MOST_OUTCOMES], actions, deficit)
    return ExplorationStatus.PAUSED, height


@always_inline
def expand_at(game: ExpandedGame, found: GrowingIndex, handle: int) -> tuple[Expansion, Any]:
    """Expand the state with a handle; return its expansion, and what `expand` returns."""
    high, low = packed_at(found, handle)
    actions = call_at(game.function, game.context, high, low)
    if actions == RAISED:
        fail(game, high, low, actions)
    return expansion_at(game.context), actions


@always_inline
def push_packed(found: GrowingIndex, stack: I64, height: int, here: int, high: int, low: int) -> tuple[Any, Any]:
    """Push a packed successor of the state `here`, if it is new; return DONE or CROWDED, and the new height."""
    slot = find_packed_slot(found, high, low)
    if is_occupied(found, slot):
        return ExplorationStatus.DONE, height
    if height == len(stack) - 1 or not has_capacity(found, 1):  # the last entry stays free
        stack[height] = here
        return ExplorationStatus.CROWDED, height + 1
    handle = insert_packed_atomically(found, slot, high, low)
    if handle < 0:
        return ExplorationStatus.DONE, height
    stack[height] = handle
    return ExplorationStatus.DONE, height + 1
