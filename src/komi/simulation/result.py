"""The results of a simulation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan

import numpy as np

from komi.arrays import F64
from komi.policies.policy import Policy, distinct_names
from komi.rules.game import Game
from komi.rules.payoff_scale import PayoffScale
from komi.simulation.counting import (
    ACTION_COUNT,
    LEAD_CHANGES,
    NEVER_ACTED,
    SCORE,
    SHARE,
    SOME_NEVER_ACTED,
    TURN_COUNT,
    WON,
)
from komi.simulation.intervals import Z_95, share_interval
from komi.simulation.tally import HistogramTails, Tally
from komi.simulation.variance import VarianceShares, estimate_variance
from komi.tabular import Record, Tabular
from komi.typing import Rules

MIN_CASES = 50  # minimum number of cases for a standard error to tell the confidence interval of a share


@dataclass(frozen=True)
class Estimate:
    """A mean over games and its standard error; where deals repeat, the deal is the sampling unit."""

    mean: float
    stderr: float

    @property
    def known_stderr(self) -> float | None:
        """The standard error; None if too few games were played to estimate it."""
        return None if isnan(self.stderr) else self.stderr

    @property
    def is_rare(self) -> bool:
        """True if there are too few cases for the standard error to tell how far off the mean can be."""
        return False

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval; None if too few games were played to estimate it."""
        return None if isnan(self.stderr) else (self.mean - Z_95 * self.stderr, self.mean + Z_95 * self.stderr)


