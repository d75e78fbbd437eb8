"""Packed states: a state as an integer of up to 126 bits, each field with as many bits as its range needs.

These keys are ordered as the tuples of fields are, so that states with the same leading fields are close together in
memory. Compiled code stores a key of up to 63 bits as one integer, a longer one as two: its high half and the 63 bits
of its low half.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from komi.arrays import I64
from komi.jit.intrinsics import HALF_BITS

MAX_BITS = 2 * HALF_BITS
"""Maximum number of bits in a packed state."""


class LayoutArrays(NamedTuple):
    """A layout as arrays, of which compiled code knows the type before it knows how many fields there are."""

    lows: I64
    shifts: I64
    masks: I64
    steps: I64


class Layout(NamedTuple):
    """The bit layout of packed states: field = (((key >> shift) & mask) + low) * step."""

    lows: tuple[int, ...]
    shifts: tuple[int, ...]
    masks: tuple[int, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(cls, lows: Sequence[int], bits: Sequence[int], steps: Sequence[int] = ()) -> Self:
        """Create the layout in which field i has `bits[i]` bits and starts at `lows[i]`, both in steps (default 1)."""
        shifts = tuple(sum(bits[i + 1 :]) for i in range(len(bits)))
        return cls(tuple(lows), shifts, tuple((1 << b) - 1 for b in bits), tuple(steps) or (1,) * len(bits))

    @property
    def for_all_games(self) -> LayoutArrays:
        """The layout as arrays, for kernels that are compiled once for all games."""
        return _as_arrays(self)

    @property
    def bits(self) -> tuple[int, ...]:
        """The number of bits of each field."""
        return tuple(mask.bit_length() for mask in self.masks)

    @property
    def key_count(self) -> int:
        """The number of possible keys: all keys are below it."""
        return 1 << sum(self.bits)

    @property
    def halves(self) -> int:
        """The number of integers that store a key in compiled code: 1 or 2."""
        return 1 if sum(self.bits) <= HALF_BITS else 2

    def unpack(self, key: int) -> tuple[int, ...]:
        """Unpack the fields of a state."""
        return tuple((((key >> shift) & mask) + low) * step for low, shift, mask, step in zip(*self, strict=True))

    def pack(self, state: Sequence[int]) -> int:
        """Pack a state; return -1 if it does not fit."""
        key = 0
        for field, low, shift, mask, step in zip(state, *self, strict=True):
            if field % step or not 0 <= field // step - low <= mask:
                return -1
            key |= (int(field) // step - low) << shift
        return key

    @property
    def maxima(self) -> list[int]:
        """The greatest value that each field can have."""
        return [(low + mask) * step for low, mask, step in zip(self.lows, self.masks, self.steps, strict=True)]

    @classmethod
    def spanning(cls, lowest: Sequence[int], highest: Sequence[int], steps: Sequence[int] = ()) -> Self:
        """Create the layout of fields with these ranges; one with negative values starts at minus a power of two."""
        steps = tuple(steps) or (1,) * len(lowest)
        least = [int(low) // step for low, step in zip(lowest, steps, strict=True)]
        lows = [-(1 << (~low).bit_length()) if low < 0 else 0 for low in least]
        bits = [(int(high) // step - low).bit_length() for low, high, step in zip(lows, highest, steps, strict=True)]
        return cls.of(lows, bits, steps)

    @classmethod
    def around(cls, fields: I64, steps: Sequence[int]) -> Self:
        """Create the layout of the states in int64[states, fields]."""
        return cls.spanning(fields.min(axis=0).tolist(), fields.max(axis=0).tolist(), steps)

    def widened_to(self, state: Sequence[int]) -> Self:
        """Return a layout that also fits this state."""
        lowest = [low * step for low, step in zip(self.lows, self.steps, strict=True)]
        return type(self).spanning([*map(min, lowest, state)], [*map(max, self.maxima, state)], self.steps)


@lru_cache(256)
def _as_arrays(layout: Layout) -> LayoutArrays:
    return LayoutArrays(*(np.array(column, np.int64) for column in layout))
