"""The number of games to play, and their division into blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

from komi.errors import InputError
from komi.simulation.tally import Tally
from komi.streams import STREAM_BITS

MAX_BLOCK = 1 << 14  # maximum number of games per block: some hundredths of a second
MIN_BLOCKS = 128  # minimum number of blocks: standard errors between blocks need many
MAX_GAMES = 1 << (63 - STREAM_BITS)
MIN_STDERR = 1e-6  # of a win rate: with MAX_GAMES games the error is at most 0.5 / sqrt(MAX_GAMES) = 7e-7


@dataclass(frozen=True)
class SimulationPlan:
    """The number of games to play, or the precision to reach."""

    deals: int | None  # None: until the standard error is small enough
    per_deal: int
    stderr: float | None
    stores_deals: bool  # whether each deal's results are stored

    @classmethod
    def of(cls, games: int | None, stderr: float | None, deals: int | None, per_deal: int) -> "SimulationPlan":
        """Create the plan from exactly one of these amounts.

        Raises:
            InputError: for no amount or several, or a number out of range.
        """
        if sum(amount is not None for amount in (games, stderr, deals)) != 1:
            raise InputError("give one of a number of games, a number of deals, or a standard error.")
        if per_deal < 1:
            raise InputError(f"the number of games per deal must be 1 or more, not {per_deal}.")
        if games is not None and per_deal != 1:
            raise InputError("games per deal require a number of deals, not of games.")
        if stderr is not None and not 0 < stderr < 1:
            raise InputError(f"the standard error must be between 0 and 1, not {stderr:g}.")
        if stderr is not None and stderr < MIN_STDERR:
            raise InputError(f"a standard error of {stderr:g} needs too many games: the minimum is {MIN_STDERR:g}.")
        amount = games if deals is None else deals
        if amount is not None and not 1 <= amount * per_deal <= MAX_GAMES:
            unit = "games" if deals is None else "deals"
            raise InputError(f"the number of {unit} must be 1 to {MAX_GAMES // per_deal:,}, not {amount}.")
        return cls(amount, per_deal, stderr, deals is not None)

    @property
    def most_games(self) -> int:
        """The number of games, or the most that can be needed."""
        if self.deals is not None:
            return self.deals * self.per_deal
        assert self.stderr is not None
        return int(0.25 / self.stderr**2)  # a share of a win has a variance of at most a quarter

    @property
    def block(self) -> int:
        """The number of deals per block."""
        if self.deals is None:
            games = min(
                MAX_BLOCK // 4, self.most_games // (2 * MIN_BLOCKS)
            )  # enough blocks early on to estimate the standard error
            return max(games // self.per_deal, 1)
        return max(min(MAX_BLOCK // self.per_deal, self.deals // MIN_BLOCKS), 1)

    def is_enough(self, tally: Tally) -> bool:
        """Return whether the plan is complete."""
        if self.stderr is None:
            return tally.deals == self.deals
        return tally.blocks >= MIN_BLOCKS and tally.stderr <= self.stderr

    def remaining_blocks(self, first: int, block: int) -> Iterator[tuple[int, int]]:
        """Yield the remaining blocks from a deal on, as (first deal, one past the last)."""
        while self.deals is None or first < self.deals:
            end = first + block if self.deals is None else min(first + block, self.deals)
            yield first, end
            first = end

    def games(self, tally: Tally) -> int:
        """Return the total number of games to play; an estimate if a standard error is given."""
        if self.deals is not None:
            return self.deals * self.per_deal
        assert self.stderr is not None
        return int(tally.games * max((tally.stderr / self.stderr) ** 2, 1.0)) if tally.deals > 1 else 0
