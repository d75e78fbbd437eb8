"""Lookup and insertion of states in a state set, for compiled code.

A kernel receives a set as one named tuple of arrays, in one of two forms (see `StateSet`). Dense: `keys` is a
bitset over all packed states of the layout, and `ranks` holds the number of members before each block of 64 bits.
Sparse: `keys` holds the packed states of the members, one or two integers in each row, and `ranks` is an
open-addressing hash table of their indices, -1 in an empty slot.

| word | in a dense set | in a sparse set |
|---|---|---|
| key | the packed state, as its high and low half; the high half is 0 | the same, in a row of `keys` |
| handle: identifies a state, in the order of indices | the packed state | the index |
| index: from 0 to the number of members - 1 | the rank of its bit | the row of its key |
| slot: where a state under construction belongs | its bit: the handle | its entry in the hash table |
| rank | the number of members before a block, or before a bit | - |

`locate` leads from a state to its handle, `index_of` from there to its index, `state_at` back to the state.

Functions whose code depends on the form pass `keys` to a helper: numba removes the branches of the other form if the
number of dimensions of an argument decides. Generators take `keys` themselves: numba cannot return one from a function.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I32, I64, read_only
from komi.compiling.packing import Layout
from komi.jit.intrinsics import fetch_or, hash_key, leading_zeros, prefetch, rank, trailing_zeros
from komi.rules.interface import pack, pack_long, unpack, unpack_long
from komi.typing import State


class StateIndex(NamedTuple):
    """The arrays of a complete set of states."""

    layout: Layout
    keys: NDArray[Any]  # dense: uint64[packed states / 64], the bits; sparse: int64[members, halves of a packed state]
    ranks: I32  # dense: the number of members before each block of bits; sparse: the hash table

    @property
    def for_all_games(self) -> "StateIndex":
        """The set as an argument of kernels that are compiled once for all games."""
        return StateIndex(cast(Any, self.layout.for_all_games), read_only(self.keys), read_only(self.ranks))


class GrowingIndex(NamedTuple):
    """The arrays of a set of states under construction."""

    layout: Layout
    keys: NDArray[Any]  # as in a `StateIndex`; in a sparse set with spare capacity
    ranks: I32  # the hash table of a sparse set; unused in a dense one
    size: I64  # int64[1] the number of states in a sparse set

    @property
    def for_all_games(self) -> "GrowingIndex":
        """The set as an argument of kernels that are compiled once for all games."""
        return self._replace(layout=cast(Any, self.layout.for_all_games))


AnyIndex = StateIndex | GrowingIndex


def locate(states: AnyIndex, state: State) -> Any:
    """Return the handle of a state; -1 if it cannot be in the set."""
    return _locate(states, states.keys, state)


def locate_packed(states: AnyIndex, high: int, low: int) -> Any:
    """Return the handle of a packed state, given in two halves; -1 if both are -1 or it is not in a sparse set."""
    return _locate_packed(states, states.keys, high, low)


def prefetch_state(states: AnyIndex, state: State) -> None:
    """Prefetch the memory needed to locate a state soon: with many states, the memory accesses overlap."""
    _prefetch_state(states, states.keys, state)


def is_member(states: AnyIndex, handle: int) -> Any:
    """Return whether the set contains the state with this handle, which can be -1."""
    return _is_member(states.keys, handle)


def index_of(states: AnyIndex, handle: int) -> Any:
    """Return the index of the member with a handle."""
    return _index_of(states.keys, states.ranks, handle)


def state_at(states: AnyIndex, handle: int) -> Any:
    """Return the state with a handle."""
    return _state_at(states.layout, states.keys, handle)


def packed_at(states: AnyIndex, handle: int) -> Any:
    """Return the packed state with a handle as its high and low half."""
    return key_at(states.keys, handle)


def key_at(keys: NDArray[Any], handle: int) -> Any:
    """Return the packed state with a handle as its high and low half, given the keys of its set."""
    if keys.ndim == 1:
        return np.int64(0), np.int64(handle)
    if keys.shape[1] == 1:
        return np.int64(0), keys[handle, 0]
    return keys[handle, 0], keys[handle, 1]


def members(keys: NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Yield the index and the handle of each member, given the keys of a set, in ascending order."""
    if keys.ndim == 1:
        index = 0
        for block in range(len(keys)):
            remaining = keys[block]
            while remaining:
                yield index, (block << 6) + trailing_zeros(remaining)
                remaining &= remaining - np.uint64(1)
                index += 1
    else:
        for index in range(len(keys)):
            yield index, index


