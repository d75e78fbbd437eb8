"""The kernel of the reachability analysis: visits each state once, and checks every rule."""

from typing import Any

import numpy as np

from komi.game import CHANCE
from komi.graph.lookup import GrowingIndex, find_slot, has_capacity, insert_atomically, is_occupied, state_at
from komi.rules.interface import legal, outcomes, over, payoff, possible, record_witness, unpack

# The results of a survey. All but the first two come with a state, and with an action if one is involved.
DONE, PAUSED, OUTSIDE, IMPOSSIBLE, DEAD_END, PROBABILITY, PAYOFF, PASSES, CROWDED, ACTION, MIXED = range(11)
ROUND, UNSHARED, NO_ROOM, UNKNOWN, DIFFERENT = range(11, 16)
# of rolls: NO_ROOM, the buffers are too small; UNKNOWN, symbolic execution has to learn a state's transitions;
# DIFFERENT, a state's own roll graph is not the one that it shares

SPARE = 2  # entries of every array of a roll that stay unused

PROBABILITY_TOLERANCE = 1e-9
DEFICIT_UNITS = 2.0**60  # units of a deficit of 1


def survey(
    rules: Any,
    known: int,
    found: GrowingIndex,
    stack: Any,
    height: int,
    budget: int,
    totals: Any,
    witness: Any,
) -> Any:
    """Visit at most `budget` of the states that are reachable from the stacked ones.

    Args:
        rules: the rules.
        known: the upper bound on action numbers, exclusive.
        found: the set of the states found, a `GrowingSet`; another thread may add to a dense one.
        stack: int64[.], places of states found and not yet visited.
        height: the height of the stack.
        budget: the number of visits after which to pause.
        totals: int64[6], added to: states visited, actions, outcomes, most outcomes of one action, most actions, the
            largest deficit, |total probability of an action - 1| in DEFICIT_UNITS.
        witness: filled with the fields of the state, and the action, that ended the survey.

    Returns:
        (how it ended, height of the stack). After OUTSIDE and CROWDED the last state is on it, to be visited again.
    """
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        state = state_at(found, here)
        actions = 0
        chances = 0
        most = 0
        deficit = 0.0
        sum_outcomes = 0
        for action in legal(rules, state):
            if not -1 <= action < known:
                record_witness(state, action, witness)
                return ACTION, height
            actions += 1
            chances += action == CHANCE
            count = 0
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                count += 1
                total += probability
                if not probability >= 0.0:
                    record_witness(state, action, witness)
                    return PROBABILITY, height
                if passes < 0:
                    record_witness(state, action, witness)
                    return PASSES, height
                if over(rules, after):
                    if not 0.0 <= payoff(rules, after) <= 1.0:
                        record_witness(after, -1, witness)
                        return PAYOFF, height
                    continue
                slot = find_slot(found, after)
                if slot < 0:
                    stack[height] = here
                    record_witness(after, -1, witness)
                    return OUTSIDE, height + 1
                if is_occupied(found, slot):
                    continue
                if not possible(rules, after):
                    record_witness(after, -1, witness)
                    return IMPOSSIBLE, height
                if height == len(stack) - 1 or not has_capacity(found, 1):  # the last entry stays free
                    stack[height] = here
                    return CROWDED, height + 1
                place = insert_atomically(found, slot, after)
                if place >= 0:
                    stack[height] = place
                    height += 1
            if abs(total - 1.0) > PROBABILITY_TOLERANCE:
                record_witness(state, action, witness)
                return PROBABILITY, height
            sum_outcomes += count
            most = max(most, count)
            if abs(total - 1.0) > deficit:  # faster than `max`
                deficit = abs(total - 1.0)
        if actions == 0:
            record_witness(state, -1, witness)
            return DEAD_END, height
        if chances and actions > 1:
            record_witness(state, CHANCE, witness)
            return MIXED, height
        totals[0] += 1
        totals[1] += actions
        totals[2] += sum_outcomes
        totals[3] = max(totals[3], most)
        totals[4] = max(totals[4], actions)
        if deficit > 0.0:
            totals[5] = max(totals[5], np.int64(deficit * DEFICIT_UNITS))
    return PAUSED, height


def mark_possible(rules: Any, layout: Any, bits: Any) -> None:
    """Add every possible, non-terminal state of the layout to the set, whether play can reach it or not."""
    for word in range(len(bits) * 64):
        state = unpack(layout, word)
        if possible(rules, state) and not over(rules, state):
            bits[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
