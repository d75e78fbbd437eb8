"""What is counted in the games of a simulation, for compiled code: decision by decision, step by step, game by game."""

from typing import Any, NamedTuple

import numpy as np

from komi.compile.inline import inlined

TURNS = 4096  # bins of the histogram of turns; the last counts all longer games
MOVES = 1024  # bins of the histogram of legal moves; the last counts all more

# What is summed over the games of a deal: three for each seat, then these.
SHARE, NEVER_ACTED, SCORE = range(3)
TURN_COUNT, ACTION_COUNT, LEAD_CHANGES, SOME_NEVER_ACTED = range(4)
PER_SEAT, PER_TABLE = 3, 4

NOBODY = -1


class Block(NamedTuple):
    """What came of a range of deals.

    A column is `seat * PER_SEAT + SHARE` and so on for each seat, then `seats * PER_SEAT + TURN_COUNT` and
    so on.
    """

    sums: Any  # float64[columns], summed over deals
    squares: Any  # float64[columns], squares of each deal's sums, summed over deals
    deals: Any  # float64[deals, columns], each deal's sums; no rows if these are not kept
    turns: Any  # int64[TURNS], games by number of turns
    moves: Any  # int64[MOVES], decisions by number of legal moves
    extremes: Any  # int64[3]: fewest turns, most turns, most legal moves

    @classmethod
    def empty(cls, seats: int, kept_deals: int) -> "Block":
        """A block of nothing yet, with rows for so many deals."""
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
    """What was seen of a game."""

    acted: int  # the seats that have had a choice, a set
    turns: int
    decisions: int
    lead_changes: int


@inlined
def count_game(seen: Seen, payoffs: Any, scores: Any, unit: Any, block: Any) -> None:
    """A game is over: add it to float64[columns], the sums of its deal, and to the histogram of turns."""
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


@inlined
def count_deal(unit: Any, deal: int, block: Any) -> None:
    """All games of a deal are over."""
    for column in range(len(unit)):
        block.sums[column] += unit[column]
        block.squares[column] += unit[column] * unit[column]
    if len(block.deals):
        for column in range(len(unit)):
            block.deals[deal, column] = unit[column]


def count_block(block: Any, most_moves: int) -> None:
    """All deals are over; `most_moves` were the most that fell into the last bin of the histogram, if any did."""
    for moves in range(MOVES - 1):
        if block.moves[moves]:
            block.extremes[2] = max(block.extremes[2], moves)
    block.extremes[2] = max(block.extremes[2], most_moves)
