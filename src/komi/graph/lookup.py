"""Lookup and insertion of states in a state set, for compiled code.

A kernel receives a set as `layout, keys, ranks`, in one of two forms (see `StateSet`). Dense: `keys` is a
bitset over all packed states of the layout, and `ranks` holds the number of members before each block of 64 bits.
Sparse: `keys` holds the packed states of the members, one or two integers in each row, and `ranks` is an
open-addressing hash table of their indices, -1 in an empty slot.

The *position* of a state (`place`) is one integer that identifies it: the packed state in a dense set, the index in a
sparse one. Positions are in the order of indices. Numba eliminates the branches of the other form, because the number
of dimensions of `keys` is part of its type.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from komi.jit.intrinsics import fetch_or, hash_key, leading_zeros, prefetch, rank, trailing_zeros
from komi.rules.interface import pack, pack_long, unpack, unpack_long


def locate(layout: Any, keys: Any, ranks: Any, state: Any) -> Any:
    """Return the position of a state; -1 if it cannot be in the set."""
    if keys.ndim == 1:
        return pack(layout, state)
    high, low = pack_long(layout, state)
    return np.int64(-1) if low < 0 else np.int64(ranks[seek(keys, ranks, high, low)])


def locate_word(keys: Any, ranks: Any, word: int) -> Any:
    """Return the position of a packed state of one integer that fits into the layout; -1 if a sparse set lacks it."""
    return np.int64(word) if keys.ndim == 1 else np.int64(ranks[seek(keys, ranks, 0, word)])


def call_ahead(layout: Any, keys: Any, ranks: Any, state: Any) -> None:
    """Prefetch the memory needed to locate a state soon: with many states, the memory accesses overlap."""
    if keys.ndim == 1:
        word = pack(layout, state)
        if word >= 0:
            prefetch(keys, word >> 6)
            if len(ranks) == len(keys):
                prefetch(ranks, word >> 6)
    else:
        high, low = pack_long(layout, state)
        if low >= 0:
            prefetch(ranks, hash_key(high, low) & np.uint64(len(ranks) - 1))


def is_member(keys: Any, place: int) -> Any:
    """Return whether the set contains the state at this position, which can be -1."""
    if keys.ndim == 1:
        return place >= 0 and (keys[place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != np.uint64(0)
    return place >= 0


def index_of(keys: Any, ranks: Any, place: int) -> Any:
    """Return the index of the member at a position."""
    if keys.ndim == 1:
        return rank(keys, ranks, place)
    return place


def state_at(layout: Any, keys: Any, place: int) -> Any:
    """Return the state at a position."""
    if keys.ndim == 1:
        return unpack(layout, place)
    high, low = word_at(keys, place)
    return unpack_long(layout, high, low)


def word_at(keys: Any, place: int) -> Any:
    """Return the packed state at a position as its high and low half."""
    if keys.ndim == 1:
        return np.int64(0), np.int64(place)
    if keys.shape[1] == 1:
        return np.int64(0), keys[place, 0]
    return keys[place, 0], keys[place, 1]


def members(keys: Any) -> Iterator[tuple[int, int]]:
    """Yield the index and the position of each member, in ascending order."""
    if keys.ndim == 1:
        index = 0
        for block in range(len(keys)):
            left = keys[block]
            while left:
                yield index, (block << 6) + trailing_zeros(left)
                left &= left - np.uint64(1)
                index += 1
    else:
        for index in range(len(keys)):
            yield index, index


def members_down(keys: Any, size: int) -> Iterator[tuple[int, int]]:
    """Yield the index and the position of each of the `size` members, in descending order."""
    index = size
    if keys.ndim == 1:
        for block in range(len(keys) - 1, -1, -1):
            left = keys[block]
            while left:
                index -= 1
                place = (block << 6) + 63 - leading_zeros(left)
                left &= ~(np.uint64(1) << np.uint64(place & 63))
                yield index, place
    else:
        while index > 0:
            index -= 1
            yield index, index


def member_below(keys: Any, place: int, end: int) -> Any:
    """Return the position of the last member before `place`, down to `end`; -1 if there is none.

    In a dense set `end` must be the first position of a block.
    """
    if keys.ndim == 1:
        while place > end:
            left = keys[(place - 1) >> 6] << np.uint64(63 - ((place - 1) & 63))
            if left:
                return place - 1 - leading_zeros(left)
            place = ((place - 1) >> 6) << 6
        return -1
    return place - 1 if place > end else -1


def seek(keys: Any, table: Any, high: int, low: int) -> Any:
    """Find the hash slot of a packed state in a sparse set: the one that holds its index, or the empty one for it."""
    last = np.uint64(len(table) - 1)
    slot = hash_key(high, low) & last
    if keys.shape[1] == 1:
        while table[slot] >= 0 and keys[table[slot], 0] != low:
            slot = (slot + np.uint64(1)) & last
    else:
        while table[slot] >= 0 and (keys[table[slot], 1] != low or keys[table[slot], 0] != high):
            slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


def slot_of(layout: Any, keys: Any, table: Any, state: Any) -> Any:
    """Return the slot of a state in a set under construction, present or not; -1 if it does not fit into the layout."""
    if keys.ndim == 1:
        return pack(layout, state)
    high, low = pack_long(layout, state)
    return np.int64(-1) if low < 0 else seek(keys, table, high, low)


def slot_of_word(keys: Any, table: Any, word: int) -> Any:
    """Return the slot of a packed state of one integer that fits into the layout, present or not."""
    return np.int64(word) if keys.ndim == 1 else seek(keys, table, 0, word)


def is_taken(keys: Any, table: Any, slot: int) -> Any:
    """Return whether the set contains the state of this slot."""
    if keys.ndim == 1:
        return keys[slot >> 6] & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return table[slot] >= 0


def has_room(keys: Any, table: Any, size: Any, more: int) -> Any:
    """Return whether the set has capacity for `more` states; the table of a sparse set is at most half full."""
    if keys.ndim == 1:
        return True
    return size[0] + more <= len(keys) and 2 * (size[0] + more) <= len(table)


def put(layout: Any, keys: Any, table: Any, size: Any, slot: int, state: Any) -> Any:
    """Insert a state that is not in the set, and return its position: in a sparse set the number of states before it.

    Args:
        layout, keys, table: the set, modified in place.
        size: int64[1], the number of states in a sparse set, incremented in place.
        slot: the slot of the state, from `slot_of`.
        state: the state.
    """
    if keys.ndim == 1:
        keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return np.int64(slot)
    high, low = pack_long(layout, state)
    return put_word(keys, table, size, slot, high, low)


def put_at(keys: Any, table: Any, size: Any, slot: int, word: int) -> Any:
    """Insert a packed state of one integer that is not in the set, and return its position; see `put`."""
    if keys.ndim == 1:
        keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return np.int64(slot)
    return put_word(keys, table, size, slot, 0, word)


def put_at_once(layout: Any, keys: Any, table: Any, size: Any, slot: int, state: Any) -> Any:
    """Insert a state as `put` does, atomically in a dense set; return -1 if another thread has inserted it first."""
    if keys.ndim == 1:
        bit = np.uint64(1) << np.uint64(slot & 63)
        return np.int64(-1) if fetch_or(keys, slot >> 6, bit) & bit else np.int64(slot)
    return put(layout, keys, table, size, slot, state)


def put_word(keys: Any, table: Any, size: Any, slot: int, high: int, low: int) -> Any:
    """Insert a packed state that is not in a sparse set at its slot, and return its index."""
    index = size[0]
    if keys.shape[1] == 1:
        keys[index, 0] = low
    else:
        keys[index, 0], keys[index, 1] = high, low
    table[slot] = index
    size[0] = index + 1
    return index
