"""Statistics counters of a simulation, for compiled code: per decision, per step and per game."""

from typing import Any, NamedTuple

import numpy as np

from komi.jit.specialization import always_inline

TURNS = 4096  # bins of the histogram of turns; the last bin counts all longer games
MOVES = 1024  # bins of the histogram of legal moves; the last bin counts all larger numbers

# Columns of the sums over the games of a deal: three for each seat, then those of the table.
SHARE, NEVER_ACTED, SCORE = range(3)
TURN_COUNT, ACTION_COUNT, LEAD_CHANGES, SOME_NEVER_ACTED = range(4)
PER_SEAT, PER_TABLE = 3, 4

NOBODY = -1


class Block(NamedTuple):
    """Statistics of a range of deals.

    Column `seat * PER_SEAT + SHARE` and so on for each seat, then `seats * PER_SEAT + TURN_COUNT` and so on.
    """

    sums: Any  # float64[columns], summed over deals
    squares: Any  # float64[columns], sums over deals of the squares of each deal's sums
    deals: Any  # float64[deals, columns], each deal's sums; no rows if they are not stored
    turns: Any  # int64[TURNS], games by number of turns
    moves: Any  # int64[MOVES], decisions by number of legal moves
    extremes: Any  # int64[3]: fewest turns, most turns, most legal moves

    @classmethod
    def empty(cls, seats: int, kept_deals: int) -> "Block":
        """Create a block of zero games, with rows for this many deals."""
        columns = seats * PER_SEAT + PER_TABLE
        return cls(
            np.zeros(columns),
            np.zeros(columns),
            np.zeros((kept_deals, columns)),
            np.zeros(TURNS, np.int64),
            np.zeros(MOVES, np.int64),
            np.array([np.iinfo(np.int64).max, 0, 0]),
        )


class Seen(NamedTuple):
    """Statistics of one game."""

    acted: int  # bit set of the seats that have had a choice
    turns: int
    decisions: int
    lead_changes: int


@always_inline
def count_game(seen: Seen, payoffs: Any, scores: Any, unit: Any, block: Any) -> None:
    """Add a finished game to float64[columns], the sums of its deal, and to the histogram of turns."""
    seats = len(payoffs)
    for seat in range(seats):
        unit[seat * PER_SEAT + SHARE] += payoffs[seat]
        unit[seat * PER_SEAT + NEVER_ACTED] += 1 - (seen.acted >> seat & 1)
        unit[seat * PER_SEAT + SCORE] += scores[seat]
    unit[seats * PER_SEAT + TURN_COUNT] += seen.turns
    unit[seats * PER_SEAT + ACTION_COUNT] += seen.decisions
    unit[seats * PER_SEAT + LEAD_CHANGES] += seen.lead_changes
    unit[seats * PER_SEAT + SOME_NEVER_ACTED] += seen.acted != (1 << seats) - 1
    block.turns[min(seen.turns, TURNS - 1)] += 1
    block.extremes[0] = min(block.extremes[0], seen.turns)
    block.extremes[1] = max(block.extremes[1], seen.turns)


@always_inline
def count_deal(unit: Any, deal: int, block: Any) -> None:
    """Add the sums of a finished deal to the block."""
    for column in range(len(unit)):
        block.sums[column] += unit[column]
        block.squares[column] += unit[column] * unit[column]
    if len(block.deals):
        for column in range(len(unit)):
            block.deals[deal, column] = unit[column]


def count_block(block: Any, most_moves: int) -> None:
    """Store the largest number of legal moves after all deals.

    `most_moves` is the largest number that was counted in the last bin of the histogram, 0 if there was none.
    """
    for moves in range(MOVES - 1):
        if block.moves[moves]:
            block.extremes[2] = max(block.extremes[2], moves)
    block.extremes[2] = max(block.extremes[2], most_moves)
