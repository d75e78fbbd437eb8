"""Statistics counters of a simulation, for compiled code: per decision, per step and per game.

What is known of a game is added up by `add_game`, which is compiled once, for all games; playouts call it by its
address.
"""

from typing import Any, NamedTuple, Self, cast

import numpy as np

from komi.arrays import F64, I64
from komi.jit.addresses import context_of, floats_at, integers_at
from komi.jit.kernels import engine_kernels
from komi.jit.specialization import always_inline

TURNS = 4096  # bins of the histogram of turns; the last bin counts all longer games
MOVES = 1024  # bins of the histogram of legal moves; the last bin counts all larger numbers

# Columns of the sums over the games of a deal: four for each seat, then those of the table.
SHARE, NEVER_ACTED, SCORE, WON = range(4)
TURN_COUNT, ACTION_COUNT, LEAD_CHANGES, SOME_NEVER_ACTED = range(4)
PER_SEAT, PER_TABLE = 4, 4

NO_LEADER = -1  # in place of a seat


class Histogram(NamedTuple):
    """A histogram, and the sums over deals from which the errors of its tails are estimated.

    With x_d(k) the number of values of at least k in deal d, and n_d that of all values, the sums over d of x_d(k)^2
    and of x_d(k) n_d are the tails of `squares` and `products`, as that of x_d(k) is the tail of `counts`.
    """

    counts: I64  # int64[bins]
    squares: F64  # float64[bins]
    products: F64  # float64[bins]

    @classmethod
    def empty(cls, bins: int) -> "Histogram":
        """Create an empty histogram."""
        return cls(np.zeros(bins, np.int64), np.zeros(bins), np.zeros(bins))


class BlockStatistics(NamedTuple):
    """Statistics of a range of deals, in one block or several.

    Column `seat * PER_SEAT + SHARE` and so on for each seat, then `seats * PER_SEAT + TURN_COUNT` and so on.
    """

    sums: F64  # float64[blocks, columns], summed over the deals of each block
    squares: F64  # float64[blocks, columns], sums over these deals of the squares of each deal's sums
    deals: F64  # float64[deals, columns], each deal's sums; no rows if they are not stored
    turns: Histogram  # of TURNS bins: games by number of turns
    moves: Histogram  # of MOVES bins: decisions by number of legal moves
    extremes: I64  # int64[3]: fewest turns, most turns, most legal moves

    @classmethod
    def empty(cls, seats: int, stored_deals: int) -> "BlockStatistics":
        """Create one block of zero games, with rows for this many deals."""
        columns = seats * PER_SEAT + PER_TABLE
        return cls(
            np.zeros((1, columns)),
            np.zeros((1, columns)),
            np.zeros((stored_deals, columns)),
            Histogram.empty(TURNS),
            Histogram.empty(MOVES),
            np.array([np.iinfo(np.int64).max, 0, 0]),
        )


class DealStatistics(NamedTuple):
    """Statistics of one deal, which are empty between deals."""

    sums: F64  # float64[columns], as in BlockStatistics
    turns: I64  # int64[TURNS]
    moves: I64  # int64[MOVES]
    turn_range: I64  # int64[2]: the lowest and the highest bin of `turns` in use


# Entries of `GameStatistics.game`: the bit set of the seats that have had a choice, the numbers of turns, of decisions
# and of changes of the lead, and the most legal moves of a decision so far
ACTED, GAME_TURNS, DECISIONS, GAME_LEAD_CHANGES, MOST_MOVES = range(5)
# Entries of the sizes, and the number of addresses, of its context
SEATS, STORED_DEALS = range(2)
ADDRESSES = 18


class GameStatistics(NamedTuple):
    """The statistics of a game that a playout writes, and the function that adds them up.

    Attributes:
        add: the address of `add_game`.
        context: the address of its context.
        game: int64[5], statistics of the game.
        moves: int64[MOVES], the decisions of the deal by their number of legal moves.
        payoffs, scores: float64[seats].
    """

    add: int
    context: int
    game: I64
    moves: I64
    payoffs: F64
    scores: F64

    @classmethod
    def into(cls, block: BlockStatistics) -> tuple[Self, object]:
        """Return a record of games that are added to a block, and what must be kept as long as it is in use."""
        columns = block.sums.shape[1]
        seats = (columns - PER_TABLE) // PER_SEAT
        deal = DealStatistics(
            np.zeros(columns), np.zeros(TURNS, np.int64), np.zeros(MOVES, np.int64), np.array([TURNS - 1, 0])
        )
        sizes, game = np.array([seats, len(block.deals)]), np.zeros(5, np.int64)
        payoffs, scores = np.zeros(seats), np.zeros(seats)
        sums, squares, deals, turns, moves, extremes = block
        arrays = [sizes, game, payoffs, scores, *deal, sums, squares, deals, *turns, *moves, extremes]
        context = context_of(arrays)
        kernel = cast(Any, engine_kernels()[add_game])
        record = cls(kernel.address(0, 0, 0), context.ctypes.data, game, deal.moves, payoffs, scores)
        return record, (arrays, context)


