"""Where a state lies in a set of states, for compiled code.

A kernel is given a set as `layout, keys, ranks`, in one of two forms (`komi.model.states.StateSet`). Dense: `keys` are
bits, one for each word of the layout, and `ranks` count the members before each block of them. Sparse: `keys` are the
words of the members, one or two numbers a row, and `ranks` is a hash table of their indices, -1 where it is empty.

A state's *place* stands for it, and takes one number in both forms: its word in a dense set, its index in a sparse one.
Places order the members as their indices do. Numba leaves out what is of the other form, for it knows how many
dimensions `keys` has.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from komi.compile.bits import fetch_or, leading_zeros, mixed, prefetch, rank, trailing_zeros
from komi.compile.rulebook import pack, pack_long, unpack, unpack_long


def locate(layout: Any, keys: Any, ranks: Any, state: Any) -> Any:
    """The place of a state; -1 of one that cannot be in the set."""
    if keys.ndim == 1:
        return pack(layout, state)
    high, low = pack_long(layout, state)
    return np.int64(-1) if low < 0 else np.int64(ranks[seek(keys, ranks, high, low)])


def locate_word(keys: Any, ranks: Any, word: int) -> Any:
    """The place of a state whose word fits into the layout, and takes one number; -1 of one that is not in the set."""
    return np.int64(word) if keys.ndim == 1 else np.int64(ranks[seek(keys, ranks, 0, word)])


def call_ahead(layout: Any, keys: Any, ranks: Any, state: Any) -> None:
    """Call for the memory in which a state is looked for soon: of many, waiting for all at once is faster."""
    if keys.ndim == 1:
        word = pack(layout, state)
        if word >= 0:
            prefetch(keys, word >> 6)
            if len(ranks) == len(keys):
                prefetch(ranks, word >> 6)
    else:
        high, low = pack_long(layout, state)
        if low >= 0:
            prefetch(ranks, mixed(high, low) & np.uint64(len(ranks) - 1))


def is_member(keys: Any, place: int) -> Any:
    """Whether the set has the state of this place, which may be -1."""
    if keys.ndim == 1:
        return place >= 0 and (keys[place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != np.uint64(0)
    return place >= 0


def index_of(keys: Any, ranks: Any, place: int) -> Any:
    """The index of the member at a place."""
    if keys.ndim == 1:
        return rank(keys, ranks, place)
    return place


def state_at(layout: Any, keys: Any, place: int) -> Any:
    """The state of a place."""
    if keys.ndim == 1:
        return unpack(layout, place)
    high, low = word_at(keys, place)
    return unpack_long(layout, high, low)


def word_at(keys: Any, place: int) -> Any:
    """The word of a place, as its high and low half."""
    if keys.ndim == 1:
        return np.int64(0), np.int64(place)
    if keys.shape[1] == 1:
        return np.int64(0), keys[place, 0]
    return keys[place, 0], keys[place, 1]


def members(keys: Any) -> Iterator[tuple[int, int]]:
    """The index and the place of each member, in their order."""
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
    """The index and the place of each of so many members, from the last to the first."""
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
    """The last member before a place; -1 if there is none from `end` on, in a dense set the first place of a block."""
    if keys.ndim == 1:
        while place > end:
            left = keys[(place - 1) >> 6] << np.uint64(63 - ((place - 1) & 63))
            if left:
                return place - 1 - leading_zeros(left)
            place = ((place - 1) >> 6) << 6
        return -1
    return place - 1 if place > end else -1


def seek(keys: Any, table: Any, high: int, low: int) -> Any:
    """Where the index of a word is in the hash table of a sparse set; if it has none, where it is to be put."""
    last = np.uint64(len(table) - 1)
    slot = mixed(high, low) & last
    if keys.shape[1] == 1:
        while table[slot] >= 0 and keys[table[slot], 0] != low:
            slot = (slot + np.uint64(1)) & last
    else:
        while table[slot] >= 0 and (keys[table[slot], 1] != low or keys[table[slot], 0] != high):
            slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


def slot_of(layout: Any, keys: Any, table: Any, state: Any) -> Any:
    """Where a set that is being made has the state, or is to be given it; -1 if it does not fit into the layout."""
    if keys.ndim == 1:
        return pack(layout, state)
    high, low = pack_long(layout, state)
    return np.int64(-1) if low < 0 else seek(keys, table, high, low)


def slot_of_word(keys: Any, table: Any, word: int) -> Any:
    """The same of a state whose word fits into the layout, and takes one number."""
    return np.int64(word) if keys.ndim == 1 else seek(keys, table, 0, word)


def is_taken(keys: Any, table: Any, slot: int) -> Any:
    """Whether the set has the state of this slot."""
    if keys.ndim == 1:
        return keys[slot >> 6] & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return table[slot] >= 0


def has_room(keys: Any, table: Any, size: Any, more: int) -> Any:
    """Whether so many more states can be put into the set; a sparse one's table is never more than half full."""
    if keys.ndim == 1:
        return True
    return size[0] + more <= len(keys) and 2 * (size[0] + more) <= len(table)


def put(layout: Any, keys: Any, table: Any, size: Any, slot: int, state: Any) -> Any:
    """Put a state that the set does not have into it; its place, which in a sparse set is how many came before it.

    Args:
        layout, keys, table: the set; `size`, int64[1], is how many states a sparse one has.
        slot: where it is to be put, as `slot_of` says.
        state: the state.
    """
    if keys.ndim == 1:
        keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return np.int64(slot)
    high, low = pack_long(layout, state)
    return put_word(keys, table, size, slot, high, low)


def put_at(keys: Any, table: Any, size: Any, slot: int, word: int) -> Any:
    """The same with a state whose word takes one number."""
    if keys.ndim == 1:
        keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return np.int64(slot)
    return put_word(keys, table, size, slot, 0, word)


def put_at_once(layout: Any, keys: Any, table: Any, size: Any, slot: int, state: Any) -> Any:
    """The same where other threads add to a dense set too; -1 if one of them has just put the state there."""
    if keys.ndim == 1:
        bit = np.uint64(1) << np.uint64(slot & 63)
        return np.int64(-1) if fetch_or(keys, slot >> 6, bit) & bit else np.int64(slot)
    return put(layout, keys, table, size, slot, state)


def put_word(keys: Any, table: Any, size: Any, slot: int, high: int, low: int) -> Any:
    """Put a word that a sparse set does not have into it, at its slot; its index."""
    index = size[0]
    if keys.shape[1] == 1:
        keys[index, 0] = low
    else:
        keys[index, 0], keys[index, 1] = high, low
    table[slot] = index
    size[0] = index + 1
    return index
