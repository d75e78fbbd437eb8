"""Clocks for games between several people: a player whose time runs out resigns.

Each player has a number of minutes for the whole game, and an increment in seconds for each completed turn. The clock
of the player to move runs from the start of the game, by this server's time alone. The remaining time is computed from
the times of the log entries, so a restart of the server does not change it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from komi.play.table import Entry


@dataclass(frozen=True)
class Clock:
    """The time control of a game.

    Attributes:
        minutes: time of each player for the whole game.
        seconds: increment for each turn that a player completes.
    """

    minutes: int
    seconds: int

    def left(
        self, players: int, started: datetime, log: Iterable[tuple[Entry, datetime]]
    ) -> tuple[list[timedelta], datetime]:
        """Compute the time left for each seat after the log, and the time at which the current clock started."""
        left = [timedelta(minutes=self.minutes)] * players
        since = started
        for entry, at in log:
            left[entry.seat] -= at - since
            if entry.mover != entry.seat:
                left[entry.seat] += timedelta(seconds=self.seconds)
            since = at
        return left, since