@dataclass(frozen=True)
class ShareEstimate(Estimate):
    """A share of games, decisions or deals, whose confidence interval also holds if it is near 0 or 1.

    Attributes:
        count: the number of values that it is estimated from: of deals where deals repeat, otherwise of games.
    """

    count: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval, from 0 to 1; see `intervals`."""
        return share_interval(self.mean, self.stderr, self.count)

    @property
    def is_rare(self) -> bool:
        """True if there are too few cases, or too few others, for the standard error to tell how far off it can be."""
        return self.count * min(self.mean, 1.0 - self.mean) < MIN_CASES


@dataclass(frozen=True, eq=False)
class Simulation(Tabular):
    """The statistics of simulated games.

    Attributes:
        game: the game.
        rules: its rules.
        policies: each seat's policy, the first to move first.
        seed: seed of the random numbers.
        seconds: time spent playing in all runs together, without compilation.
        stopped: whether the simulation was interrupted.
        tally: all sums.
    """

    game: Game
    rules: Rules
    policies: tuple[Policy, ...]
    seed: int
    seconds: float
    stopped: bool
    tally: Tally = field(repr=False)

    def __repr__(self) -> str:
        names = ", ".join(distinct_names(self.policies))
        return f"<Simulation of {self.game.name}: {self.games:,} games of {names}, seed {self.seed}>"

    def records(self) -> list[Record]:
        """List every statistic as a row.

        `at` is the number of turns or moves, or the deal; `seat` is counted from 1. Both are None where they do not
        apply. `stderr`, and `low` and `high`, the 95 % confidence interval, are None where they are not known.
        """
        names = ("quantity", "at", "seat", "value", "stderr", "low", "high")
        return [
            dict(zip(names, (*where, each.mean, each.known_stderr, *(each.interval or (None, None))), strict=True))
            if isinstance(each, Estimate)
            else dict(zip(names, (*where, each, None, None, None), strict=True))
            for *where, each in self._statistics()
        ]

    def _statistics(self) -> Iterator[tuple[str, int | None, int | None, Estimate | float]]:
        by_seat = {
            "win_rate": self.wins if self.scale.is_opposed else (),
            "never_acted": self.never_acted,
            "score": self.scores or (),
        }
        if not self.scale.is_chance:
            by_seat["payoff"] = self.payoffs
        for quantity, estimates in by_seat.items():
            for seat, each in enumerate(estimates, 1):
                yield quantity, None, seat, each
        per_game = {"turns": self.turns, "actions": self.actions, "lead_changes": self.lead_changes}
        for quantity, estimate in per_game.items():
            if estimate is not None:
                yield quantity, None, None, estimate
        for turns, share in enumerate(self.still_running):
            yield "still_running", turns, None, share
        for turns, games in self.turns_histogram.items():
            yield "games_of_turns", turns, None, float(games)
        for moves, share in enumerate(self.moves_at_least):
            yield "moves_at_least", moves, None, share
        for deal, rates in enumerate(self.deal_rates):
            for seat, rate in enumerate(rates, 1):
                quantity = "deal_win_rate" if self.scale.is_chance else "deal_payoff"
                yield quantity, deal, seat, self.scale.payoff(float(rate))

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.tally.games

    @property
    def games_per_second(self) -> float:
        """The throughput of all workers together."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def wins(self) -> tuple[ShareEstimate, ...]:
        """Each seat's win rate; a shared win counts as a half, or as its fraction.

        With a `payoff_range` a positive payoff is a win, and a draw counts nothing. In a general-sum game nobody wins.
        """
        return self._shares_by_seat(SHARE if self.scale.is_chance else WON)

    @property
    def scale(self) -> PayoffScale:
        """The scale of payoffs."""
        return self.game.payoff_scale(self.rules)

    @property
    def payoffs(self) -> tuple[Estimate, ...]:
        """Each seat's mean payoff; without a `payoff_range` the win rates."""
        if self.scale.is_chance:
            return self.wins
        return tuple(
            Estimate(self.scale.payoff(share.mean), self.scale.difference(share.stderr))
            for share in self._by_seat(SHARE)
        )

    @property
    def never_acted(self) -> tuple[ShareEstimate, ...]:
        """The share of games in which the seat never had a choice to make."""
        return self._shares_by_seat(NEVER_ACTED)

    @property
    def some_never_acted(self) -> ShareEstimate:
        """The share of games in which some seat never had a choice to make."""
        return ShareEstimate(*self.tally.table_mean(SOME_NEVER_ACTED), self.tally.deals)

    @property
    def scores(self) -> tuple[Estimate, ...] | None:
        """Each seat's mean total of rewards; None if the game has no rewards."""
        return self._by_seat(SCORE) if self.game.has("reward") else None

    @property
    def objective(self) -> str | None:
        """The name of the objective of a single-player game, or of one with a `payoff_range`; None in other games."""
        is_stated = self.tally.seats == 1 or not self.scale.is_chance
        return self.game.objective(self.rules) if is_stated else None

    @property
    def value(self) -> Estimate:
        """The mean value of a single-player game: its total of rewards, or how often it was won."""
        counts_chance = str(self.objective).startswith("chance") or not self.game.has("reward")
        return self.wins[0] if counts_chance else self._by_seat(SCORE)[0]

    @property
    def turns(self) -> Estimate:
        """The turns of all players together; a turn on which a player can only drop out counts."""
        return Estimate(*self.tally.table_mean(TURN_COUNT))

    @property
    def actions(self) -> Estimate:
        """The actions chosen by all players together."""
        return Estimate(*self.tally.table_mean(ACTION_COUNT))

    @property
    def lead_changes(self) -> Estimate | None:
        """The number of times that the lead passes to another seat; None if the game defines no leader.

        The lead is compared after each turn.
        """
        return Estimate(*self.tally.table_mean(LEAD_CHANGES)) if self.game.has("leader") else None

    @property
    def fewest_turns(self) -> int:
        """The least number of turns of any game."""
        return int(self.tally.extremes[0])

    @property
    def most_turns(self) -> int:
        """The greatest number of turns of any game."""
        return int(self.tally.extremes[1])

    @property
    def turns_histogram(self) -> dict[int, int]:
        """The number of games by number of turns."""
        return {int(turns): int(self.tally.turns.counts[turns]) for turns in np.flatnonzero(self.tally.turns.counts)}

    @property
    def still_running(self) -> list[ShareEstimate]:
        """The share of games that are not over after 0, 1, 2, ... turns."""
        return self._shares_at_least(self.tally.turns)[1:]

    @property
    def most_moves(self) -> int:
        """The largest number of legal moves of any decision."""
        return int(self.tally.extremes[2])

    @property
    def moves_histogram(self) -> dict[int, int]:
        """The number of decisions by number of legal moves."""
        return {int(moves): int(self.tally.moves.counts[moves]) for moves in np.flatnonzero(self.tally.moves.counts)}

    @property
    def mean_moves(self) -> float:
        """The mean number of legal moves of a decision."""
        counts = self.tally.moves.counts
        return float(np.arange(len(counts)) @ counts / max(int(counts.sum()), 1))

    @property
    def moves_at_least(self) -> list[ShareEstimate]:
        """The share of decisions with at least 0, 1, 2, ... legal moves."""
        return self._shares_at_least(self.tally.moves)

    @property
    def deal_rates(self) -> F64:
        """float64[deals, seats], each deal's win rates; no rows where deals do not repeat.

        With a `payoff_range` they are mean payoffs, mapped to 0 to 1.
        """
        return self.tally.rows / self.tally.per_deal

    def worst_seat_below(self, rate: float) -> ShareEstimate:
        """Estimate the share of deals in which some seat's win rate is below `rate`."""
        below = self.deal_rates.min(axis=1) < rate
        share = float(below.mean())
        return ShareEstimate(share, float(np.sqrt(share * (1 - share) / max(len(below) - 1, 1))), len(below))

    def variance(self, seat: int) -> VarianceShares | None:
        """Return the shares of the deal and the play in a seat's result; None if they are not known."""
        if not self.scale.is_chance:  # the estimate is for games that are won or lost
            return None
        return estimate_variance(self.tally.rows[:, seat], self.tally.per_deal)

    @property
    def explained(self) -> tuple[VarianceShares, ...] | None:
        """The variance of each seat's result, if all are known and the deal explains a visible share of one."""
        parts = [part for seat in range(self.tally.seats) if (part := self.variance(seat)) is not None]
        return tuple(parts) if len(parts) == self.tally.seats and any(part.is_visible for part in parts) else None

    def _by_seat(self, quantity: int) -> tuple[Estimate, ...]:
        return tuple(Estimate(*self.tally.seat_mean(seat, quantity)) for seat in range(self.tally.seats))

    def _shares_by_seat(self, quantity: int) -> tuple[ShareEstimate, ...]:
        return tuple(ShareEstimate(each.mean, each.stderr, self.tally.deals) for each in self._by_seat(quantity))

    def _shares_at_least(self, tails: HistogramTails) -> list[ShareEstimate]:
        shares, errors = tails.at_least(self.tally.deals)
        return [
            ShareEstimate(float(share), float(error), self.tally.deals)
            for share, error in zip(shares, errors, strict=True)
        ]
