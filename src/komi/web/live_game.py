"""A game in memory: its settings, its table, and the details of its log entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import RLock
from typing import Any

from komi.errors import InputError
from komi.game import CHANCE
from komi.play import fairness
from komi.play.table import Table
from komi.rules.game import Event
from komi.web import layout, models
from komi.web.game_settings import By, GameSettings, NewEntry
from komi.web.records import now


@dataclass(frozen=True)
class EntryDetails:
    """The data of a log entry besides its label.

    Attributes:
        by: who made the entry.
        at: the time of the entry.
        events: all outcomes of the chance event, in the order of the protocol; none for an action.
        gained: the score of the first player after the entry.
        effect: the dice that the action keeps and the scores that it writes.
    """

    by: By
    at: datetime
    events: Sequence[Event]
    gained: float
    effect: dict[str, Any]


class LiveGame:
    """A game in memory.

    Attributes:
        settings: the settings of the game.
        table: the referee.
        lock: held while entries are added.
        is_stale: True if this differs from the database and must be rebuilt.
        is_late: True if the player who resigned has run out of time.
        details: the details of each log entry.
        cached_lines: views of the log entries, by seat.
        cached_starts: views of the initial position, by seat.
        cached_constants: the fields of its views that never change.
    """

    def __init__(
        self,
        settings: GameSettings,
        entries: Iterable[tuple[str, By, datetime]] = (),
        resigned: int | None = None,
        *,
        is_late: bool = False,
    ) -> None:
        self.settings = settings
        self.table = Table(settings.game, settings.rules, initial_state=settings.beginning)
        self.lock = RLock()
        self.is_stale = False
        self.is_late = is_late
        self.details: list[EntryDetails] = []
        self.cached_lines: dict[int, list[models.LogLineView]] = {}
        self.cached_starts: dict[int, models.PositionView] = {}
        self.cached_constants: dict[str, Any] = {}
        for label, by, at in entries:
            self.enter(label, by, at)
        if resigned is not None:
            self.table.resign(resigned)

    @property
    def is_persons_turn(self) -> bool:
        """True if a person must act now, or enter the outcome of a chance event."""
        table = self.table
        if table.waiting == "event":
            return self.settings.is_test
        return table.mover is not None and self.settings.is_persons(table.mover)

    def is_turn_of(self, person: str) -> bool:
        """Return whether this person must act, or enter a chance event."""
        if not self.is_persons_turn:
            return False
        participants = self.settings.participants
        return (
            participants is None
            or self.table.waiting == "event"
            or participants.people[self.table.mover or 0] == person
        )

    def viewer_seat(self, person: str) -> int:
        """Return the seat whose view a person gets: their own, or at a shared device that of the mover."""
        settings = self.settings
        if settings.participants is not None and settings.participants.is_at_one_device:
            return self.table.observer if self.table.mover is None else self.table.mover
        seat = settings.seat_of(person)
        return settings.seat if seat is None else seat

    def time_left(self) -> list[float] | None:
        """Return the seconds left for each seat, or None without a clock."""
        clock, table = self.settings.clock, self.table
        if clock is None:
            return None
        time_left, since = clock.time_left(
            table.players, self.settings.started, zip(table.log, (each.at for each in self.details), strict=True)
        )
        if table.mover is not None:
            time_left[table.mover] -= now() - since
        seconds = [each.total_seconds() for each in time_left]
        if self.is_late and table.resigned is not None:
            seconds[table.resigned] = 0.0
        return seconds

    def is_out_of_time(self) -> bool:
        """Return whether the player to move has no time left."""
        time_left = self.time_left()
        return time_left is not None and self.table.mover is not None and time_left[self.table.mover] <= 0.0

    def enter(self, label: str, by: By, at: datetime | None = None) -> NewEntry:
        """Add an action or a chance event to the log, by default with the current time.

        Raises:
            InputError: if it is not possible now.
        """
        events = self.in_protocol_order(self.table.events)
        uniform = self.uniform if by == "chance" else None
        action = self.table.actions.get(label, CHANCE)
        effect = layout.effect_of(self.settings.game, self.settings.rules, self.table.state, action)
        entry = self.table.enter(label, uniform)
        self.details.append(EntryDetails(by, at or now(), events, self.table.rewards[0], effect))
        return NewEntry(entry.number, entry.kind, entry.label, by, self.details[-1].at)

    def draw(self) -> NewEntry:
        """Draw the next chance event from the seed and the players' number, and add it."""
        return self.enter(
            fairness.sample_event(self.in_protocol_order(self.table.events), self.uniform).label, "chance"
        )

    def in_protocol_order(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the outcomes in the order of the protocol, in which they partition the unit interval."""
        return events if self.settings.protocol == 1 else fairness.sort_events(events)

    @property
    def uniform(self) -> float:
        """The uniform random number that selects the next entry, if that is a chance event."""
        return fairness.random_number(self.settings.seed, self.settings.number, self.table.number)

    def has_entered(self, number: int, label: str, person: str) -> bool:
        """Return whether this person has made the entry with this number, with this label.

        Raises:
            InputError: if there is no such entry.
        """
        if not 0 <= number < self.table.number:
            raise InputError(f"the game has no entry {number} yet.")
        entry, participants = self.table.log[number], self.settings.participants
        by = self.details[number].by
        is_theirs = by == "hand" or participants is None or participants.people[entry.seat] == person
        return is_theirs and by in ("you", "hand") and entry.label == label

    @property
    def last_entered(self) -> int | None:
        """The number of the last entry that a person has made, or None."""
        numbers = reversed(range(len(self.details)))
        return next((number for number in numbers if self.details[number].by in ("you", "hand")), None)
