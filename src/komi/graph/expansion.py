"""Expansion: a game as one compiled function, which lists the actions and the outcomes of a state.

`expand` is compiled for each game, and runs all of its rules with all checks. Kernels that are compiled once, for all
games, call it by its address (`komi.graph.expanded_rules`).
"""

from threading import local
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.packing import LayoutArrays
from komi.game import CHANCE, MAX_PASSES, PROBABILITY_TOLERANCE
from komi.graph.reachability_kernel import ExplorationStatus, two_sum_error
from komi.jit.addresses import floats_at, integers_at
from komi.rules.interface import (
    is_opposed,
    legal,
    outcomes,
    over,
    pack,
    pack_long,
    possible,
    record_witness,
    reward,
    rules_from,
    seat_payoff,
    state_from,
    stated_seats,
    unpack,
    unpack_long,
    view,
)

MAX_STATE_OUTCOMES = 1 << 20
"""The maximum number of outcomes of all actions of one state, and of its actions."""

# Columns of the arrays of an expansion: of `action`, `outcome` and `weight`
NUMBER, OUTCOMES_END = range(2)
TURNS, OVER, HIGH, LOW = range(4)
PROBABLY, GAINED = range(2)
# Entries of its `counts`: first what is known about a game
FIELDS, SEATS, ACTION_LIMIT, HALVES, PACKS_ENDINGS = range(5)
ROWS, OUTCOMES, MOST_OUTCOMES, IS_OUTSIDE, ROW, HELD_HIGH, HELD_LOW, STATUS, IMAGE_HIGH, IMAGE_LOW = range(5, 15)
COUNTS = 15
NOT_HELD = -2  # no half of a packed state


class Expansion(NamedTuple):
    """The actions and outcomes of one state.

    Attributes:
        counts: int64[COUNTS], the numbers of fields and seats, the upper bound on action numbers, exclusive, and the
            halves of a packed state, 0 if states are not packed, and 1 if those in which the game ends are packed, too;
            the numbers of actions and of outcomes, the most of one action, and 1 if a next state does not fit; the row
            of the action that a kernel is looking at; the halves of the packed state, the lower one NOT_HELD if there
            is none; how the last expansion failed; the halves of the least image of a state under `symmetries`.
        witness: int64[fields + 1], the state, and an action of it that breaks the rules.
        outside: int64[1, fields + 1], the first next state that does not fit, if IS_OUTSIDE; if states are not packed,
            int64[., fields + 1], the next state of each outcome.
        action: int64[., 2], the actions in the order of the rules, each with one past its last outcome.
        outcome: int64[., 4], by how many seats the turn passes; 1 if the game ends, otherwise 0; the halves of the
            packed next state, LOW = -1 if it does not fit into the layout, or if the game ends and PACKS_ENDINGS is 0.
        weight: float64[., 2], the probability of each outcome, and the mover's reward.
        payoff: float64[., seats], the payoffs if the game ends, first that of the seat to move then.
        deficit: float64[1], the largest difference of a sum of probabilities or payoffs from 1.
    """

    counts: I64
    witness: I64
    outside: I64
    action: I64
    outcome: I64
    weight: F64
    payoff: F64
    deficit: F64


Expansion.has_no_owner = True  # type: ignore[attr-defined]  # in compiled code, which has the addresses of the arrays


class GameArrays(NamedTuple):
    """The data of a game for compiled code.

    Attributes:
        integers, floats: the values of the rules, as integers and as floats.
        layout: the layout of packed states.
    """

    integers: I64
    floats: F64
    layout: LayoutArrays


ADDRESSES = 14  # of a context: those of `GameArrays`, then those of the `Expansion`
_of_thread = local()


def new_expansion(fields: int, halves: int, seats: int, action_limit: int) -> Expansion:
    """Return an expansion of no state; the large arrays are shared by all expansions of a thread.

    They take memory only where they are used.
    """
    counts = np.zeros(COUNTS, np.int64)
    counts[: HALVES + 1] = fields, seats, action_limit, halves
    counts[HELD_LOW] = NOT_HELD
    return Expansion(
        counts,
        np.zeros(fields + 1, np.int64),
        np.zeros((1, fields + 1), np.int64) if halves else _of_this_thread("outside", np.int64, fields + 1),
        _of_this_thread("action", np.int64, 2),
        _of_this_thread("outcome", np.int64, 4),
        _of_this_thread("weight", np.float64, 2),
        _of_this_thread("payoff", np.float64, seats),
        np.zeros(1),
    )


def _of_this_thread(name: str, kind: Any, columns: int) -> Any:
    """Return an array of this thread with a row for each outcome; its memory is used again."""
    size = MAX_STATE_OUTCOMES * columns
    if len(getattr(_of_thread, name, ())) < size:
        setattr(_of_thread, name, np.empty(size, kind))
    return getattr(_of_thread, name)[:size].reshape(MAX_STATE_OUTCOMES, columns)


