"""The sums of a simulation, and the standard error of each mean.

Games of one deal are correlated, so the deal is the sampling unit of every standard error; where deals do not repeat,
the game is. Means over deals have the standard error sqrt(var / deals). The shares of a histogram are ratios x / n of
sums over deals, with

    stderr^2 = D / (D - 1) * sum over D deals of (x_d - share * n_d)^2 / n^2

(W. G. Cochran, Sampling Techniques, 1977, section 6.3). All sums are over deals, so that the results depend neither on
the workers nor on the blocks in which games are played.
"""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, SHARE, TURNS, BlockStatistics, Histogram
from komi.simulation.intervals import Z_95, share_interval


@dataclass(frozen=True, eq=False)
class HistogramTails:
    """The shares of the values of a histogram that are at least k.

    Attributes:
        counts, squares, products: the sums over deals, as in `counting.Histogram`.
    """

    counts: I64
    squares: F64
    products: F64

    @classmethod
    def empty(cls, bins: int) -> "HistogramTails":
        """Create empty sums."""
        return cls(*Histogram.empty(bins))

    def plus(self, block: Histogram) -> "HistogramTails":
        """Return the sums with those of a block added."""
        return HistogramTails(self.counts + block.counts, self.squares + block.squares, self.products + block.products)

    def trimmed(self) -> "HistogramTails":
        """Return the sums up to the largest value that occurs."""
        used = int(np.flatnonzero(self.counts)[-1]) + 1 if self.counts.any() else 0
        counts, squares, products = self.counts[:used], self.squares[:used], self.products[:used]
        return HistogramTails(counts.copy(), squares.copy(), products.copy())

    def at_least(self, deals: int) -> tuple[F64, F64]:
        """Return (shares, their standard errors) of values of at least 0, 1, 2, ..., up to the largest that occurs."""
        used = self.trimmed()
        tails, squares, products = (
            np.cumsum(each[::-1])[::-1].astype(np.float64) for each in (used.counts, used.squares, used.products)
        )
        if not len(tails):
            return tails, tails
        shares = tails / tails[0]
        if deals < 2:
            return shares, np.full(len(tails), math.nan)
        spread = squares - 2 * shares * products + shares * shares * squares[0]
        return shares, np.sqrt(np.maximum(spread, 0.0) * deals / (deals - 1)) / tails[0]


@dataclass(frozen=True, eq=False)
class Tally:
    """The sums over all deals played so far.

    Attributes:
        seats: number of seats.
        per_deal: number of games of each deal.
        deals: number of deals played.
        blocks: number of blocks played.
        sums: float64[columns], as in `counting.BlockStatistics`.
        squares: float64[columns], sums of the squares of each deal's sums.
        turns: the histogram of turns.
        moves: the histogram of legal moves.
        extremes: int64[3]: fewest turns, most turns, most legal moves.
        rows: float64[deals, seats], each deal's payoffs, mapped to 0 to 1; no rows where deals do not repeat.
    """

    seats: int
    per_deal: int
    deals: int
    blocks: int
    sums: F64
    squares: F64
    turns: HistogramTails
    moves: HistogramTails
    extremes: I64
    rows: F64

    @classmethod
    def empty(cls, seats: int, per_deal: int) -> "Tally":
        """Create an empty tally."""
        columns = seats * PER_SEAT + PER_TABLE
        extremes = np.array([np.iinfo(np.int64).max, 0, 0])
        return cls(
            seats, per_deal, 0, 0, np.zeros(columns), np.zeros(columns),
            HistogramTails.empty(TURNS), HistogramTails.empty(MOVES), extremes, np.zeros((0, seats)),
        )  # fmt: skip

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.deals * self.per_deal

    def plus(self, block: BlockStatistics, deals: int) -> "Tally":
        """Return the tally with blocks of this many deals added, in their order.

        The order matters only for the last digits of sums of fractions.
        """
        return Tally(
            self.seats,
            self.per_deal,
            self.deals + deals,
            self.blocks + len(block.sums),
            np.cumsum([self.sums, *block.sums], axis=0)[-1],
            np.cumsum([self.squares, *block.squares], axis=0)[-1],
            self.turns.plus(block.turns),
            self.moves.plus(block.moves),
            np.array([min(self.extremes[0], block.extremes[0]), *np.maximum(self.extremes[1:], block.extremes[1:])]),
            np.concatenate((self.rows, block.deals[:, : self.seats * PER_SEAT : PER_SEAT])),
        )

    def mean(self, column: int) -> tuple[float, float]:
        """Return (mean over games, its standard error) of a column."""
        mean = float(self.sums[column] / self.games)
        if self.deals < 2:
            return mean, math.nan
        variance = (self.squares[column] - self.sums[column] ** 2 / self.deals) / (self.deals - 1)
        return mean, math.sqrt(max(variance, 0.0) / self.deals) / self.per_deal

    def seat_mean(self, seat: int, quantity: int) -> tuple[float, float]:
        """Return (mean, standard error) of SHARE, NEVER_ACTED, SCORE or WON."""
        return self.mean(seat * PER_SEAT + quantity)

    def table_mean(self, quantity: int) -> tuple[float, float]:
        """Return (mean, standard error) of TURN_COUNT, ACTION_COUNT and so on."""
        return self.mean(self.seats * PER_SEAT + quantity)

    @property
    def stderr(self) -> float:
        """The largest standard error of a win rate, or of a mean payoff mapped to 0 to 1.

        Where all games have the same result it is that of the confidence interval, not 0.
        """
        return max(self._error(*self.seat_mean(seat, SHARE)) for seat in range(self.seats))

    def _error(self, share: float, stderr: float) -> float:
        low, high = share_interval(share, stderr, self.deals)
        return max(stderr, (high - low) / (2 * Z_95))

    def trimmed(self) -> "Tally":
        """Return the tally without the bins of histograms that nothing falls in, to which no block can be added."""
        return replace(self, turns=self.turns.trimmed(), moves=self.moves.trimmed())

    def to_arrays(self) -> dict[str, Any]:
        """Return all fields by name, to be stored in a file."""
        arrays: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, HistogramTails):
                arrays |= {f"{field.name}.{part.name}": getattr(value, part.name) for part in fields(value)}
            else:
                arrays[field.name] = value
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Any) -> "Tally":
        """Create a tally from the result of `to_arrays`."""
        parts: dict[str, Any] = {}
        for field in fields(cls):
            if field.name in ("turns", "moves"):
                shares = {part.name: arrays[f"{field.name}.{part.name}"] for part in fields(HistogramTails)}
                parts[field.name] = HistogramTails(**shares)
            else:
                value = arrays[field.name]
                parts[field.name] = int(value) if value.ndim == 0 else value
        return cls(**parts)
