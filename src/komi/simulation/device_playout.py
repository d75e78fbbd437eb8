"""Playouts of complete games on a GPU: the games of `komi.simulation.playout`, to the last bit.

Each thread plays the games of one deal after the other, an action at a time, so that none waits for the longest game
in its warp. Every random number follows from the number of the game or deal and its position there, as on the CPU. Each
thread adds up the sums of its deals, and `add_blocks` those of each block of deals, in order; histograms are whole
numbers, for which the order does not matter.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64, U64
from komi.compiling.steps import advance, is_legal, lead, pay
from komi.gpu.compiler import cuda
from komi.rules.interface import call_policy, over, pick, rules_from, state_from, view
from komi.simulation.counting import (
    ACTED,
    DECISIONS,
    GAME_LEAD_CHANGES,
    GAME_TURNS,
    MOVES,
    NO_LEADER,
    TURNS,
    DealStatistics,
    add_to_deal,
)
from komi.simulation.playout import MAX_ACTIONS, Deals, are_random
from komi.streams import STREAM_BITS, number_at

SEATS = COLUMNS = 1  # replaced by those of the game
MOST_TURNS = TURNS * MAX_ACTIONS  # more than in any game
FIELDS = 5  # entries of `GameStatistics.game`
COUNTS, SQUARES, PRODUCTS = range(3)  # rows of a histogram


class RuleSets(NamedTuple):
    """The rule sets that deals are played under: so many under the first, then as many under the next.

    Attributes:
        integers: int64[rule sets, rules], the values of the rules, for `rules.interface.rules_from`.
        floats: float64[rule sets, rules], the same as floats.
        starts: int64[rule sets, fields], the initial states.
        deals: the number of deals under each.
    """

    integers: Any
    floats: Any
    starts: Any
    deals: int


class DeviceRecord(NamedTuple):
    """The results of a launch, in GPU memory.

    Attributes:
        sums: float64[columns, deals], the sums of each deal, as in `counting.DealStatistics`.
        turns: int64[rule sets, 3, TURNS], the counts, squares and products of the histogram, as in
            `counting.Histogram`.
        moves: int64[rule sets, 3, MOVES], those of the legal moves.
        extremes: int64[rule sets, 3], as in `counting.BlockStatistics`.
        failed: int64[1], the first deal with a game that cannot be played.
    """

    sums: Any
    turns: Any
    moves: Any
    extremes: Any
    failed: Any


def play_deals(
    sets: RuleSets, policies: I64, data: tuple[Any, ...], keys: U64, deals: Deals, record: DeviceRecord
) -> None:
    """Play the games of a range of deals.

    The random numbers of a deal follow from its number among those of its rule set.

    Args:
        sets: the rule sets.
        policies, data, keys: as in `playout.play`; its players have no memory.
        deals: the deals, counted over all rule sets.
        record: modified in place.
    """
    sums = cuda.local.array(COLUMNS, np.float64)
    payoffs = cuda.local.array(SEATS, np.float64)
    scores = cuda.local.array(SEATS, np.float64)
    finished = cuda.local.array(FIELDS, np.int64)
    extremes = cuda.local.array(2, np.int64)
    turn_range = cuda.local.array(2, np.int64)
    turns_of_deal = cuda.local.array(TURNS, np.int32)
    moves_of_deal = cuda.local.array(MOVES, np.int32)
    sums[:], turns_of_deal[:], moves_of_deal[:] = 0.0, 0, 0
    extremes[0], extremes[1] = MOST_TURNS, 0
    turn_range[0], turn_range[1] = TURNS - 1, 0
    statistics = DealStatistics(sums, turns_of_deal, moves_of_deal, turn_range)
    seats = len(policies)
    is_random = are_random(policies)
    most_moves = 0
    at = deals.first + cuda.grid(1)
    row = min(at, deals.end - 1) // sets.deals
    rules, initial_state = rules_from(sets.integers[row], sets.floats[row]), state_from(sets.starts, row)
    deal = at - row * sets.deals
    game = deal * deals.games
    state, seat, passes, leading = initial_state, 0, 0, NO_LEADER
    acted = turns = lead_changes = choices = chances = actions = 0
    scores[:] = 0.0
    while at < deals.end:
        if over(rules, state):
            turns += passes == 0  # the last turn did not pass
            if not pay(rules, state, seat, payoffs):
                break
            finished[ACTED], finished[GAME_TURNS], finished[DECISIONS] = acted, turns, choices
            finished[GAME_LEAD_CHANGES] = lead_changes
            add_to_deal(finished, payoffs, scores, statistics, extremes)
            game += 1
            if game == (deal + 1) * deals.games:
                for column in range(len(sums)):
                    record.sums[column, at - deals.first] = sums[column]
                    sums[column] = 0.0
                _add_histogram(turns_of_deal, turn_range[0], turn_range[1], record.turns[row])
                _add_histogram(moves_of_deal, 0, min(most_moves, MOVES - 1), record.moves[row])
                turn_range[0], turn_range[1] = TURNS - 1, 0
                at += cuda.gridsize(1)
                if at < deals.end and at // sets.deals != row:
                    _add_extremes(extremes, most_moves, record.extremes[row])
                    extremes[0], extremes[1], most_moves = MOST_TURNS, 0, 0
                    row = at // sets.deals
                    rules = rules_from(sets.integers[row], sets.floats[row])
                    initial_state = state_from(sets.starts, row)
                deal = at - row * sets.deals
                game = deal * deals.games
            state, seat, passes, leading = initial_state, 0, 0, NO_LEADER
            acted = turns = lead_changes = choices = chances = actions = 0
            scores[:] = 0.0
            continue
        if actions == MAX_ACTIONS:
            break
        actions += 1
        number = number_at(keys[1], (game << STREAM_BITS) + choices)
        moves, action = pick(rules, state, number)
        if moves > 0:
            if not is_random and policies[seat] > 0:
                action = call_policy(rules, view(rules, state), policies[seat], data, number)
                if not is_legal(rules, state, action):
                    break
            choices += 1
            acted |= 1 << seat
            moves_of_deal[min(moves, MOVES - 1)] += 1
            most_moves = max(moves, most_moves)
        step = advance(rules, state, seat, seats, action, number_at(keys[0], (deal << STREAM_BITS) + chances))
        if step.passes < 0:
            break
        chances += step.is_random
        scores[seat] += step.gain
        if step.passes > 0:
            turns += 1
            now = lead(rules, step, seats)
            lead_changes += now >= 0 and leading >= 0 and now != leading
            leading = now if now >= 0 else leading
        state, seat, passes = step.after, step.seat, step.passes
    if at < deals.end:
        cuda.atomic.min(record.failed, 0, at)
    _add_extremes(extremes, most_moves, record.extremes[row])


def add_blocks(of_deals: F64, deals: int, size: int, sums: F64, squares: F64) -> None:
    """Add up the sums of the deals of each block, in order: one thread for each block and column.

    Args:
        of_deals: float64[columns, deals of all rule sets].
        deals: the deals of each rule set.
        size: the deals of a block, but for the last of a rule set.
        sums, squares: float64[blocks of all rule sets, columns], modified in place.
    """
    block, column = divmod(cuda.grid(1), len(of_deals))
    if block < len(sums):
        row, number = divmod(block, -(-deals // size))
        total = square = 0.0
        for deal in range(row * deals + number * size, row * deals + min((number + 1) * size, deals)):
            total += of_deals[column, deal]
            square += of_deals[column, deal] * of_deals[column, deal]
        sums[block, column], squares[block, column] = total, square


def _add_extremes(extremes: I64, most_moves: int, of_rules: I64) -> None:
    """Add the fewest and most turns, and the most legal moves, of a thread to those of a rule set."""
    cuda.atomic.min(of_rules, 0, extremes[0])
    cuda.atomic.max(of_rules, 1, extremes[1])
    cuda.atomic.max(of_rules, 2, most_moves)


def _add_histogram(counts: I64, lowest: int, highest: int, histogram: I64) -> None:
    """Add the histogram of a deal to int64[3, bins], as `counting` does, and empty it."""
    tail = 0
    for value in range(highest, lowest - 1, -1):
        count = int(counts[value])
        if count:
            cuda.atomic.add(histogram, (COUNTS, value), count)
            cuda.atomic.add(histogram, (SQUARES, value), count * (2 * tail + count))  # (tail + count)^2 - tail^2
            tail += count
    for value in range(lowest, highest + 1):
        if counts[value]:
            cuda.atomic.add(histogram, (PRODUCTS, value), counts[value] * tail)
            counts[value] = 0