def add_game(context: int, deal: int, is_last: int) -> int:
    """Add a finished game to its deal, and the deal to its block if it is the last of it; return 0.

    Args:
        context: the address of the context, as in `GameStatistics.into`.
        deal: the number of the deal in the block.
        is_last: 1 if it is the last game of the deal, otherwise 0.
    """
    at = integers_at(context, ADDRESSES)
    sizes, game = integers_at(at[0], 2), integers_at(at[1], 5)
    seats = sizes[SEATS]
    columns = seats * PER_SEAT + PER_TABLE
    statistics = DealStatistics(
        floats_at(at[4], columns), integers_at(at[5], TURNS), integers_at(at[6], MOVES), integers_at(at[7], 2)
    )
    block = BlockStatistics(
        floats_at(at[8], (1, columns)),
        floats_at(at[9], (1, columns)),
        floats_at(at[10], (sizes[STORED_DEALS], columns)),
        Histogram(integers_at(at[11], TURNS), floats_at(at[12], TURNS), floats_at(at[13], TURNS)),
        Histogram(integers_at(at[14], MOVES), floats_at(at[15], MOVES), floats_at(at[16], MOVES)),
        integers_at(at[17], 3),
    )
    add_to_deal(game, floats_at(at[2], seats), floats_at(at[3], seats), statistics, block.extremes)
    if is_last:
        _add_deal(statistics, deal, game[MOST_MOVES], block)
    return 0


@always_inline
def add_to_deal(game: I64, payoffs: F64, scores: F64, deal: DealStatistics, extremes: I64) -> None:
    """Add a finished game to its deal, and to the fewest and most turns."""
    seats = len(payoffs)
    for seat in range(seats):
        deal.sums[seat * PER_SEAT + SHARE] += payoffs[seat]
        deal.sums[seat * PER_SEAT + NEVER_ACTED] += 1 - (game[ACTED] >> seat & 1)
        deal.sums[seat * PER_SEAT + SCORE] += scores[seat]
        deal.sums[seat * PER_SEAT + WON] += payoffs[seat] * seats > 1.0
    deal.sums[seats * PER_SEAT + TURN_COUNT] += game[GAME_TURNS]
    deal.sums[seats * PER_SEAT + ACTION_COUNT] += game[DECISIONS]
    deal.sums[seats * PER_SEAT + LEAD_CHANGES] += game[GAME_LEAD_CHANGES]
    deal.sums[seats * PER_SEAT + SOME_NEVER_ACTED] += game[ACTED] != (1 << seats) - 1
    turns = min(game[GAME_TURNS], TURNS - 1)
    deal.turns[turns] += 1
    deal.turn_range[0] = min(deal.turn_range[0], turns)
    deal.turn_range[1] = max(deal.turn_range[1], turns)
    extremes[0] = min(extremes[0], game[GAME_TURNS])
    extremes[1] = max(extremes[1], game[GAME_TURNS])


@always_inline
def _add_deal(deal: DealStatistics, number: int, most_moves: int, block: BlockStatistics) -> None:
    """Add a finished deal to the block, and empty it.

    Args:
        deal: the deal, modified in place.
        number: its number in the block.
        most_moves: the largest number of legal moves so far.
        block: modified in place.
    """
    for column in range(len(deal.sums)):
        block.sums[0, column] += deal.sums[column]
        block.squares[0, column] += deal.sums[column] * deal.sums[column]
        if len(block.deals):
            block.deals[number, column] = deal.sums[column]
        deal.sums[column] = 0.0
    _add_histogram(deal.turns, deal.turn_range[0], deal.turn_range[1], block.turns)
    _add_histogram(deal.moves, 0, min(most_moves, MOVES - 1), block.moves)
    deal.turn_range[0], deal.turn_range[1] = TURNS - 1, 0
    block.extremes[2] = max(block.extremes[2], most_moves)


@always_inline
def _add_histogram(counts: I64, lowest: int, highest: int, histogram: Histogram) -> None:
    """Add the histogram of a deal, int64[bins], which is used from the lowest to the highest bin, and empty it."""
    tail = 0
    for value in range(highest, lowest - 1, -1):
        count = counts[value]
        if count:
            histogram.counts[value] += count
            histogram.squares[value] += count * (2 * tail + count)  # (tail + count)^2 - tail^2
            tail += count
    for value in range(lowest, highest + 1):
        histogram.products[value] += counts[value] * tail
        counts[value] = 0
