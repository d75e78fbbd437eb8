"""A set of states under construction: dense while that takes little memory, sparse otherwise."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.graph.lookup import members, word_at
from komi.graph.state_sets import NOTHING, StateSet, add_words, hash_table, no_bits, place_of, relaid_keys
from komi.jit.intrinsics import extract_field
from komi.jit.kernels import engine_kernels
from komi.rules.packing import Layout

CHEAP = 28  # bits of a packed state up to which the set is dense: it takes 32 MB, and is converted if few bits are set
DENSE_BYTES, SPARSE_BYTES = 32, 16  # bytes of a dense set per state, above and below which the other form is better
FIRST_ROOM = 1 << 12  # initial capacity of a sparse set, in states

Places = NDArray[np.int64]


class GrowingSet:
    """States with their places (`komi.graph.lookup`); in a sparse set, places are numbered in the order of insertion.

    Attributes:
        layout, keys, table, size: the set, as compiled code takes it; `keys` of a sparse set have spare capacity.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.keys: NDArray[Any] = no_bits(layout)
        self.table = NOTHING
        self.size = np.zeros(1, np.int64)

    @classmethod
    def of(cls, states: StateSet) -> "GrowingSet":
        """Create a set that contains these states and can grow."""
        new = cls(Layout.of([0], [1]))
        new.layout, new.keys = states.layout, np.array(states.keys)
        if not states.is_dense:
            new.table, new.size[0] = np.array(states.ranks), states.size
        return new

    @property
    def is_dense(self) -> bool:
        """True if the set is stored as bits."""
        return self.keys.ndim == 1

    @property
    def memory(self) -> int:
        """The bytes that the set takes, or will take when it is complete."""
        return self.keys.nbytes * 3 // 2 if self.is_dense else self.keys.nbytes + self.table.nbytes

    def add(self, states: Sequence[Any]) -> Places:
        """Add states that fit into the layout; return the places of the new ones."""
        words = [self.layout.pack(state) for state in dict.fromkeys(states)]
        if self.is_dense:
            new = [word for word in words if not int(self.keys[word >> 6]) >> (word & 63) & 1]
            for word in new:
                self.keys[word >> 6] |= np.uint64(1 << (word & 63))
            return np.array(new, np.int64)
        self.make_room(len(words))
        rows, places = _rows(words, self.layout), np.empty(len(words), np.int64)
        return places[: engine_kernels()[add_words](rows, self.keys, self.table, self.size, places)]

    def make_room(self, more: int = 1) -> None:
        """Ensure that `more` states can be added."""
        if self.is_dense:
            return
        size = int(self.size[0])
        if size + more > len(self.keys):
            self.keys.resize((max(size + more, size * 5 // 4, FIRST_ROOM), self.layout.halves), refcheck=False)
        if 2 * (size + more) > len(self.table):
            self.table = NOTHING  # freed before the larger one is allocated
            self.table = hash_table(self.keys[:size], max(size + more, FIRST_ROOM))

    def suits_dense(self, layout: Layout, visited: int) -> bool:
        """Return whether the set should be stored as bits, given its next layout and the number of states found."""
        bits = sum(layout.bits)
        return bits <= CHEAP or layout.key_count // 8 <= (DENSE_BYTES if self.is_dense else SPARSE_BYTES) * visited

    def move(self, layout: Layout, dense: bool, places: Sequence[Places]) -> list[Places]:
        """Convert the set to another layout, dense or sparse; return the new places of the given ones."""
        was_dense, before, keys = self.is_dense, self.layout, self._used()
        rows = [_words_at(keys, some) for some in places] if was_dense or dense else []
        self.table = NOTHING
        count = 0 if dense else int(np.bitwise_count(keys).sum(dtype=np.int64)) if was_dense else int(self.size[0])
        self.layout, self.keys = layout, relaid_keys(before, keys, count, layout, dense)
        if dense:
            self.size[0] = 0
            return [relaid_keys(before, some, len(some), layout, dense=False)[:, 0] for some in rows]
        self.size[0] = count
        self.table = hash_table(self.keys, max(count, FIRST_ROOM))
        if not was_dense:
            return list(places)
        moved = [relaid_keys(before, some, len(some), layout, dense=False) for some in rows]
        return [self._places_of(some) for some in moved]

    def keep(self, wanted: NDArray[np.bool_]) -> int:
        """Keep a sparse set's states that are marked by place; return the number of removed ones."""
        self.table = NOTHING
        kept = self._used()[wanted]
        others = int(self.size[0]) - len(kept)
        self.keys, self.size[0] = kept, len(kept)
        return others

    def finished(self) -> StateSet:
        """Return the complete set and release the buffers of this one."""
        keys, layout = self.keys, self.layout
        self.table, self.keys = NOTHING, no_bits(Layout.of([0], [1]))
        if keys.ndim == 1:
            return StateSet.of(layout, keys).fitted()
        keys.resize((int(self.size[0]), layout.halves), refcheck=False)
        return StateSet.listed(layout, keys).fitted()

    def highest(self) -> list[int]:
        """Return the greatest value of each field among the states, or its least in the layout if there are none."""
        highs = np.array(self.layout.lows)
        engine_kernels()[_find_highest](self.layout, self._used(), highs)
        return [int(high) * step for high, step in zip(highs, self.layout.steps, strict=True)]

    def fields(self, place: int) -> tuple[int, ...]:
        """Return the fields of the state at a place."""
        return StateSet(self.layout, self.keys, self.table, 0).fields_at(place)

    def _used(self) -> NDArray[Any]:
        return self.keys if self.is_dense else self.keys[: int(self.size[0])]

    def _places_of(self, words: NDArray[np.int64]) -> Places:
        places = np.empty(len(words), np.int64)
        engine_kernels()[_list_places](words, self.keys, self.table, places)
        return places


def _rows(words: Sequence[int], layout: Layout) -> NDArray[np.int64]:
    """Split packed states into halves: int64[words, halves]."""
    halves = [[word >> 63, word & (1 << 63) - 1][-layout.halves :] for word in words]
    return np.array(halves, np.int64).reshape(len(words), layout.halves)


def _words_at(keys: NDArray[Any], places: Places) -> NDArray[np.int64]:
    return places.reshape(-1, 1) if keys.ndim == 1 else keys[places]


def _find_highest(layout: Any, keys: Any, highs: Any) -> None:
    for _, place in members(keys):
        high, low = word_at(keys, place)
        for i in range(len(layout.lows)):
            highs[i] = max(highs[i], extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i])


def _list_places(words: Any, keys: Any, table: Any, places: Any) -> None:
    """Fill in int64[words], the place of each packed state in the set."""
    for row in range(len(words)):
        high, low = word_at(words, row)
        places[row] = place_of(keys, table, high, low)
