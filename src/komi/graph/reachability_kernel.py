"""What the kernels of reachability analyses share: how they end, what they count, and what they check."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I64, U64
from komi.compiling.packing import Layout
from komi.graph.lookup import GrowingIndex, find_slot, has_capacity, insert_atomically, is_occupied
from komi.jit.specialization import always_inline
from komi.rules.interface import (
    is_opposed,
    over,
    possible,
    record_witness,
    seat_payoff,
    stated_seats,
    unpack,
)
from komi.typing import Rules, State


class ExplorationStatus(IntEnum):
    """The status of a returning exploration. All but the first two come with a state, and some with an action."""

    DONE = 0
    PAUSED = 1
    OUTSIDE = 2
    IMPOSSIBLE = 3
    DEAD_END = 4
    PROBABILITY = 5
    PAYOFF = 6
    PASSES = 7
    CROWDED = 8
    ACTION = 9
    MIXED = 10  # CHANCE beside other actions, or chance in a game without it
    REWARD = 11  # not finite
    SUM = 12  # payoffs of the seats that do not sum to 1
    FULL_STATE = 13  # too many outcomes
    UNLISTED = 14  # the state is not among those that were listed
    ROUND = 15  # a roll with a cycle
    UNSHARED = 16  # a roll that is shared leads to a choice in another one
    NO_ROOM = 17  # the buffers of a roll are too small
    UNKNOWN = 18  # symbolic execution has to learn a state's transitions
    DIFFERENT = 19  # a state's own roll graph is not the one that it shares
    BACKWARD = 20  # in programs of stages: a state leads to one of an earlier stage


DEFICIT_UNITS = 2.0**60  # units of a deficit of 1


class Total(IntEnum):
    """The entries of the totals of an exploration."""

    STATES = 0
    ACTIONS = 1
    OUTCOMES = 2
    MAX_OUTCOMES = 3
    MAX_ACTIONS = 4
    DEFICIT = 5  # the greatest |total probability - 1| of an action, in DEFICIT_UNITS


TOTALS = len(Total)


class Exploration(NamedTuple):
    """The arrays that an exploration reads and writes.

    Attributes:
        found: the set of the states found; another thread may add to a dense one.
        stack: int64[.], handles of states found and not yet visited.
        totals: int64[TOTALS], added to.
        witness: int64[fields + 1], filled with the state, and the action, that ended the exploration; with the state
            being visited and VISITED if the rules raise an error.
    """

    found: GrowingIndex
    stack: I64
    totals: I64
    witness: I64


@always_inline
def payoff_deficit(rules: Rules, state: State, seats: int) -> float:
    """Return by how much payoffs that sum to a constant differ from 1 in total; infinity if one is not from 0 to 1."""
    total, rest = 0.0, 0.0
    count = stated_seats(seats)
    for seat in range(count):
        share = seat_payoff(rules, state, seat)
        if not 0.0 <= share <= 1.0:
            return np.inf
        rest += two_sum_error(total, share)
        total += share
    return abs(total - 1.0 + rest) if count > 1 and is_opposed(rules, seats) else 0.0


@always_inline
def push_successor(
    rules: Rules, found: GrowingIndex, stack: I64, height: int, here: int, after: State, witness: I64
) -> tuple[Any, Any]:
    """Push a successor of the state `here`, if it is new; a call of this in every outcome would double the time.

    Returns:
        (DONE, or how the exploration ends; height of the stack), as `explore` returns them
    """
    slot = find_slot(found, after)
    if slot < 0:
        stack[height] = here
        record_witness(after, -1, witness)
        return ExplorationStatus.OUTSIDE, height + 1
    if is_occupied(found, slot):
        return ExplorationStatus.DONE, height
    if not possible(rules, after):
        record_witness(after, -1, witness)
        return ExplorationStatus.IMPOSSIBLE, height
    if height == len(stack) - 1 or not has_capacity(found, 1):  # the last entry stays free
        stack[height] = here
        return ExplorationStatus.CROWDED, height + 1
    handle = insert_atomically(found, slot, after)
    if handle < 0:
        return ExplorationStatus.DONE, height
    stack[height] = handle
    return ExplorationStatus.DONE, height + 1


@always_inline
def add_visit(totals: I64, actions: int, sum_outcomes: int, max_outcomes: int, max_actions: int, deficit: Any) -> None:
    """Add one visited state to the totals."""
    totals[Total.STATES] += 1
    totals[Total.ACTIONS] += actions
    totals[Total.OUTCOMES] += sum_outcomes
    totals[Total.MAX_OUTCOMES] = max(totals[Total.MAX_OUTCOMES], max_outcomes)
    totals[Total.MAX_ACTIONS] = max(totals[Total.MAX_ACTIONS], max_actions)
    totals[Total.DEFICIT] = max(totals[Total.DEFICIT], deficit)


def mark_possible(rules: Rules, layout: Layout, bits: U64) -> None:
    """Add every possible, non-terminal state of the layout to the set, whether play can reach it or not."""
    for packed in range(len(bits) * 64):
        state = unpack(layout, packed)
        if possible(rules, state) and not over(rules, state):
            bits[packed >> 6] |= np.uint64(1) << np.uint64(packed & 63)


@always_inline
def two_sum_error(before: float, added: float) -> float:
    """Compute the rounding error of a sum of two numbers, exactly (D. E. Knuth, TAOCP 2, 4.2.2, theorem B)."""
    total = before + added
    part = total - before
    return (before - (total - part)) + (added - part)
