"""A set of states, each with its index: the order of their words."""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import count_ones, members
from komi.compile.kernels import engine
from komi.compile.packing import Layout


class StateSet(NamedTuple):
    """States as bits: state s is a member if bit `pack(layout, s)` is set."""

    layout: Layout
    bits: NDArray[np.uint64]
    ranks: NDArray[np.int32]  # how many members come before each block of 64 words
    size: int

    @classmethod
    def of(cls, layout: Layout, bits: NDArray[np.uint64]) -> Self:
        """The set with these bits, counted."""
        ranks = np.zeros(len(bits), np.int32)
        np.cumsum(np.bitwise_count(bits[:-1]), dtype=np.int32, out=ranks[1:])
        return cls(layout, bits, ranks, int(ranks[-1]) + int(bits[-1]).bit_count())

    @classmethod
    def empty(cls, layout: Layout) -> Self:
        """The set without members."""
        return cls.of(layout, no_bits(layout))

    def word(self, state: Any) -> int:
        """The state as a word of this set's layout; -1 if it does not fit."""
        return self.layout.word(state)

    def index_of(self, state: Any) -> int:
        """The index of a member; -1 of any other state."""
        word = self.word(state)
        if word < 0 or not int(self.bits[word >> 6]) >> (word & 63) & 1:
            return -1
        below = int(self.bits[word >> 6]) & ((1 << (word & 63)) - 1)
        return int(self.ranks[word >> 6]) + below.bit_count()

    def fields(self, index: int) -> tuple[int, ...]:
        """The fields of the member with this index."""
        block = int(np.searchsorted(self.ranks, index, side="right")) - 1
        left = int(self.bits[block])
        for _ in range(index - int(self.ranks[block])):
            left &= left - 1
        return self.layout.fields((block << 6) + (left & -left).bit_length() - 1)

    def relaid(self, layout: Layout) -> Self:
        """The same states in a wider layout; their order and indices stay."""
        return type(self).of(layout, relaid_bits(self.layout, self.bits, layout))

    def indices_of(self, others: "StateSet") -> NDArray[np.int64]:
        """The indices that the members of a subset, of the same layout, have in this set."""
        indices = np.empty(others.size, np.int64)
        engine()[_indices](self.bits, self.ranks, others.bits, indices)
        return indices


def no_bits(layout: Layout) -> NDArray[np.uint64]:
    """The bits of the set without members."""
    return np.zeros(max(layout.words // 64, 1), np.uint64)


def relaid_bits(layout: Layout, bits: NDArray[np.uint64], wider: Layout) -> NDArray[np.uint64]:
    """The bits of the same set in a wider layout."""
    into = no_bits(wider)
    engine()[_relay](bits, layout, wider, into)
    return into


def _relay(bits: Any, layout: Any, wider: Any, into: Any) -> None:
    for _, word in members(bits):
        new = 0
        for i in range(len(layout.lows)):
            field = ((word >> layout.shifts[i]) & layout.masks[i]) + layout.lows[i]
            new |= (field - wider.lows[i]) << wider.shifts[i]
        into[new >> 6] |= np.uint64(1) << np.uint64(new & 63)


def _indices(bits: Any, ranks: Any, subset: Any, indices: Any) -> None:
    count = 0
    for block in range(len(subset)):
        left = subset[block]
        while left:
            below = bits[block] & ((left & (~left + np.uint64(1))) - np.uint64(1))
            indices[count] = ranks[block] + count_ones(below)
            left &= left - np.uint64(1)
            count += 1
