"""The survey: which states play can reach, each looked at once, every rule checked on the way."""

from typing import Any

import numpy as np

from komi.compile.bits import fetch_or
from komi.compile.rulebook import legal, outcomes, over, pack, payoff, possible, unpack
from komi.compile.witness import note

# What a survey can end with. All but the first two name a state, and an action where there is one.
DONE, PAUSED, OUTSIDE, IMPOSSIBLE, DEAD_END, PROBABILITY, PAYOFF, PASSES, CROWDED, ACTION = range(10)

PROBABILITY_TOLERANCE = 1e-9


def survey(
    rules: Any,
    known: int,
    layout: Any,
    bits: Any,
    stack: Any,
    height: int,
    budget: int,
    totals: Any,
    witness: Any,
) -> Any:
    """Visit what can be reached from the stacked states, at most `budget` of them.

    Args:
        rules: the rules.
        known: how many actions there are.
        layout: how states are packed into words.
        bits: uint64[words / 64], the set of the states found, by this thread or another.
        stack: int64[.], words of states found and not yet visited.
        height: how many there are.
        budget: pause after so many visits.
        totals: int64[5], added to: states visited, actions, outcomes, most outcomes of one action, most actions.
        witness: the fields of the state, and the action, that ended the survey.

    Returns:
        (how it ended, height of the stack). After OUTSIDE and CROWDED the last state is on it, to be visited again.
    """
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        state = unpack(layout, here)
        actions = 0
        most = 0
        sum_outcomes = 0
        for action in legal(rules, state):
            if not -1 <= action < known:
                note(state, action, witness)
                return ACTION, height
            actions += 1
            count = 0
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                count += 1
                total += probability
                if not probability >= 0.0:
                    note(state, action, witness)
                    return PROBABILITY, height
                if passes < 0:
                    note(state, action, witness)
                    return PASSES, height
                if over(rules, after):
                    if not 0.0 <= payoff(rules, after) <= 1.0:
                        note(after, -1, witness)
                        return PAYOFF, height
                    continue
                word = pack(layout, after)
                if word < 0:
                    stack[height] = here
                    note(after, -1, witness)
                    return OUTSIDE, height + 1
                block, bit = word >> 6, np.uint64(1) << np.uint64(word & 63)
                if bits[block] & bit:
                    continue
                if not possible(rules, after):
                    note(after, -1, witness)
                    return IMPOSSIBLE, height
                if height == len(stack) - 1:  # the last place is kept
                    stack[height] = here
                    return CROWDED, height + 1
                if fetch_or(bits, block, bit) & bit:  # another thread has just found it
                    continue
                stack[height] = word
                height += 1
            if abs(total - 1.0) > PROBABILITY_TOLERANCE:
                note(state, action, witness)
                return PROBABILITY, height
            sum_outcomes += count
            most = max(most, count)
        if actions == 0:
            note(state, -1, witness)
            return DEAD_END, height
        totals[0] += 1
        totals[1] += actions
        totals[2] += sum_outcomes
        totals[3] = max(totals[3], most)
        totals[4] = max(totals[4], actions)
    return PAUSED, height


def list_possible(rules: Any, layout: Any, bits: Any) -> None:
    """Put every state of the layout in which the game can go on into the set, whether play can reach it or not."""
    for word in range(len(bits) * 64):
        state = unpack(layout, word)
        if possible(rules, state) and not over(rules, state):
            bits[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
