"""Clocks at a table of several people: whose time has run out gives up the game.

Each player has so many minutes for the whole game, and so many seconds more for each turn that they have ended. The
clock of whoever is to move runs from the beginning on, by this server's time alone. How much is left follows from the
moments at which the actions were written down, so that a restart changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from komi.play.table import Entry


@dataclass(frozen=True)
class Clock:
    """What was agreed on.

    Attributes:
        minutes: for the game, each player.
        seconds: more for each turn that a player has ended.
    """

    minutes: int
    seconds: int

    def left(
        self, players: int, started: datetime, log: Iterable[tuple[Entry, datetime]]
    ) -> tuple[list[timedelta], datetime]:
        """What is left to each seat after what has happened, and since when the clock of who is to move runs."""
        left = [timedelta(minutes=self.minutes)] * players
        since = started
        for entry, at in log:
            left[entry.seat] -= at - since
            if entry.mover != entry.seat:
                left[entry.seat] += timedelta(seconds=self.seconds)
            since = at
        return left, since
