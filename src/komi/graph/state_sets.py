"""Sets of states, each with an index: its rank in the order of the packed states."""

from bisect import bisect_left
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I32, I64, U64, check_indices, read_only
from komi.compiling.packing import Layout, LayoutArrays
from komi.graph.lookup import (
    StateIndex,
    index_of,
    is_member,
    key_at,
    locate_packed,
    members,
    packed_at,
    probe,
)
from komi.jit.intrinsics import HALF_BITS, extract_field, insert_field, trailing_zeros
from komi.jit.kernels import engine_kernels
from komi.tuning import DENSE_BITS
from komi.typing import State

BYTES_PER_BLOCK = 12  # 64 bits, and their rank
MAX_BYTES_PER_MEMBER = 32  # of a dense set: about as many as a sparse one takes
NO_TABLE = np.full(1, -1, np.int32)  # an empty hash table, for sets that have none


class StateSet(StateIndex):
    """A set of states, dense or sparse. Compiled code accepts it, and reads it with `komi.graph.lookup`.

    If many packed states of the layout are members, the set is dense, with one bit for each packed state; otherwise it
    holds the sorted packed states and a hash table. A member has the same index in both representations.
    """

    __slots__ = ()

    @classmethod
    def from_bits(cls, layout: Layout, bits: U64) -> Self:
        """Create a dense set from its bits.

        Raises:
            SolveError: if it has more members than can be numbered.
        """
        check_indices(int(np.bitwise_count(bits).sum(dtype=np.int64)), "states")
        ranks = np.zeros(len(bits), np.int32)
        np.cumsum(np.bitwise_count(bits[:-1]), dtype=np.int32, out=ranks[1:])
        return cls(layout, bits, ranks)

    @classmethod
    def from_keys(cls, layout: Layout, keys: I64) -> Self:
        """Create a sparse set from distinct packed states, which are sorted in place."""
        if layout.halves == 1:
            keys.reshape(-1).sort()
        else:  # as strings of 16 bytes, the first half first
            keys.byteswap(inplace=True).view("S16").reshape(-1).sort()
            keys.byteswap(inplace=True)
        return cls(layout, keys, hash_table(keys, len(keys)))

    @classmethod
    def of_fields(cls, layout: Layout, fields: I64) -> Self:
        """Create a sparse set of the states in int64[states, fields], which fit the layout."""
        keys = np.empty((len(fields), layout.halves), np.int64)
        engine_kernels()[_pack_all](layout, fields, keys)
        return cls.from_keys(layout, _sorted_rows(keys))

    @classmethod
    def empty(cls, layout: Layout) -> Self:
        """Create the dense set without members."""
        return cls.from_bits(layout, empty_bits(layout))

    @property
    def is_dense(self) -> bool:
        """True if the set is stored as bits."""
        return self.keys.ndim == 1

    @property
    def size(self) -> int:
        """The number of members."""
        return int(self.ranks[-1]) + int(self.keys[-1]).bit_count() if self.is_dense else len(self.keys)

    @property
    def handle_limit(self) -> int:
        """The upper bound on all handles, exclusive."""
        return 64 * len(self.keys) if self.is_dense else len(self.keys)

    def handle(self, state: State) -> int:
        """Return the handle of a state, as `komi.graph.lookup` defines it; -1 if it has none."""
        return self.layout.pack(state) if self.is_dense else self.index_of(state)

    def index_of(self, state: State) -> int:
        """Return the index of a member; -1 for any other state."""
        packed = self.layout.pack(state)
        if packed < 0:
            return -1
        if not self.is_dense:
            index = bisect_left(range(self.size), packed, key=self._packed)
            return index if index < self.size and self._packed(index) == packed else -1
        if not int(self.keys[packed >> 6]) >> (packed & 63) & 1:
            return -1
        below = int(self.keys[packed >> 6]) & ((1 << (packed & 63)) - 1)
        return int(self.ranks[packed >> 6]) + below.bit_count()

    def indices_at(self, handles: I64) -> I64:
        """Return the index of the member with each handle; -1 stays -1."""
        if not self.is_dense:
            return handles
        blocks, offsets = handles >> 6, (handles & 63).astype(np.uint64)
        below = self.keys[blocks] & ((np.uint64(1) << offsets) - np.uint64(1))
        return np.where(handles < 0, -1, self.ranks[blocks] + np.bitwise_count(below))

    def fields(self, index: int) -> tuple[int, ...]:
        """Return the fields of the member with this index."""
        if not self.is_dense:
            return self.fields_at(index)
        block = int(np.searchsorted(self.ranks, index, side="right")) - 1
        remaining = int(self.keys[block])
        for _ in range(index - int(self.ranks[block])):
            remaining &= remaining - 1
        return self.fields_at((block << 6) + (remaining & -remaining).bit_length() - 1)

    def all_fields(self) -> I64:
        """Return int64[states, fields], the fields of all members."""
        return self.fields_between(0, self.size)

    def fields_between(self, first: int, end: int) -> I64:
        """Return int64[rows, fields], the fields of the members with indices from `first` to `end`, exclusive."""
        fields = np.empty((end - first, len(self.layout.lows)), np.int64)
        engine_kernels()[_unpack](self, first, fields)
        return fields

    def fields_at(self, handle: int) -> tuple[int, ...]:
        """Return the fields of the member with this handle."""
        return self.layout.unpack(handle if self.is_dense else self._packed(handle))

    def indices_of(self, others: "StateSet") -> I64:
        """Return the indices of another set's members in this set; -1 for those that it does not contain."""
        indices = np.empty(others.size, np.int64)
        engine_kernels()[_find_indices](self, others, indices)
        return indices

    def indices_of_fields(self, fields: I64) -> I64:
        """Return the index of the state in each row of int64[states, fields]; -1 for those that are not members."""
        indices = np.empty(len(fields), np.int64)
        engine_kernels()[_find_rows](self, fields, indices)
        return indices

    def converted(self, layout: Layout, dense: bool) -> "StateSet":
        """Convert the set to a layout into which all members fit, dense or sparse; their order and indices stay."""
        if layout == self.layout and dense == self.is_dense:
            return self
        keys = convert_keys(self.layout, self.keys, self.size, layout, dense)
        return StateSet.from_bits(layout, keys) if dense else StateSet(layout, keys, hash_table(keys, self.size))

    def compacted(self) -> "StateSet":
        """Convert the set to the representation that `suits_dense` chooses."""
        return self.converted(self.layout, suits_dense(self.layout, self.size))

    def in_memory(self) -> StateIndex:
        """Return the set as an argument of code that is compiled once for sets in memory and memory-mapped ones."""
        return StateIndex(self.layout, read_only(self.keys), read_only(self.ranks))

    def _packed(self, index: int) -> int:
        high, low = (0, *self.keys[index].tolist())[-2:]
        return int(high << HALF_BITS | low)