def members_at(keys: NDArray[Any], indices: I64) -> Iterator[tuple[int, int]]:
    """Yield the position in `indices` and the handle of each member with one of these indices, which are ascending."""
    position = 0
    for index, handle in members(keys):
        if position == len(indices):
            break
        if index == indices[position]:
            yield position, handle
            position += 1


def members_down(keys: NDArray[Any], size: int) -> Iterator[tuple[int, int]]:
    """Yield the index and the handle of each of the `size` members, given the keys of a set, in descending order."""
    index = size
    if keys.ndim == 1:
        for block in range(len(keys) - 1, -1, -1):
            remaining = keys[block]
            while remaining:
                index -= 1
                handle = (block << 6) + 63 - leading_zeros(remaining)
                remaining &= ~(np.uint64(1) << np.uint64(handle & 63))
                yield index, handle
    else:
        while index > 0:
            index -= 1
            yield index, index


def member_below(states: AnyIndex, handle: int, end: int) -> Any:
    """Return the handle of the last member before `handle`, down to `end`, or -1.

    In a dense set `end` must be the first handle of a block.
    """
    return _member_below(states.keys, handle, end)


def find_slot(states: AnyIndex, state: State) -> Any:
    """Return the slot of a state in a set under construction, present or not; -1 if it does not fit into the layout."""
    return _find_slot(states, states.keys, state)


def find_packed_slot(states: AnyIndex, high: int, low: int) -> Any:
    """Return the slot of a packed state that fits into the layout, given in two halves, present or not."""
    return _find_packed_slot(states.keys, states.ranks, high, low)


def probe(keys: NDArray[Any], table: Any, high: int, low: int) -> Any:
    """Find the slot of a packed state by linear probing: the one that holds its index, or the empty one for it."""
    last = np.uint64(len(table) - 1)
    slot = hash_key(high, low) & last
    if keys.shape[1] == 1:
        while table[slot] >= 0 and keys[table[slot], 0] != low:
            slot = (slot + np.uint64(1)) & last
    else:
        while table[slot] >= 0 and (keys[table[slot], 1] != low or keys[table[slot], 0] != high):
            slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


def is_occupied(states: AnyIndex, slot: int) -> Any:
    """Return whether the set contains the state of this slot."""
    return _is_occupied(states.keys, states.ranks, slot)


def has_capacity(states: GrowingIndex, more: int) -> Any:
    """Return whether the set has capacity for `more` states; the table of a sparse set is at most half full."""
    return _has_capacity(states.keys, states.ranks, states.size, more)


def insert_packed(states: GrowingIndex, slot: int, high: int, low: int) -> Any:
    """Insert a packed state that is not in the set, and return its handle.

    Args:
        states: the set, modified in place.
        slot: the slot of the state, from `find_packed_slot`.
        high, low: its halves.

    Returns:
        the handle: in a sparse set the number of states before it
    """
    return _insert_packed(states, states.keys, slot, high, low)


def insert_atomically(states: GrowingIndex, slot: int, state: State) -> Any:
    """Insert a state as `insert_packed_atomically` does."""
    high, low = pack_long(states.layout, state)
    return insert_packed_atomically(states, slot, high, low)


def insert_packed_atomically(states: GrowingIndex, slot: int, high: int, low: int) -> Any:
    """Insert a packed state, atomically in a dense set; return -1 if another thread has inserted it first."""
    return _insert_packed_atomically(states, states.keys, slot, high, low)


