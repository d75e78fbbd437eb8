"""Sets of states, each with an index: its rank in the order of the packed states."""

from bisect import bisect_left
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from komi.graph.lookup import index_of, is_member, members, put_word, seek, word_at
from komi.jit.intrinsics import HALF_BITS, extract_field, insert_field, trailing_zeros
from komi.jit.kernels import engine_kernels
from komi.rules.packing import Layout

ALWAYS_DENSE = 24  # bits of a packed state up to which a set is always dense: it takes 3 MB
BYTES_OF_BLOCK = 12  # 64 bits, and their rank
MAX_BYTES = 32  # of a dense set for each member: about as many as a sparse one takes
NOTHING = np.full(1, -1, np.int32)  # an empty hash table, for sets that have none


class StateSet(NamedTuple):
    """A set of states, dense or sparse, as `komi.graph.lookup` reads it.

    If many packed states of the layout are members, the set is dense, with one bit for each packed state; otherwise it
    holds the sorted packed states and a hash table. A member has the same index in both representations.
    """

    layout: Layout
    keys: NDArray[Any]  # dense: uint64[packed states / 64], the bits; sparse: int64[members, halves of a packed state]
    ranks: NDArray[np.int32]  # dense: the number of members before each block of bits; sparse: the hash table
    size: int

    @classmethod
    def of(cls, layout: Layout, bits: NDArray[np.uint64]) -> Self:
        """Create a dense set from its bits."""
        ranks = np.zeros(len(bits), np.int32)
        np.cumsum(np.bitwise_count(bits[:-1]), dtype=np.int32, out=ranks[1:])
        return cls(layout, bits, ranks, int(ranks[-1]) + int(bits[-1]).bit_count())

    @classmethod
    def listed(cls, layout: Layout, keys: NDArray[np.int64]) -> Self:
        """Create a sparse set from distinct packed states, which are sorted in place."""
        if layout.halves == 1:
            keys.reshape(-1).sort()
        else:  # as strings of 16 bytes, the first half first
            keys.byteswap(inplace=True).view("S16").reshape(-1).sort()
            keys.byteswap(inplace=True)
        return cls(layout, keys, hash_table(keys, len(keys)), len(keys))

    @classmethod
    def empty(cls, layout: Layout) -> Self:
        """Create the dense set without members."""
        return cls.of(layout, no_bits(layout))

    @property
    def is_dense(self) -> bool:
        """True if the set is stored as bits."""
        return self.keys.ndim == 1

    @property
    def places(self) -> int:
        """The upper bound on all places, exclusive."""
        return 64 * len(self.keys) if self.is_dense else self.size

    def place(self, state: Any) -> int:
        """Return the place of a state, as `komi.graph.lookup` defines it; -1 if it has none."""
        return self.layout.pack(state) if self.is_dense else self.index_of(state)

    def index_of(self, state: Any) -> int:
        """Return the index of a member; -1 for any other state."""
        word = self.layout.pack(state)
        if word < 0:
            return -1
        if not self.is_dense:
            index = bisect_left(range(self.size), word, key=self._word)
            return index if index < self.size and self._word(index) == word else -1
        if not int(self.keys[word >> 6]) >> (word & 63) & 1:
            return -1
        below = int(self.keys[word >> 6]) & ((1 << (word & 63)) - 1)
        return int(self.ranks[word >> 6]) + below.bit_count()

    def indices(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of the member at each place; -1 stays -1."""
        if not self.is_dense:
            return places
        blocks, offsets = places >> 6, (places & 63).astype(np.uint64)
        below = self.keys[blocks] & ((np.uint64(1) << offsets) - np.uint64(1))
        return np.where(places < 0, -1, self.ranks[blocks] + np.bitwise_count(below))

    def fields(self, index: int) -> tuple[int, ...]:
        """Return the fields of the member with this index."""
        if not self.is_dense:
            return self.fields_at(index)
        block = int(np.searchsorted(self.ranks, index, side="right")) - 1
        left = int(self.keys[block])
        for _ in range(index - int(self.ranks[block])):
            left &= left - 1
        return self.fields_at((block << 6) + (left & -left).bit_length() - 1)

    def fields_at(self, place: int) -> tuple[int, ...]:
        """Return the fields of the member at this place."""
        return self.layout.unpack(place if self.is_dense else self._word(place))

    def indices_of(self, others: "StateSet") -> NDArray[np.int64]:
        """Return the indices of another set's members in this set; -1 for those that it does not contain."""
        indices = np.empty(others.size, np.int64)
        engine_kernels()[_indices](self.layout, self.keys, self.ranks, others.layout, others.keys, indices)
        return indices

    def relaid(self, layout: Layout, dense: bool) -> "StateSet":
        """Convert the set to a layout into which all members fit, dense or sparse; their order and indices stay."""
        if layout == self.layout and dense == self.is_dense:
            return self
        keys = relaid_keys(self.layout, self.keys, self.size, layout, dense)
        return StateSet.of(layout, keys) if dense else StateSet(layout, keys, hash_table(keys, self.size), self.size)

    def fitted(self) -> "StateSet":
        """Convert the set to the representation that `suits_dense` chooses."""
        return self.relaid(self.layout, suits_dense(self.layout, self.size))

    def _word(self, index: int) -> int:
        high, low = (0, *self.keys[index].tolist())[-2:]
        return int(high << HALF_BITS | low)


def suits_dense(layout: Layout, size: int) -> bool:
    """Return whether a set of `size` states in this layout is better stored as bits."""
    return sum(layout.bits) <= ALWAYS_DENSE or BYTES_OF_BLOCK * layout.key_count <= 64 * MAX_BYTES * size


def no_bits(layout: Layout) -> NDArray[np.uint64]:
    """Return the bits of the set without members."""
    return np.zeros(max(layout.key_count // 64, 1), np.uint64)


def relaid_keys(layout: Layout, keys: NDArray[Any], size: int, other: Layout, dense: bool) -> NDArray[Any]:
    """Convert the keys of a set to another layout and to the dense or sparse representation, in the same order."""
    into = no_bits(other) if dense else np.empty((size, other.halves), np.int64)
    engine_kernels()[relay_bits if dense and keys.ndim == 1 else relay](layout, keys, other, into)
    return into


def hash_table(keys: NDArray[np.int64], room: int) -> NDArray[np.int32]:
    """Create the hash table of packed states, with capacity for `room`; its load factor is then a quarter to a half."""
    table = np.full(1 << max(2 * room - 1, 1).bit_length(), -1, np.int32)
    engine_kernels()[_hash](keys, table)
    return table


def relay(layout: Any, keys: Any, other: Any, into: Any) -> None:
    """Write the members into the keys of a set in another layout, dense or sparse, into which all of them fit."""
    for index, place in members(keys):
        high, low = _relaid(keys, place, layout, other)
        _write(into, index, high, low)


def relay_bits(layout: Any, bits: Any, other: Any, into: Any) -> None:
    """Write the members of a dense set into the bits of another one: a few times as fast as `relay`."""
    for block in range(len(bits)):
        left = bits[block]
        while left:
            word = (block << 6) + trailing_zeros(left)
            left &= left - np.uint64(1)
            new = 0
            for i in range(len(layout.lows)):
                field = ((word >> layout.shifts[i]) & layout.masks[i]) + layout.lows[i]
                new |= (field - other.lows[i]) << other.shifts[i]
            into[new >> 6] |= np.uint64(1) << np.uint64(new & 63)


def _write(into: Any, index: int, high: int, low: int) -> None:
    if into.ndim == 1:
        into[low >> 6] |= np.uint64(1) << np.uint64(low & 63)
    elif into.shape[1] == 1:
        into[index, 0] = low
    else:
        into[index, 0], into[index, 1] = high, low


def _hash(keys: Any, table: Any) -> None:
    for index in range(len(keys)):
        high, low = word_at(keys, index)
        table[seek(keys, table, high, low)] = index


def _indices(layout: Any, keys: Any, ranks: Any, others_layout: Any, others: Any, indices: Any) -> None:
    """Fill in int64[others], the index of each of the others in the set, or -1 if it is not a member."""
    for index, other in members(others):
        high, low = _relaid(others, other, others_layout, layout)
        place = place_of(keys, ranks, high, low)
        indices[index] = index_of(keys, ranks, place) if is_member(keys, place) else -1


def place_of(keys: Any, ranks: Any, high: int, low: int) -> Any:
    """Return the place of a packed state, given in two halves; -1 if both are -1 or it is not in a sparse set."""
    if keys.ndim == 1:
        return low
    return np.int64(-1) if low < 0 else np.int64(ranks[seek(keys, ranks, high, low)])


def add_words(words: Any, keys: Any, table: Any, size: Any, places: Any) -> int:
    """Add packed states to a sparse set with enough capacity; return the number of new ones, and list their places."""
    count = 0
    for row in range(len(words)):
        high, low = word_at(words, row)
        slot = seek(keys, table, high, low)
        if table[slot] < 0:
            places[count] = put_word(keys, table, size, slot, high, low)
            count += 1
    return count


def _relaid(keys: Any, place: int, layout: Any, other: Any) -> Any:
    """Convert a member's packed state to another layout; return -1 and -1 if it does not fit."""
    high, low = word_at(keys, place)
    new_high: Any = np.int64(0)
    new_low: Any = np.int64(0)
    for i in range(len(layout.lows)):
        field = extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i] - other.lows[i]
        if field < 0 or field > other.masks[i]:
            return np.int64(-1), np.int64(-1)
        new_high, new_low = insert_field(new_high, new_low, field, other.shifts[i])
    return new_high, new_low
