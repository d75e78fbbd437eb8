"""Rolls of stored states that are too many to store their roll graphs: each is enumerated when it is needed."""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from komi.rules.compiled import CompiledGame
from komi.rules.packing import Layout
from komi.transient.enumeration import Sheet
from komi.transient.program_reachability import survey_sheets

FIRST_ROOM = 64  # rows, a power of two
FIRST_WORDS = 1 << 20
FIRST_NUMBERS = 256  # a power of two


class Room(NamedTuple):
    """Buffers for one thread that enumerates rolls."""

    sheet: Sheet
    words: Any  # uint32[.]
    numbers: Any  # float64[.]
    witness: Any  # int64[fields + 1]

    @classmethod
    def empty(cls, times: int, fields: int) -> Self:
        """Allocate `times` the capacity that is enough for most games."""
        return cls(
            Sheet.empty(times * FIRST_ROOM, fields),
            np.empty(times * FIRST_WORDS, np.uint32),
            np.empty(times * FIRST_NUMBERS),
            np.zeros(fields + 1, np.int64),
        )


class Unrolled:
    """Buffers to enumerate the rolls of a game's stored states, for each of several threads.

    Args:
        compiled, rules: the game.
        threads: the number of threads.

    Attributes:
        seats: the number of seats.
        threads: the number of threads.
        rooms: the buffers of each thread.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, threads: int) -> None:
        self.seats, self.threads = compiled.game.players(rules), threads
        self._fields = len(compiled.game.module.State._fields)
        self._survey = compiled.kernels[survey_sheets]
        self._times = [1] * threads
        self.rooms = [Room.empty(1, self._fields) for _ in range(threads)]

    @property
    def widest(self) -> int:
        """An upper bound on the rows of a roll and on the actions of a state."""
        return max(len(room.sheet.number) for room in self.rooms)

    def make_room(self, thread: int) -> None:
        """Double the capacity of a thread's buffers."""
        self._times[thread] *= 2
        self.rooms[thread] = Room.empty(self._times[thread], self._fields)

    def visitor(self, thread: int) -> "Visitor":
        """Return the object with which a thread visits states."""
        return Visitor(self, thread, self._survey)

    def check_size(self, rules: Any, layout: Layout) -> None:
        """Accept any number of states: the only limits are those of all sets of states."""


class Visitor:
    """The kernel and the buffers with which one thread visits states."""

    def __init__(self, unrolled: Unrolled, thread: int, kernel: Callable[..., Any]) -> None:
        self._unrolled, self._thread, self.kernel = unrolled, thread, kernel
        self.seats = unrolled.seats

    def survey_arrays(self, layout: Layout) -> tuple[Any, ...]:  # noqa: ARG002  does not depend on the layout
        """Return the additional arguments of `survey_sheets`."""
        return (self._unrolled.rooms[self._thread].sheet,)

    def make_room(self) -> None:
        """Double the capacity of the thread's buffers."""
        self._unrolled.make_room(self._thread)
