"""Playouts of complete games on a graphics processor: the games of `komi.simulation.playout`, to the last bit.

Each thread plays the games of one deal after the other, an action at a time, so that none waits for the longest game
of its neighbours. Every random number follows from the number of the game or deal and its position there, as on the
processor. Sums are added up for each deal by its thread, and over the deals of each block in order by `add_blocks`;
histograms are whole numbers, for which the order does not matter.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64, U64
from komi.compiling.steps import advance, is_legal, lead, pay
from komi.gpu.compiler import cuda
from komi.rules.interface import call_policy, over, pick, state_from, view
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
from komi.typing import Rules

SEATS = COLUMNS = 1  # replaced by those of the game
FIELDS = 5  # entries of `GameStatistics.game`
COUNTS, SQUARES, PRODUCTS = range(3)  # rows of a histogram


class DeviceRecord(NamedTuple):
    """What a launch writes, on the card.

    Attributes:
        sums: float64[columns, deals], the sums of each deal, as in `counting.DealStatistics`.
        turns: int64[3, TURNS], the counts, squares and products of the histogram, as in `counting.Histogram`.
        moves: int64[3, MOVES], those of the legal moves.
        extremes: int64[3], as in `counting.BlockStatistics`.
        failed: int64[1], the first deal with a game that cannot be played.
    """

    sums: Any
    turns: Any
    moves: Any
    extremes: Any
    failed: Any


def play_deals(
    rules: Rules, start: I64, policies: I64, data: tuple[Any, ...], keys: U64, deals: Deals, record: DeviceRecord
) -> None:
    """Play the games of a range of deals.

    Args:
        rules, start, policies, data, keys, deals: as in `playout.play`; its players have no memory.
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
    extremes[0], extremes[1] = TURNS * MAX_ACTIONS, 0
    turn_range[0], turn_range[1] = TURNS - 1, 0
    statistics = DealStatistics(sums, turns_of_deal, moves_of_deal, turn_range)
    seats = len(policies)
    is_random = are_random(policies)
    initial_state = state_from(start, 0)
    most_moves = 0
    deal = deals.first + cuda.grid(1)
    game = deal * deals.games
    state, seat, passes, leading = initial_state, 0, 0, NO_LEADER
    acted = turns = lead_changes = choices = chances = actions = 0
    scores[:] = 0.0
    while deal < deals.end:
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
                    record.sums[column, deal - deals.first] = sums[column]
                    sums[column] = 0.0
                _add_histogram(turns_of_deal, turn_range[0], turn_range[1], record.turns)
                _add_histogram(moves_of_deal, 0, min(most_moves, MOVES - 1), record.moves)
                turn_range[0], turn_range[1] = TURNS - 1, 0
                deal += cuda.gridsize(1)
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
    if deal < deals.end:
        cuda.atomic.min(record.failed, 0, deal)
    cuda.atomic.min(record.extremes, 0, extremes[0])
    cuda.atomic.max(record.extremes, 1, extremes[1])
    cuda.atomic.max(record.extremes, 2, most_moves)


def add_blocks(of_deals: F64, size: int, sums: F64, squares: F64) -> None:
    """Add up the sums of the deals of each block, in order: one thread for each block and column.

    Args:
        of_deals: float64[columns, deals].
        size: the deals of a block, but for the last.
        sums, squares: float64[blocks, columns], modified in place.
    """
    block, column = divmod(cuda.grid(1), len(of_deals))
    if block < len(sums):
        total = square = 0.0
        for deal in range(block * size, min((block + 1) * size, of_deals.shape[1])):
            total += of_deals[column, deal]
            square += of_deals[column, deal] * of_deals[column, deal]
        sums[block, column], squares[block, column] = total, square


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
