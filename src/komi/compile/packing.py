"""A state as one word of up to 126 bits: each field gets as many bits as its range needs.

Words order states as their tuples of fields do, so that states with the same leading fields lie close
together in memory. Compiled code has a word of up to 63 bits as one number, a longer one as two: its high half and the
63 bits of its low half.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numba

from komi.compile.bits import HALF, field_in, with_field

MOST_BITS = 2 * HALF
"""Of a word."""


class Layout(NamedTuple):
    """Where each field of a state lies in the word: field = (((word >> shift) & mask) + low) * step."""

    lows: tuple[int, ...]
    shifts: tuple[int, ...]
    masks: tuple[int, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(cls, lows: Sequence[int], bits: Sequence[int], steps: Sequence[int] = ()) -> Self:
        """The layout in which field i takes `bits[i]` bits and starts at `lows[i]`, both in steps (of 1 by default)."""
        shifts = tuple(sum(bits[i + 1 :]) for i in range(len(bits)))
        return cls(tuple(lows), shifts, tuple((1 << b) - 1 for b in bits), tuple(steps) or (1,) * len(bits))

    @property
    def bits(self) -> tuple[int, ...]:
        """How many bits each field takes."""
        return tuple(mask.bit_length() for mask in self.masks)

    @property
    def words(self) -> int:
        """How many words there are: every packed state is below this."""
        return 1 << sum(self.bits)

    @property
    def halves(self) -> int:
        """How many numbers a word takes in compiled code: 1 or 2."""
        return 1 if sum(self.bits) <= HALF else 2

    def fields(self, word: int) -> tuple[int, ...]:
        """The fields of the state that was packed into the word."""
        return tuple((((word >> shift) & mask) + low) * step for low, shift, mask, step in zip(*self, strict=True))

    def word(self, state: Sequence[int]) -> int:
        """The state as a word; -1 if it does not fit."""
        word = 0
        for field, low, shift, mask, step in zip(state, *self, strict=True):
            if field % step or not 0 <= field // step - low <= mask:
                return -1
            word |= (int(field) // step - low) << shift
        return word

    @property
    def highest(self) -> list[int]:
        """The greatest value that each field can have."""
        return [(low + mask) * step for low, mask, step in zip(self.lows, self.masks, self.steps, strict=True)]

    @classmethod
    def spanning(cls, lowest: Sequence[int], highest: Sequence[int], steps: Sequence[int] = ()) -> Self:
        """The layout of fields in these ranges, with a power of two below zero where they begin there."""
        steps = tuple(steps) or (1,) * len(lowest)
        least = [int(low) // step for low, step in zip(lowest, steps, strict=True)]
        lows = [-(1 << (~low).bit_length()) if low < 0 else 0 for low in least]
        bits = [(int(high) // step - low).bit_length() for low, high, step in zip(lows, highest, steps, strict=True)]
        return cls.of(lows, bits, steps)

    def widened(self, state: Sequence[int]) -> Self:
        """A layout into which the state fits too."""
        lowest = [low * step for low, step in zip(self.lows, self.steps, strict=True)]
        return type(self).spanning([*map(min, lowest, state)], [*map(max, self.highest, state)], self.steps)


def packing(state_class: Any, steps: Sequence[int]) -> dict[str, Any]:
    """The compiled functions `pack(layout, state)` and `unpack(layout, word)` for a class of states.

    The steps of layouts are those given here, so that compiled code divides by constants.

    And the same for words of any length, `pack_long(layout, state)` and `unpack_long(layout, high, low)`; and for rows
    of fields `state_from(fields, row)` and `state_inside(state, fields, row, inside)`.
    """
    fields = range(len(state_class._fields))
    placed = [_placed(i, step) for i, step in enumerate(steps)]
    times = [f" * {step}" * (step > 1) for step in steps]
    lines = ["def pack(layout, state):", "    word = 0"]
    for i in fields:
        lines += [*placed[i], "        return -1", f"    word |= field << layout.shifts[{i}]"]
    lines += ["    return word", "", "def unpack(layout, word):", "    return State("]
    lines += [
        f"        (((word >> layout.shifts[{i}]) & layout.masks[{i}]) + layout.lows[{i}]){times[i]}," for i in fields
    ]
    lines += ["    )", "", "def pack_long(layout, state):", "    high = low = 0"]
    for i in fields:
        lines += [*placed[i], "        return -1, -1"]
        lines += [f"    high, low = with_field(high, low, field, layout.shifts[{i}])"]
    lines += ["    return high, low", "", "def unpack_long(layout, high, low):", "    return State("]
    for i in fields:
        unpacked = f"field_in(high, low, layout.shifts[{i}], layout.masks[{i}])"
        lines += [f"        ({unpacked} + layout.lows[{i}]){times[i]},"]
    lines += ["    )", "", "def state_from(fields, row):", "    return State("]
    lines += [f"        fields[row, {i}]," for i in fields]
    lines += ["    )", "", "def state_inside(state, fields, row, inside):", "    return State("]
    lines += [f"        fields[row, {i}] if inside[{i}] else state[{i}]," for i in fields]
    lines += ["    )"]
    namespace: dict[str, Any] = {"State": state_class}
    namespace |= {"field_in": numba.njit(field_in), "with_field": numba.njit(with_field)}
    exec("\n".join(lines), namespace)
    names = ("pack", "unpack", "pack_long", "unpack_long", "state_from", "state_inside")
    return {name: numba.njit(namespace[name]) for name in names}


def _placed(i: int, step: int) -> list[str]:
    """Lines that find where in its range field i is, and end in a condition that holds where it is not in it."""
    if step == 1:
        return [f"    field = state[{i}] - layout.lows[{i}]", f"    if field < 0 or field > layout.masks[{i}]:"]
    return [
        f"    field = state[{i}] // {step} - layout.lows[{i}]",
        f"    if field < 0 or field > layout.masks[{i}] or state[{i}] % {step} != 0:",
    ]
