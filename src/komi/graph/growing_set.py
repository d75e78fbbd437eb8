"""A set of states under construction: dense while that takes little memory, sparse otherwise."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64
from komi.compiling.packing import Layout
from komi.graph.lookup import (
    GrowingIndex,
    append,
    find_packed_slot,
    is_occupied,
    key_at,
    locate_packed,
    members,
)
from komi.graph.state_sets import NO_TABLE, StateSet, convert_keys, empty_bits, hash_table
from komi.jit.intrinsics import extract_field
from komi.jit.kernels import engine_kernels
from komi.tuning import GROWING_DENSE_BITS

DENSE_BYTES, SPARSE_BYTES = 32, 16  # bytes of a dense set per state, above and below which the other form is better
INITIAL_CAPACITY = 1 << 12  # of a sparse set, in states: 64 KB; it doubles when it is half full


class GrowingSet:
    """States with their handles (`komi.graph.lookup`); in a sparse set, these are numbers in the order of insertion.

    Attributes:
        layout, keys, table, size: the arrays of the set; `keys` of a sparse set have spare capacity.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.keys: NDArray[Any] = empty_bits(layout)
        self.table = NO_TABLE
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
    def index(self) -> GrowingIndex:
        """The set as an argument of compiled code."""
        return GrowingIndex(self.layout, self.keys, self.table, self.size)

    @property
    def is_dense(self) -> bool:
        """True if the set is stored as bits."""
        return self.keys.ndim == 1

    @property
    def count(self) -> int:
        """The number of states."""
        return int(np.bitwise_count(self.keys).sum(dtype=np.int64)) if self.is_dense else int(self.size[0])

    @property
    def memory(self) -> int:
        """The bytes that the set takes, or will take when it is complete."""
        return self.keys.nbytes * 3 // 2 if self.is_dense else self.keys.nbytes + self.table.nbytes

    def add(self, states: Sequence[Any]) -> I64:
        """Add states that fit into the layout; return the handles of the new ones."""
        packed = [self.layout.pack(state) for state in dict.fromkeys(states)]
        if self.is_dense:
            new = [key for key in packed if not int(self.keys[key >> 6]) >> (key & 63) & 1]
            for key in new:
                self.keys[key >> 6] |= np.uint64(1 << (key & 63))
            return np.array(new, np.int64)
        self.reserve(len(packed))
        keys, handles = _split(packed, self.layout), np.empty(len(packed), np.int64)
        return handles[: engine_kernels()[_insert_all](self.index, keys, handles)]

    def reserve(self, more: int = 1) -> None:
        """Ensure that `more` states can be added."""
        if self.is_dense:
            return
        size = int(self.size[0])
        if size + more > len(self.keys):
            self.keys.resize((max(size + more, size * 5 // 4, INITIAL_CAPACITY), self.layout.halves), refcheck=False)
        if 2 * (size + more) > len(self.table):
            self.table = NO_TABLE  # freed before the larger one is allocated
            self.table = hash_table(self.keys[:size], max(size + more, INITIAL_CAPACITY))

    def suits_dense(self, layout: Layout, visited: int) -> bool:
        """Return whether the set should be stored as bits, given its next layout and the number of states found."""
        bits = sum(layout.bits)
        return (
            bits <= GROWING_DENSE_BITS
            or layout.key_count // 8 <= (DENSE_BYTES if self.is_dense else SPARSE_BYTES) * visited
        )

    def move(self, layout: Layout, dense: bool, handles: Sequence[I64]) -> list[I64]:
        """Convert the set to another layout, dense or sparse; return the new handles of the given ones."""
        was_dense, before, keys = self.is_dense, self.layout, self._used()
        moved = [_keys_at(keys, some) for some in handles] if was_dense or dense else []
        self.table = NO_TABLE
        count = 0 if dense else self.count
        self.layout, self.keys = layout, convert_keys(before, keys, count, layout, dense)
        if dense:
            self.size[0] = 0
            return [convert_keys(before, some, len(some), layout, dense=False)[:, 0] for some in moved]
        self.size[0] = count
        self.table = hash_table(self.keys, max(count, INITIAL_CAPACITY))
        if not was_dense:
            return list(handles)
        moved = [convert_keys(before, some, len(some), layout, dense=False) for some in moved]
        return [self._handles_of(some) for some in moved]

    def finished(self) -> StateSet:
        """Return the complete set and release the buffers of this one."""
        keys, layout = self.keys, self.layout
        self.table, self.keys = NO_TABLE, empty_bits(Layout.of([0], [1]))
        if keys.ndim == 1:
            return StateSet.from_bits(layout, keys).compacted()
        keys.resize((int(self.size[0]), layout.halves), refcheck=False)
        return StateSet.from_keys(layout, keys).compacted()

    def highest(self) -> list[int]:
        """Return the greatest value of each field among the states, or its least in the layout if there are none."""
        highs = np.array(self.layout.lows)
        engine_kernels()[_find_highest](self.layout, self._used(), highs)
        return [int(high) * step for high, step in zip(highs, self.layout.steps, strict=True)]

    def fields(self, handle: int) -> tuple[int, ...]:
        """Return the fields of the state with a handle."""
        return StateSet(self.layout, self.keys, self.table).fields_at(handle)

    def _used(self) -> NDArray[Any]:
        return self.keys if self.is_dense else self.keys[: int(self.size[0])]

    def _handles_of(self, keys: I64) -> I64:
        handles = np.empty(len(keys), np.int64)
        engine_kernels()[_list_handles](self.index, keys, handles)
        return handles


def _split(packed: Sequence[int], layout: Layout) -> I64:
    """Split packed states into halves: int64[states, halves]."""
    halves = [[key >> 63, key & (1 << 63) - 1][-layout.halves :] for key in packed]
    return np.array(halves, np.int64).reshape(len(packed), layout.halves)


def _keys_at(keys: NDArray[Any], handles: I64) -> I64:
    return handles.reshape(-1, 1) if keys.ndim == 1 else keys[handles]


def _find_highest(layout: Layout, keys: NDArray[Any], highs: Any) -> None:
    for _, handle in members(keys):
        high, low = key_at(keys, handle)
        for i in range(len(layout.lows)):
            highs[i] = max(highs[i], extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i])


def _insert_all(states: GrowingIndex, keys: NDArray[Any], handles: I64) -> int:
    """Add packed states to a sparse set with enough capacity; return the number of new ones, and list their handles."""
    count = 0
    for row in range(len(keys)):
        high, low = key_at(keys, row)
        slot = find_packed_slot(states, high, low)
        if not is_occupied(states, slot):
            handles[count] = append(states, slot, high, low)
            count += 1
    return count


def _list_handles(states: GrowingIndex, keys: NDArray[Any], handles: I64) -> None:
    """Fill in int64[keys], the handle of each packed state in the set."""
    for row in range(len(keys)):
        high, low = key_at(keys, row)
        handles[row] = locate_packed(states, high, low)
