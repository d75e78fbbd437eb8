"""A state as one machine word: each field gets as many bits as its range needs.

Words order states as their tuples of fields do, so that states with the same leading fields lie close
together in memory.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numba


class Layout(NamedTuple):
    """Where each field of a state lies in the word: field = ((word >> shift) & mask) + low."""

    lows: tuple[int, ...]
    shifts: tuple[int, ...]
    masks: tuple[int, ...]

    @classmethod
    def of(cls, lows: Sequence[int], bits: Sequence[int]) -> Self:
        """The layout in which field i takes `bits[i]` bits and starts at `lows[i]`."""
        shifts = tuple(sum(bits[i + 1 :]) for i in range(len(bits)))
        return cls(tuple(lows), shifts, tuple((1 << b) - 1 for b in bits))

    @property
    def bits(self) -> tuple[int, ...]:
        """How many bits each field takes."""
        return tuple(mask.bit_length() for mask in self.masks)

    @property
    def words(self) -> int:
        """How many words there are: every packed state is below this."""
        return 1 << sum(self.bits)

    def fields(self, word: int) -> tuple[int, ...]:
        """The fields of the state that was packed into the word."""
        return tuple(
            ((word >> shift) & mask) + low for low, shift, mask in zip(self.lows, self.shifts, self.masks, strict=True)
        )

    def word(self, state: Sequence[int]) -> int:
        """The state as a word; -1 if it does not fit."""
        word = 0
        for field, low, shift, mask in zip(state, *self, strict=True):
            if not 0 <= field - low <= mask:
                return -1
            word |= (int(field) - low) << shift
        return word

    @classmethod
    def spanning(cls, lowest: Sequence[int], highest: Sequence[int]) -> Self:
        """The layout of fields in these ranges, with a power of two below zero where they begin there."""
        lows = [-(1 << (~low).bit_length()) if low < 0 else 0 for low in map(int, lowest)]
        bits = [(int(high) - low).bit_length() for low, high in zip(lows, highest, strict=True)]
        return cls.of(lows, bits)

    def widened(self, state: Sequence[int]) -> Self:
        """A layout into which the state fits too."""
        highs = [low + mask for low, mask in zip(self.lows, self.masks, strict=True)]
        return type(self).spanning([*map(min, self.lows, state)], [*map(max, highs, state)])


def packing(state_class: Any) -> tuple[Any, Any]:
    """The compiled functions `pack(layout, state)` and `unpack(layout, word)` for a class of states."""
    fields = range(len(state_class._fields))
    lines = ["def pack(layout, state):", "    word = 0"]
    for i in fields:
        lines += [
            f"    field = state[{i}] - layout.lows[{i}]",
            f"    if field < 0 or field > layout.masks[{i}]:",
            "        return -1",
            f"    word |= field << layout.shifts[{i}]",
        ]
    lines += ["    return word", "", "def unpack(layout, word):", "    return State("]
    lines += [f"        ((word >> layout.shifts[{i}]) & layout.masks[{i}]) + layout.lows[{i}]," for i in fields]
    lines += ["    )"]
    namespace: dict[str, Any] = {"State": state_class}
    exec("\n".join(lines), namespace)
    return numba.njit(namespace["pack"]), numba.njit(namespace["unpack"])
