"""Packed states: a state as an integer of up to 126 bits, each field with as many bits as its range needs.

These keys are ordered as the tuples of fields are, so that states with the same leading fields are close together in
memory. Compiled code stores a key of up to 63 bits as one integer, a longer one as two: its high half and the 63 bits
of its low half.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numba

from komi.jit.intrinsics import HALF_BITS, extract_field, insert_field

MAX_BITS = 2 * HALF_BITS
"""Maximum number of bits in a packed state."""


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

    def widened_to(self, state: Sequence[int]) -> Self:
        """Return a layout that also fits this state."""
        lowest = [low * step for low, step in zip(self.lows, self.steps, strict=True)]
        return type(self).spanning([*map(min, lowest, state)], [*map(max, self.maxima, state)], self.steps)


def packing(state_class: Any, steps: Sequence[int]) -> dict[str, Any]:
    """Compile the functions that pack states of a class and unpack them.

    The steps of layouts are constants of the generated code, so that compiled code divides by constants.

    Args:
        state_class: the class of states.
        steps: the step of each field.

    Returns:
        By name: `pack(layout, state)` and `unpack(layout, key)`; `pack_long(layout, state)` and
        `unpack_long(layout, high, low)` for keys of up to 126 bits; and for rows of an array of fields
        `state_from(fields, row)` and `state_inside(state, fields, row, inside)`.
    """
    fields = list(enumerate(steps))
    key = "((key >> layout.shifts[{i}]) & layout.masks[{i}])"
    long_key = "extract_field(high, low, layout.shifts[{i}], layout.masks[{i}])"
    inside = [f"fields[row, {i}] if inside[{i}] else state[{i}]" for i, _ in fields]
    lines = [
        *("def pack(layout, state):", "    key = 0"),
        *(line for i, step in fields for line in _offset_lines(i, step, "-1", f"key |= field << layout.shifts[{i}]")),
        "    return key",
        *("def pack_long(layout, state):", "    high = low = 0"),
        *(
            line
            for i, step in fields
            for line in _offset_lines(
                i, step, "-1, -1", f"high, low = insert_field(high, low, field, layout.shifts[{i}])"
            )
        ),
        "    return high, low",
        *_state_function("unpack(layout, key)", [_field(key, i, step) for i, step in fields]),
        *_state_function("unpack_long(layout, high, low)", [_field(long_key, i, step) for i, step in fields]),
        *_state_function("state_from(fields, row)", [f"fields[row, {i}]" for i, _ in fields]),
        *_state_function("state_inside(state, fields, row, inside)", inside),
    ]
    namespace: dict[str, Any] = {"State": state_class}
    namespace |= {"extract_field": numba.njit(extract_field), "insert_field": numba.njit(insert_field)}
    exec("\n".join(lines), namespace)
    names = ("pack", "unpack", "pack_long", "unpack_long", "state_from", "state_inside")
    return {name: numba.njit(namespace[name]) for name in names}


def _offset_lines(i: int, step: int, out_of_range: str, insertion: str) -> list[str]:
    """Generate the lines that compute the offset of field i, return if it is out of range, and insert it."""
    quotient, remainder = ("", "") if step == 1 else (f" // {step}", f" or state[{i}] % {step} != 0")
    return [
        f"    field = state[{i}]{quotient} - layout.lows[{i}]",
        f"    if field < 0 or field > layout.masks[{i}]{remainder}:",
        f"        return {out_of_range}",
        f"    {insertion}",
    ]


def _field(offset: str, i: int, step: int) -> str:
    """Generate the expression of the value of field i."""
    value = f"({offset.format(i=i)} + layout.lows[{i}])"
    return value if step == 1 else f"{value} * {step}"


def _state_function(signature: str, values: Sequence[str]) -> list[str]:
    """Generate a function that returns a state with these values."""
    return [f"def {signature}:", "    return State(", *(f"        {value}," for value in values), "    )"]
