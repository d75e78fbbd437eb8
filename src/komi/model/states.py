"""A set of states, each with its index: the order of their words."""

from bisect import bisect_left
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import HALF, field_in, trailing_zeros, with_field
from komi.compile.kernels import engine
from komi.compile.packing import Layout
from komi.compile.places import index_of, is_member, members, put_word, seek, word_at

ALWAYS_DENSE = 24  # bits of a word: such a set takes 3 MB, however few its members are
BYTES_OF_BLOCK = 12  # 64 bits, and how many members come before
MOST_BYTES = 32  # of a dense set for each member: as many as a sparse one takes, or a few more
NOTHING = np.full(1, -1, np.int32)  # in place of a hash table, where there is none


class StateSet(NamedTuple):
    """A set of states, dense or sparse, as `komi.compile.places` reads it.

    Where many words of the layout are members it is dense, a bit for each word; else the words are listed, in order,
    and found by a hash table. A member has the same index in both.
    """

    layout: Layout
    keys: NDArray[Any]  # dense: uint64[words / 64], the bits; sparse: int64[members, halves of a word]
    ranks: NDArray[np.int32]  # dense: how many members come before each block of bits; sparse: the hash table
    size: int

    @classmethod
    def of(cls, layout: Layout, bits: NDArray[np.uint64]) -> Self:
        """The dense set with these bits, counted."""
        ranks = np.zeros(len(bits), np.int32)
        np.cumsum(np.bitwise_count(bits[:-1]), dtype=np.int32, out=ranks[1:])
        return cls(layout, bits, ranks, int(ranks[-1]) + int(bits[-1]).bit_count())

    @classmethod
    def listed(cls, layout: Layout, keys: NDArray[np.int64]) -> Self:
        """The sparse set of these words, no two of which are equal; they are sorted in place."""
        if layout.halves == 1:
            keys.reshape(-1).sort()
        else:  # as texts of 16 letters, the first half first
            keys.byteswap(inplace=True).view("S16").reshape(-1).sort()
            keys.byteswap(inplace=True)
        return cls(layout, keys, hash_table(keys, len(keys)), len(keys))

    @classmethod
    def empty(cls, layout: Layout) -> Self:
        """The dense set without members."""
        return cls.of(layout, no_bits(layout))

    @property
    def is_dense(self) -> bool:
        """Whether the set is stored as bits."""
        return self.keys.ndim == 1

    @property
    def places(self) -> int:
        """All places are below this."""
        return 64 * len(self.keys) if self.is_dense else self.size

    def place(self, state: Any) -> int:
        """The place of a state, as `komi.compile.places` has it; -1 if it has none."""
        return self.layout.word(state) if self.is_dense else self.index_of(state)

    def index_of(self, state: Any) -> int:
        """The index of a member; -1 of any other state."""
        word = self.layout.word(state)
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
        """The index of the member at each place; -1 stays."""
        if not self.is_dense:
            return places
        blocks, offsets = places >> 6, (places & 63).astype(np.uint64)
        below = self.keys[blocks] & ((np.uint64(1) << offsets) - np.uint64(1))
        return np.where(places < 0, -1, self.ranks[blocks] + np.bitwise_count(below))

    def fields(self, index: int) -> tuple[int, ...]:
        """The fields of the member with this index."""
        if not self.is_dense:
            return self.fields_at(index)
        block = int(np.searchsorted(self.ranks, index, side="right")) - 1
        left = int(self.keys[block])
        for _ in range(index - int(self.ranks[block])):
            left &= left - 1
        return self.fields_at((block << 6) + (left & -left).bit_length() - 1)

    def fields_at(self, place: int) -> tuple[int, ...]:
        """The fields of the member at this place."""
        return self.layout.fields(place if self.is_dense else self._word(place))

    def indices_of(self, others: "StateSet") -> NDArray[np.int64]:
        """The indices that the members of another set have in this set; -1 of those that it does not have."""
        indices = np.empty(others.size, np.int64)
        engine()[_indices](self.layout, self.keys, self.ranks, others.layout, others.keys, indices)
        return indices

    def relaid(self, layout: Layout, dense: bool) -> "StateSet":
        """The same states in a layout into which they fit, dense or sparse; their order and indices stay."""
        if layout == self.layout and dense == self.is_dense:
            return self
        keys = relaid_keys(self.layout, self.keys, self.size, layout, dense)
        return StateSet.of(layout, keys) if dense else StateSet(layout, keys, hash_table(keys, self.size), self.size)

    def fitted(self) -> "StateSet":
        """The same states in the form that suits them."""
        return self.relaid(self.layout, suits_dense(self.layout, self.size))

    def _word(self, index: int) -> int:
        high, low = (0, *self.keys[index].tolist())[-2:]
        return int(high << HALF | low)


