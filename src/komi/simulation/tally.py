"""The sums of a simulation, and the standard error of each mean.

Games of one deal are correlated, so the deal is the sampling unit of every standard error; where deals do not repeat,
the game is. Means over deals have the standard error sqrt(var / deals). HistogramTails of a histogram, whose
squares for each deal would be too many to store, are ratios x / n of sums over blocks of whole deals, with

    stderr^2 = B / (B - 1) * sum over B blocks of (x_b - share * n_b)^2 / n^2

(W. G. Cochran, Sampling Techniques, 1977, section 6.3). The division of deals
into blocks does not depend on the workers, so the results do not depend on their number.
"""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, TURNS, BlockStatistics


@dataclass(frozen=True, eq=False)
class HistogramTails:
    """Sums over blocks of a histogram's tails, for the shares of values of at least k.

    Attributes:
        counts: int64[bins], the histogram.
        squares: float64[bins], sums of the squares of each block's tails.
        products: float64[bins], sums of the products of tails and the block's total.
        totals: float64, sum of the squares of the blocks' totals.
    """

    counts: I64
    squares: F64
    products: F64
    totals: float = 0.0

    @classmethod
    def empty(cls, bins: int) -> "HistogramTails":
        """Create empty sums."""
        return cls(np.zeros(bins, np.int64), np.zeros(bins), np.zeros(bins))

    def plus(self, counts: I64) -> "HistogramTails":
        """Return the sums with a block's histogram added."""
        tails = np.cumsum(counts[::-1])[::-1].astype(np.float64)
        total = float(tails[0])
        return HistogramTails(
            self.counts + counts,
            self.squares + tails * tails,
            self.products + tails * total,
            self.totals + total * total,
        )

    def at_least(self, blocks: int) -> tuple[F64, F64]:
        """Return (shares, their standard errors) of values of at least 0, 1, 2, ..., up to the largest that occurs."""
        used = int(np.flatnonzero(self.counts)[-1]) + 1 if self.counts.any() else 0
        tails = np.cumsum(self.counts[:used][::-1])[::-1].astype(np.float64)
        if not used:
            return tails, tails
        total = tails[0]
        shares = tails / total
        if blocks < 2:
            return shares, np.full(used, math.nan)
        spread = self.squares[:used] - 2 * shares * self.products[:used] + shares * shares * self.totals
        return shares, np.sqrt(np.maximum(spread, 0.0) * blocks / (blocks - 1)) / total


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
        """Return the tally with a block of this many deals added.

        The order matters only for the last digits of sums of fractions.
        """
        return Tally(
            self.seats,
            self.per_deal,
            self.deals + deals,
            self.blocks + 1,
            self.sums + block.sums,
            self.squares + block.squares,
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
        """The largest standard error of a win rate, or of a mean payoff mapped to 0 to 1."""
        return max(self.seat_mean(seat, 0)[1] for seat in range(self.seats))

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
                parts[field.name] = HistogramTails(**shares | {"totals": float(shares["totals"])})
            else:
                value = arrays[field.name]
                parts[field.name] = int(value) if value.ndim == 0 else value
        return cls(**parts)
