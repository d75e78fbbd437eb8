"""Rolls of stored states that are too many to store their roll graphs: each is enumerated when it is needed."""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import I64
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_kernel import PAUSED
from komi.graph.sources import Explorer, action_limit
from komi.rules.compiled import CompiledGame
from komi.rules.packing import Layout
from komi.transient.enumeration import Sheet
from komi.transient.program_reachability import explore_sheets
from komi.transient.violations import NO_ROOM, ROUND, broken_roll

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

    It is a `graph.sources.ExplorationSource`: it gives the successors of states, but does not store their transitions.

    Args:
        compiled, rules: the game.
        threads: the number of threads.

    Attributes:
        seats: the number of seats.
        max_threads: the number of threads.
        rooms: the buffers of each thread.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, threads: int) -> None:
        self.compiled, self.rules, self.max_threads = compiled, rules, threads
        self.seats = compiled.game.players(rules)
        self._fields = len(compiled.game.module.State._fields)
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

    def explorer(self, thread: int) -> Explorer:
        """Return the object with which a thread explores states."""
        return _RollExplorer(self, thread)

    def check_size(self, layout: Layout) -> None:
        """Accept any number of states: the only limits are those of all sets of states."""


class _RollExplorer:
    """Explores states for one thread, with its own buffers."""

    def __init__(self, unrolled: Unrolled, thread: int) -> None:
        self._unrolled, self._thread = unrolled, thread
        self._kernel = unrolled.compiled.kernels[explore_sheets]
        self._limit = action_limit(unrolled.compiled.game)

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` stored states, and push their successors; see `graph.sources.Explorer`."""
        unrolled = self._unrolled
        reason, height = self._kernel(
            unrolled.rules,
            unrolled.seats,
            self._limit,
            found.index,
            stack,
            height,
            budget,
            totals,
            witness,
            unrolled.rooms[self._thread].sheet,
        )
        if reason == NO_ROOM:
            unrolled.make_room(self._thread)
            return PAUSED, height
        if reason == ROUND:
            raise broken_roll(unrolled.compiled, unrolled.rules, reason, witness)
        return reason, height