def suits_dense(layout: Layout, size: int) -> bool:
    """Whether a set of so many states in this layout is better stored as bits."""
    return sum(layout.bits) <= ALWAYS_DENSE or BYTES_OF_BLOCK * layout.words <= 64 * MOST_BYTES * size


def no_bits(layout: Layout) -> NDArray[np.uint64]:
    """The bits of the set without members."""
    return np.zeros(max(layout.words // 64, 1), np.uint64)


def relaid_keys(layout: Layout, keys: NDArray[Any], size: int, other: Layout, dense: bool) -> NDArray[Any]:
    """The keys of the same states, in the same order, in another layout and in the form that is asked for."""
    into = no_bits(other) if dense else np.empty((size, other.halves), np.int64)
    engine()[relay_bits if dense and keys.ndim == 1 else relay](layout, keys, other, into)
    return into


def hash_table(keys: NDArray[np.int64], room: int) -> NDArray[np.int32]:
    """The hash table of these words, with room for so many; a quarter to a half of it will be full then."""
    table = np.full(1 << max(2 * room - 1, 1).bit_length(), -1, np.int32)
    engine()[_hash](keys, table)
    return table


def relay(layout: Any, keys: Any, other: Any, into: Any) -> None:
    """Write the members into the keys of a set in another layout, dense or sparse, where all of them fit."""
    for index, place in members(keys):
        high, low = _relaid(keys, place, layout, other)
        _write(into, index, high, low)


def relay_bits(layout: Any, bits: Any, other: Any, into: Any) -> None:
    """The same from dense to dense: a few times as fast."""
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
    """Fill in int64[others], the index of each of the others in the set, -1 where it is none of it."""
    for index, other in members(others):
        high, low = _relaid(others, other, others_layout, layout)
        place = place_of(keys, ranks, high, low)
        indices[index] = index_of(keys, ranks, place) if is_member(keys, place) else -1


def place_of(keys: Any, ranks: Any, high: int, low: int) -> Any:
    """The place of a word, which may be -1 and -1 for none."""
    if keys.ndim == 1:
        return low
    return np.int64(-1) if low < 0 else np.int64(ranks[seek(keys, ranks, high, low)])


def add_words(words: Any, keys: Any, table: Any, size: Any, places: Any) -> int:
    """Add words to a sparse set with room for them; returns how many are new to it, and lists their places."""
    count = 0
    for row in range(len(words)):
        high, low = word_at(words, row)
        slot = seek(keys, table, high, low)
        if table[slot] < 0:
            places[count] = put_word(keys, table, size, slot, high, low)
            count += 1
    return count


def _relaid(keys: Any, place: int, layout: Any, other: Any) -> Any:
    """The word of a member in another layout; -1 and -1 if it does not fit."""
    high, low = word_at(keys, place)
    new_high: Any = np.int64(0)
    new_low: Any = np.int64(0)
    for i in range(len(layout.lows)):
        field = field_in(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i] - other.lows[i]
        if field < 0 or field > other.masks[i]:
            return np.int64(-1), np.int64(-1)
        new_high, new_low = with_field(new_high, new_low, field, other.shifts[i])
    return new_high, new_low