def append(states: GrowingIndex, slot: int, high: int, low: int) -> Any:
    """Insert a packed state that is not in a sparse set at its slot, and return its index."""
    keys, size = states.keys, states.size
    index = size[0]
    if keys.shape[1] == 1:
        keys[index, 0] = low
    else:
        keys[index, 0], keys[index, 1] = high, low
    states.ranks[slot] = index
    size[0] = index + 1
    return index


def _locate(states: AnyIndex, keys: NDArray[Any], state: State) -> Any:
    if keys.ndim == 1:
        return pack(states.layout, state)
    high, low = pack_long(states.layout, state)
    return np.int64(-1) if low < 0 else np.int64(states.ranks[probe(keys, states.ranks, high, low)])


def _locate_packed(states: AnyIndex, keys: NDArray[Any], high: int, low: int) -> Any:
    if keys.ndim == 1:
        return np.int64(low)
    return np.int64(-1) if low < 0 else np.int64(states.ranks[probe(keys, states.ranks, high, low)])


def _prefetch_state(states: AnyIndex, keys: NDArray[Any], state: State) -> None:
    ranks = states.ranks
    if keys.ndim == 1:
        packed = pack(states.layout, state)
        if packed >= 0:
            prefetch(keys, packed >> 6)
            if len(ranks) == len(keys):
                prefetch(ranks, packed >> 6)
    else:
        high, low = pack_long(states.layout, state)
        if low >= 0:
            prefetch(ranks, hash_key(high, low) & np.uint64(len(ranks) - 1))


def _is_member(keys: NDArray[Any], handle: int) -> Any:
    if keys.ndim == 1:
        return handle >= 0 and (keys[handle >> 6] >> np.uint64(handle & 63)) & np.uint64(1) != np.uint64(0)
    return handle >= 0


def _index_of(keys: NDArray[Any], ranks: Any, handle: int) -> Any:
    if keys.ndim == 1:
        return rank(keys, ranks, handle)
    return handle


def _state_at(layout: Layout, keys: NDArray[Any], handle: int) -> Any:
    if keys.ndim == 1:
        return unpack(layout, handle)
    high, low = key_at(keys, handle)
    return unpack_long(layout, high, low)


def _member_below(keys: NDArray[Any], handle: int, end: int) -> Any:
    if keys.ndim == 1:
        while handle > end:
            remaining = keys[(handle - 1) >> 6] << np.uint64(63 - ((handle - 1) & 63))
            if remaining:
                return handle - 1 - leading_zeros(remaining)
            handle = ((handle - 1) >> 6) << 6
        return -1
    return handle - 1 if handle > end else -1


def _find_slot(states: AnyIndex, keys: NDArray[Any], state: State) -> Any:
    if keys.ndim == 1:
        return pack(states.layout, state)
    high, low = pack_long(states.layout, state)
    return np.int64(-1) if low < 0 else probe(keys, states.ranks, high, low)


def _find_packed_slot(keys: NDArray[Any], table: Any, high: int, low: int) -> Any:
    return np.int64(low) if keys.ndim == 1 else probe(keys, table, high, low)


def _is_occupied(keys: NDArray[Any], table: Any, slot: int) -> Any:
    if keys.ndim == 1:
        return keys[slot >> 6] & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return table[slot] >= 0


def _has_capacity(keys: NDArray[Any], table: Any, size: Any, more: int) -> Any:
    if keys.ndim == 1:
        return True
    return size[0] + more <= len(keys) and 2 * (size[0] + more) <= len(table)


def _insert_packed(states: GrowingIndex, keys: NDArray[Any], slot: int, high: int, low: int) -> Any:
    if keys.ndim == 1:
        keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return np.int64(slot)
    return append(states, slot, high, low)


def _insert_packed_atomically(states: GrowingIndex, keys: NDArray[Any], slot: int, high: int, low: int) -> Any:
    if keys.ndim == 1:
        bit = np.uint64(1) << np.uint64(slot & 63)
        return np.int64(-1) if fetch_or(keys, slot >> 6, bit) & bit else np.int64(slot)
    return append(states, slot, high, low)
