"""A transposition table of fixed size: proved bounds on the scores of positions.

An entry holds the whole packed position, which is compared: no hash stands for equality. So every bound that is found
belongs to the position, whatever was replaced. A position has two slots, by its hash. The first keeps the entry whose
search visited more positions, the second the last one: the scheme TWOBIG1 of D. M. Breuker, *Memory versus Search in
Games* (Maastricht, 1998), chapter 3.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I64
from komi.compiling.packing import Layout
from komi.graph.state_sets import pack_row, unpack_row
from komi.jit.intrinsics import hash_key
from komi.jit.specialization import always_inline

MAX_SCORE = (1 << 15) - 1
"""The greatest score: two bounds, an action and the size of a search fit into one integer."""
SCORE_BITS = 16
MOVE_SHIFT, EFFORT_SHIFT = 2 * SCORE_BITS, 3 * SCORE_BITS
SCORE_MASK = (1 << SCORE_BITS) - 1
EMPTY = -1
NO_MOVE = -1


class TranspositionTable(NamedTuple):
    """A hash table of positions.

    Attributes:
        entries: int64[slots, halves of a position + 1], in each row the packed position, the lower half EMPTY in an
            empty one, and its bounds; the number of slots is a power of two.
        used: int64[1], the number of entries.
    """

    entries: I64
    used: I64

    @classmethod
    def of_slots(cls, slots: int, halves: int) -> "TranspositionTable":
        """Allocate an empty table."""
        return cls(np.full((slots, halves + 1), EMPTY, np.int64), np.zeros(1, np.int64))


@always_inline
def find_entry(table: TranspositionTable, high: int, low: int) -> Any:
    """Return the slot of a position; -1 if the table does not contain it."""
    entries = table.entries
    first = np.int64(hash_key(high, low) & np.uint64(len(entries) - 2))
    if is_at(entries, first, high, low):
        return first
    return first + 1 if is_at(entries, first + 1, high, low) else np.int64(-1)


@always_inline
def is_at(entries: I64, slot: Any, high: int, low: int) -> Any:
    """Return whether a slot holds this position."""
    if entries.shape[1] == 2:
        return entries[slot, 0] == low
    return entries[slot, 1] == low and entries[slot, 0] == high


@always_inline
def bounds_at(table: TranspositionTable, slot: int) -> tuple[Any, Any, Any]:
    """Return the lower and the upper bound on the score of the entry in a slot, and its action, or NO_MOVE."""
    word = table.entries[slot, table.entries.shape[1] - 1]
    lower = (word >> SCORE_BITS & SCORE_MASK) - MAX_SCORE
    return lower, (word & SCORE_MASK) - MAX_SCORE, (word >> MOVE_SHIFT & SCORE_MASK) + NO_MOVE


@always_inline
def store(table: TranspositionTable, high: int, low: int, lower: int, upper: int, move: int, effort: int) -> None:
    """Store proved bounds on the score of a position; of two lower bounds and two upper bounds the tighter ones stay.

    Args:
        table: modified in place.
        high, low: the packed position.
        lower, upper: the bounds.
        move: an action of the position, to be tried first.
        effort: the number of bits of the number of positions visited.
    """
    entries, last = table.entries, table.entries.shape[1] - 1
    slot = find_entry(table, high, low)
    if slot >= 0:
        known_lower, known_upper, _ = bounds_at(table, slot)
        lower, upper = max(lower, known_lower), min(upper, known_upper)
        effort = max(effort, entries[slot, last] >> EFFORT_SHIFT)
    else:
        slot = np.int64(hash_key(high, low) & np.uint64(len(entries) - 2))
        if entries[slot, last - 1] == EMPTY:
            table.used[0] += 1
        else:
            table.used[0] += entries[slot + 1, last - 1] == EMPTY
            if effort >= entries[slot, last] >> EFFORT_SHIFT:
                entries[slot + 1] = entries[slot]
            else:
                slot += 1
    if last == 2:
        entries[slot, 0] = high
    entries[slot, last - 1] = low
    bounds = (lower + MAX_SCORE) << SCORE_BITS | (upper + MAX_SCORE)
    entries[slot, last] = effort << EFFORT_SHIFT | (move - NO_MOVE) << MOVE_SHIFT | bounds


def copy_entries(
    old: TranspositionTable, layout: Layout, new: TranspositionTable, new_layout: Layout, row: I64
) -> None:
    """Copy all entries into another table, with positions packed in another layout.

    Args:
        old, layout: the table and its layout.
        new, new_layout: an empty table, filled in, and its layout, which all positions fit.
        row: int64[1, fields], overwritten.
    """
    entries, last = old.entries, old.entries.shape[1] - 1
    for slot in range(len(entries)):
        if entries[slot, last - 1] == EMPTY:
            continue
        unpack_row(layout, entries[slot, 0] if last == 2 else 0, entries[slot, last - 1], row[0])
        high, low = pack_row(new_layout, row, 0)
        lower, upper, move = bounds_at(old, slot)
        store(new, high, low, lower, upper, move, entries[slot, last] >> EFFORT_SHIFT)


def sample_positions(table: TranspositionTable, halves: I64) -> int:
    """Fill in int64[., 2], the halves of positions of the table, evenly spread over it; return their number."""
    entries, last = table.entries, table.entries.shape[1] - 1
    every = max(table.used[0] // len(halves), 1)
    seen = size = 0
    for slot in range(len(entries)):
        if entries[slot, last - 1] == EMPTY:
            continue
        if seen % every == 0 and size < len(halves):
            halves[size, 0] = entries[slot, 0] if last == 2 else 0
            halves[size, 1] = entries[slot, last - 1]
            size += 1
        seen += 1
    return size