def _sorted_rows(keys: I64) -> I64:
    """Return the distinct rows of int64[rows, halves] in ascending order, faster than `np.unique` does."""
    keys = np.sort(keys, axis=0) if keys.shape[1] == 1 else keys[np.lexsort(keys.T[::-1])]
    is_first = np.append(True, (keys[1:] != keys[:-1]).any(axis=1))[: len(keys)]
    return np.asarray(keys[is_first])


def suits_dense(layout: Layout, size: int) -> bool:
    """Return whether a set of `size` states in this layout is better stored as bits."""
    return sum(layout.bits) <= DENSE_BITS or BYTES_PER_BLOCK * layout.key_count <= 64 * MAX_BYTES_PER_MEMBER * size


def empty_bits(layout: Layout) -> U64:
    """Return the bits of the set without members."""
    return np.zeros(max(layout.key_count // 64, 1), np.uint64)


def convert_keys(layout: Layout, keys: NDArray[Any], size: int, other: Layout, dense: bool) -> NDArray[Any]:
    """Convert the keys of a set to another layout and to the dense or sparse representation, in the same order."""
    into = empty_bits(other) if dense else np.empty((size, other.halves), np.int64)
    engine_kernels()[convert_bits if dense and keys.ndim == 1 else convert](layout, keys, other, into)
    return into


def hash_table(keys: I64, capacity: int) -> I32:
    """Create the hash table of packed states; with `capacity` of them, its load factor is a quarter to a half.

    Raises:
        SolveError: if there are more than can be numbered.
    """
    check_indices(capacity, "states")
    table = np.full(1 << max(2 * capacity - 1, 1).bit_length(), -1, np.int32)
    engine_kernels()[_fill_table](keys, table)
    return table


def convert(layout: Layout, keys: NDArray[Any], other: Any, into: Any) -> None:
    """Write the members into the keys of a set in another layout, dense or sparse, into which all of them fit."""
    for index, handle in members(keys):
        high, low = _repacked(keys, handle, layout, other)
        _write(into, index, high, low)


def convert_bits(layout: Layout, bits: Any, other: Any, into: Any) -> None:
    """Write the members of a dense set into the bits of another one: a few times as fast as `convert`."""
    for block in range(len(bits)):
        remaining = bits[block]
        while remaining:
            packed = (block << 6) + trailing_zeros(remaining)
            remaining &= remaining - np.uint64(1)
            new = 0
            for i in range(len(layout.lows)):
                field = ((packed >> layout.shifts[i]) & layout.masks[i]) + layout.lows[i]
                new |= (field - other.lows[i]) << other.shifts[i]
            into[new >> 6] |= np.uint64(1) << np.uint64(new & 63)


def _write(into: Any, index: int, high: int, low: int) -> None:
    if into.ndim == 1:
        into[low >> 6] |= np.uint64(1) << np.uint64(low & 63)
    elif into.shape[1] == 1:
        into[index, 0] = low
    else:
        into[index, 0], into[index, 1] = high, low


def _fill_table(keys: I64, table: I32) -> None:
    for index in range(len(keys)):
        high, low = key_at(keys, index)
        table[probe(keys, table, high, low)] = index


def _pack_all(layout: Layout, fields: I64, keys: I64) -> None:
    """Fill in int64[states, halves], the packed states of int64[states, fields], which fit into the layout."""
    for row in range(len(fields)):
        high, low = pack_row(layout, fields, row)
        _write(keys, row, high, low)


def _unpack(states: StateIndex, first: int, fields: I64) -> None:
    """Fill in int64[rows, fields], the fields of the members with indices from `first` on."""
    for index, handle in members(states.keys):
        if first <= index < first + len(fields):
            high, low = packed_at(states, handle)
            unpack_row(states.layout, high, low, fields[index - first])


def _find_indices(states: StateIndex, others: StateIndex, indices: Any) -> None:
    """Fill in int64[others], the index of each of the others in the set, or -1 if it is not a member."""
    for index, other in members(others.keys):
        high, low = _repacked(others.keys, other, others.layout, states.layout)
        handle = locate_packed(states, high, low)
        indices[index] = index_of(states, handle) if is_member(states, handle) else -1


def _find_rows(states: StateIndex, fields: I64, indices: I64) -> None:
    """Fill in int64[rows], the index of the state in each row of fields, or -1 if it is not a member."""
    for row in range(len(fields)):
        high, low = pack_row(states.layout, fields, row)
        handle = locate_packed(states, high, low) if low >= 0 else -1
        indices[row] = index_of(states, handle) if is_member(states, handle) else -1


def pack_row(layout: Layout, fields: I64, row: int) -> Any:
    """Return the halves of the packed state in a row of int64[states, fields]; -1 and -1 if it does not fit."""
    lows, shifts, masks, steps = layout
    high: Any = np.int64(0)
    low: Any = np.int64(0)
    for i in range(fields.shape[1]):
        field = fields[row, i] // steps[i] - lows[i]
        if fields[row, i] % steps[i] != 0 or field < 0 or field > masks[i]:
            return np.int64(-1), np.int64(-1)
        high, low = insert_field(high, low, field, shifts[i])
    return high, low


def unpack_row(layout: Layout | LayoutArrays, high: int, low: int, fields: I64) -> None:
    """Fill in int64[fields] from the halves of a packed state."""
    lows, shifts, masks, steps = layout
    for i in range(len(fields)):
        fields[i] = (extract_field(high, low, shifts[i], masks[i]) + lows[i]) * steps[i]


def field_at(states: StateIndex, handle: int, number: int) -> Any:
    """Return a field, by its number, of the member with a handle."""
    lows, shifts, masks, steps = states.layout
    high, low = packed_at(states, handle)
    return (extract_field(high, low, shifts[number], masks[number]) + lows[number]) * steps[number]


def _repacked(keys: NDArray[Any], handle: int, layout: Layout, other: Any) -> Any:
    """Convert a member's packed state to another layout; return -1 and -1 if it does not fit."""
    high, low = key_at(keys, handle)
    new_high: Any = np.int64(0)
    new_low: Any = np.int64(0)
    for i in range(len(layout.lows)):
        field = extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i] - other.lows[i]
        if field < 0 or field > other.masks[i]:
            return np.int64(-1), np.int64(-1)
        new_high, new_low = insert_field(new_high, new_low, field, other.shifts[i])
    return new_high, new_low