def expansion_arrays(game: GameArrays, into: Expansion) -> list[Any]:
    """Return the arrays whose addresses are the context with which `expand` is called."""
    return [game.integers, game.floats, *game.layout, *into]


def expand(context: int, high: int, low: int) -> int:
    """List the actions and outcomes of a state that is not terminal, and check the rules on the way.

    Args:
        context: the address of the context, of `expansion_arrays`.
        high, low: the halves of the packed state; the address of int64[rows, fields + 1], and the row of the state, if
            states are not packed.

    Returns:
        the number of actions, or minus how it fails, as `reachability_kernel` lists it.
    """
    at = integers_at(context, ADDRESSES)
    counts, witness, size = integers_at(at[6], COUNTS), integers_at(at[7], 1), MAX_STATE_OUTCOMES
    seats, halves = counts[SEATS], counts[HALVES]
    rows, listed = integers_at(at[9], (size, 2)), integers_at(at[10], (size, 4))
    weight, shares = floats_at(at[11], (size, 2)), floats_at(at[12], (size, seats))
    outside = integers_at(at[8], (size, counts[FIELDS] + 1))
    layout = LayoutArrays(integers_at(at[2], 1), integers_at(at[3], 1), integers_at(at[4], 1), integers_at(at[5], 1))
    rules = rules_from(integers_at(at[0], 1), floats_at(at[1], 1))
    if halves == 0:
        state = state_from(integers_at(high, (low + 1, counts[FIELDS] + 1)), low)
    else:
        state = unpack(layout, low) if halves == 1 else unpack_long(layout, high, low)
    record_witness(state, CHANCE, witness)
    counts[HELD_LOW] = NOT_HELD
    if not possible(rules, state):
        return -ExplorationStatus.IMPOSSIBLE
    view(rules, state)
    counts[IS_OUTSIDE] = row = chances = end = most = 0
    deficit = 0.0
    for action in legal(rules, state):
        witness[counts[FIELDS]] = action
        if not -1 <= action < counts[ACTION_LIMIT]:
            return -ExplorationStatus.ACTION
        if row == size:
            return -ExplorationStatus.FULL_STATE
        chances += action == CHANCE
        first = end
        total = 0.0
        for probability, after, passes in outcomes(rules, state, action):
            if end == size:
                return -ExplorationStatus.FULL_STATE
            total += probability
            if not probability >= 0.0:
                return -ExplorationStatus.PROBABILITY
            if not 0 <= passes < MAX_PASSES:
                return -ExplorationStatus.PASSES
            gained = reward(rules, state, action, after)
            if not abs(gained) < np.inf:
                return -ExplorationStatus.REWARD
            weight[end, PROBABLY], weight[end, GAINED] = probability, gained
            is_over = over(rules, after)
            listed[end, TURNS], listed[end, OVER] = passes, is_over
            if is_over:
                given, rest = 0.0, 0.0
                for seat in range(stated_seats(seats)):
                    share = seat_payoff(rules, after, seat)
                    shares[end, seat] = share
                    if not 0.0 <= share <= 1.0:
                        record_witness(after, -1, witness)
                        return -ExplorationStatus.PAYOFF
                    rest += two_sum_error(given, share)
                    given += share
                if stated_seats(seats) == 1:
                    if seats == 2:
                        shares[end, 1] = 1.0 - given
                elif is_opposed(rules, seats):
                    if not abs(given - 1.0 + rest) <= PROBABILITY_TOLERANCE:
                        record_witness(after, -1, witness)
                        return -ExplorationStatus.SUM
                    if abs(given - 1.0 + rest) > deficit:  # faster than `max`, to compile, too
                        deficit = abs(given - 1.0 + rest)
            if halves == 0:
                record_witness(after, -1, outside[end])
            elif is_over and not counts[PACKS_ENDINGS]:
                listed[end, LOW] = -1
            else:
                next_high, next_low = (0, pack(layout, after)) if halves == 1 else pack_long(layout, after)
                listed[end, HIGH], listed[end, LOW] = next_high, next_low
                if next_low < 0 and not counts[IS_OUTSIDE]:
                    counts[IS_OUTSIDE] = 1
                    record_witness(after, -1, outside[0])
            end += 1
        difference = abs(total - 1.0)
        if difference > PROBABILITY_TOLERANCE:
            return -ExplorationStatus.PROBABILITY
        if difference > deficit:
            deficit = difference
        if end - first > most:
            most = end - first
        rows[row, NUMBER], rows[row, OUTCOMES_END] = action, end
        row += 1
    if row == 0:
        return -ExplorationStatus.DEAD_END
    if chances and row > 1:
        return -ExplorationStatus.MIXED
    counts[ROWS], counts[OUTCOMES], counts[MOST_OUTCOMES], counts[ROW] = row, end, most, 0
    counts[HELD_HIGH], counts[HELD_LOW] = high, low
    floats_at(at[13], 1)[0] = deficit
    return row
