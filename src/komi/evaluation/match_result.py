"""The results of a match of two policies, from each seat."""

from dataclasses import asdict, dataclass

from komi.rounding import format_bound
from komi.tabular import Record, Tabular


@dataclass(frozen=True)
class WinRates:
    """The rates of wins, draws and losses of a policy, where the payoffs of a game are points or money.

    Attributes:
        wins, draws, losses: the probabilities of a positive payoff, of none, and of a negative one.
        remainder: the probability of games that are too long to follow: up to rounding, the error of the others.
    """

    wins: float
    draws: float
    losses: float
    remainder: float


@dataclass(frozen=True)
class SeatResult:
    """A policy's results from one seat: its probability of winning, and the expected length of the game.

    Attributes:
        wins: the probability of winning; with a `payoff_range` the expected payoff.
        actions, turns: expected numbers for both players together.
        chance_moves: expected number of separate chance nodes, such as a roll before a move; random outcomes of
            actions are not counted. None if they were not counted.
        rates: how often it wins, draws and loses, in a game with a `payoff_range`; None in others, in games with
            simultaneous moves, with mixed policies, and where games are too long to follow.
    """

    wins: float
    actions: float
    turns: float
    chance_moves: float | None = None
    rates: WinRates | None = None


@dataclass(frozen=True)
class Match(Tabular):
    """The result of policy A against policy B.

    Attributes:
        first: A's results when it moves first.
        second: A's results when it moves second.
        error_bound: error bound of the probabilities, or of the expected payoffs.
        length_error_bound: error bound of the expected actions, turns and chance moves.
        expected_actions_range: for optimal play against itself, the least and the greatest expected number of actions
            over all choices between actions of equal value. None if both are equal, if play is not optimal, or with
            staged value iteration, which takes the first of such actions.
    """

    first: SeatResult
    second: SeatResult
    error_bound: float
    length_error_bound: float
    expected_actions_range: tuple[float, float] | None = None

    def __repr__(self) -> str:
        wins = f"wins {self.first.wins:.6f} moving first, {self.second.wins:.6f} moving second"
        return f"<Match: {wins}; {self.expected_actions:.3f} actions; error bound {format_bound(self.error_bound)}>"

    def records(self) -> list[Record]:
        """List the results of A from each seat."""
        return [{"moves": "first", **_record(self.first)}, {"moves": "second", **_record(self.second)}]

    @property
    def average(self) -> float:
        """A's probability of winning, or its expected payoff, averaged over both seats."""
        return (self.first.wins + self.second.wins) / 2

    @property
    def expected_actions(self) -> float:
        """The expected number of actions of both players, the last one included, averaged over both seats."""
        return (self.first.actions + self.second.actions) / 2

    @property
    def expected_turns(self) -> float:
        """The expected number of turns of both players, the last one included, averaged over both seats."""
        return (self.first.turns + self.second.turns) / 2

    @property
    def expected_chance_moves(self) -> float | None:
        """The expected number of separate chance moves, averaged over both seats; None if they were not counted."""
        if self.first.chance_moves is None or self.second.chance_moves is None:
            return None
        return (self.first.chance_moves + self.second.chance_moves) / 2


def _record(seat: SeatResult) -> Record:
    """Return the results of a seat as a row: with the rates of wins, draws and losses if there are any."""
    record = asdict(seat)
    rates = record.pop("rates") or {}
    return {**record, **{f"{name}_rate" if name != "remainder" else name: rate for name, rate in rates.items()}}
