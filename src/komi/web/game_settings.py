"""The settings of a game, fixed before it begins, its time control, and its log entries as they are stored.

With a time control, each player has a number of minutes for the whole game, and an increment in seconds for each
completed turn; a player whose time runs out resigns. The clock of the player to move runs from the start of the game,
by this server's time alone. The remaining time is computed from the times of the log entries, so a restart of the
server does not change it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from komi.play import fairness
from komi.play.table import Entry
from komi.rules.game import Game
from komi.typing import Rules
from komi.web.participants import Participants

By = Literal["you", "computer", "chance", "hand"]


@dataclass(frozen=True)
class TimeControl:
    """The time control of a game.

    Attributes:
        minutes: time of each player for the whole game.
        seconds: increment for each turn that a player completes.
    """

    minutes: int
    seconds: int

    def time_left(
        self, players: int, started: datetime, log: Iterable[tuple[Entry, datetime]]
    ) -> tuple[list[timedelta], datetime]:
        """Compute the time left for each seat after the log, and the time at which the current clock started."""
        time_left = [timedelta(minutes=self.minutes)] * players
        since = started
        for entry, at in log:
            time_left[entry.seat] -= at - since
            if entry.mover != entry.seat:
                time_left[entry.seat] += timedelta(seconds=self.seconds)
            since = at
        return time_left, since


@dataclass(frozen=True)
class NewEntry:
    """A log entry as it is stored. The table recomputes everything else."""

    number: int
    kind: str
    label: str
    by: By
    at: datetime


@dataclass(frozen=True)
class GameSettings:
    """The settings of a game, fixed before it begins.

    Attributes:
        person: the person who began the game.
        seat: that person's seat; a computer opponent has all others.
        opponent: the name of the computer opponent; "" if only people play.
        is_by_lot: True if the seat was drawn from the seed and the number.
        is_test: True if chance events are entered by hand.
        takebacks: number of times that entries have been taken back.
        participants: the people by seat, if people have all seats; None against a computer and in single-player games.
        beginning: the initial state; None for the default one.
        clock: the time control; None without one.
        started: the time when the game began.
        protocol: the version of the protocol in `komi.play.fairness` that draws chance events.
    """

    id: str
    person: str
    game: Game
    rules: Rules
    opponent: str
    seat: int
    is_by_lot: bool
    is_test: bool
    seed: bytes
    number: str
    takebacks: int = 0
    participants: Participants | None = None
    beginning: Any = None
    clock: TimeControl | None = None
    started: datetime = datetime.min
    protocol: int = fairness.PROTOCOL

    @property
    def is_with_others(self) -> bool:
        """True if several people play, each at a device of their own."""
        return self.participants is not None and not self.participants.is_at_one_device

    def seat_of(self, person: str) -> int | None:
        """Return a person's seat, or None. The person who began the game gets the seat in `seat`."""
        if person == self.person:
            return self.seat
        return (
            None
            if self.participants is None or person not in self.participants.people
            else self.participants.people.index(person)
        )

    def is_persons(self, seat: int) -> bool:
        """Return whether a person, not a computer, has this seat."""
        return self.participants is not None or seat == self.seat
