"""Statistics counters of a simulation, for compiled code: per decision, per step and per game."""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.jit.specialization import always_inline

TURNS = 4096  # bins of the histogram of turns; the last bin counts all longer games
MOVES = 1024  # bins of the histogram of legal moves; the last bin counts all larger numbers

# Columns of the sums over the games of a deal: four for each seat, then those of the table.
SHARE, NEVER_ACTED, SCORE, WON = range(4)
TURN_COUNT, ACTION_COUNT, LEAD_CHANGES, SOME_NEVER_ACTED = range(4)
PER_SEAT, PER_TABLE = 4, 4

NO_LEADER = -1  # in place of a seat


class BlockStatistics(NamedTuple):
    """Statistics of a range of deals.

    Column `seat * PER_SEAT + SHARE` and so on for each seat, then `seats * PER_SEAT + TURN_COUNT` and so on.
    """

    sums: F64  # float64[columns], summed over deals
    squares: F64  # float64[columns], sums over deals of the squares of each deal's sums
    deals: F64  # float64[deals, columns], each deal's sums; no rows if they are not stored
    turns: I64  # int64[TURNS], games by number of turns
    moves: I64  # int64[MOVES], decisions by number of legal moves
    extremes: I64  # int64[3]: fewest turns, most turns, most legal moves

    @classmethod
    def empty(cls, seats: int, stored_deals: int) -> "BlockStatistics":
        """Create a block of zero games, with rows for this many deals."""
        columns = seats * PER_SEAT + PER_TABLE
        return cls(
            np.zeros(columns),
            np.zeros(columns),
            np.zeros((stored_deals, columns)),
            np.zeros(TURNS, np.int64),
            np.zeros(MOVES, np.int64),
            np.array([np.iinfo(np.int64).max, 0, 0]),
        )


class GameStatistics(NamedTuple):
    """Statistics of one game."""

    acted: int  # bit set of the seats that have had a choice
    turns: int
    decisions: int
    lead_changes: int


@always_inline
def add_game(game: GameStatistics, payoffs: F64, scores: F64, deal_sums: F64, block: BlockStatistics) -> None:
    """Add a finished game to float64[columns], the sums of its deal, and to the histogram of turns."""
    seats = len(payoffs)
    for seat in range(seats):
        deal_sums[seat * PER_SEAT + SHARE] += payoffs[seat]
        deal_sums[seat * PER_SEAT + NEVER_ACTED] += 1 - (game.acted >> seat & 1)
        deal_sums[seat * PER_SEAT + SCORE] += scores[seat]
        deal_sums[seat * PER_SEAT + WON] += payoffs[seat] > 0.5
    deal_sums[seats * PER_SEAT + TURN_COUNT] += game.turns
    deal_sums[seats * PER_SEAT + ACTION_COUNT] += game.decisions
    deal_sums[seats * PER_SEAT + LEAD_CHANGES] += game.lead_changes
    deal_sums[seats * PER_SEAT + SOME_NEVER_ACTED] += game.acted != (1 << seats) - 1
    block.turns[min(game.turns, TURNS - 1)] += 1
    block.extremes[0] = min(block.extremes[0], game.turns)
    block.extremes[1] = max(block.extremes[1], game.turns)


@always_inline
def add_choice(moves: int, most_moves: int, block: BlockStatistics) -> int:
    """Add a decision to the histogram of legal moves; return the largest number counted in its last bin."""
    if moves >= MOVES - 1:
        most_moves = max(most_moves, moves)
        moves = MOVES - 1
    block.moves[moves] += 1
    return most_moves


@always_inline
def add_deal(deal_sums: F64, deal: int, block: BlockStatistics) -> None:
    """Add the sums of a finished deal to the block."""
    for column in range(len(deal_sums)):
        block.sums[column] += deal_sums[column]
        block.squares[column] += deal_sums[column] * deal_sums[column]
    if len(block.deals):
        for column in range(len(deal_sums)):
            block.deals[deal, column] = deal_sums[column]


def finish_block(block: BlockStatistics, most_moves: int) -> None:
    """Store the largest number of legal moves after all deals.

    `most_moves` is the largest number that was counted in the last bin of the histogram, 0 if there was none.
    """
    for moves in range(MOVES - 1):
        if block.moves[moves]:
            block.extremes[2] = max(block.extremes[2], moves)
    block.extremes[2] = max(block.extremes[2], most_moves)
