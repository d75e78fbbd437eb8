"""A policy as runs of equal actions over all field values (run-length encoding), in the order with the fewest runs.

Cells without a state can hold any value: they continue the run before them. A run is encoded as its action and its
length, in groups of seven bits from the lowest, of which all but the last have the highest bit set (LEB128).
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.exporting.box import EMPTY, Box
from komi.jit.kernels import engine_kernels


@dataclass(frozen=True, eq=False)
class Runs:
    """A table of actions, encoded as runs.

    Attributes:
        parameters: the names of the fields, in the order of the state.
        fields: the same names in the order of the axes; the last one varies fastest.
        lows: the least value of each.
        sizes: the number of values of each.
        code: the encoded runs.
    """

    parameters: tuple[str, ...]
    fields: tuple[str, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    code: bytes

    @property
    def cells(self) -> int:
        """The number of cells."""
        return prod(self.sizes)

    @classmethod
    def of(cls, box: Box) -> "Runs":
        """Encode a dense array of cells."""
        order = min(box.orders(), key=lambda order: _count(_filled(box, order)))
        return cls(
            tuple(box.names[place] for place in box.looked_up),
            tuple(box.names[place] for place in order),
            tuple(box.lows[place] for place in order),
            tuple(box.cells.shape[place] for place in order),
            _written(_filled(box, order)),
        )


def _filled(box: Box, order: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the cells in this axis order, with empty cells filled."""
    lined = box.lined(order)
    engine_kernels()[_fill](lined)
    return lined


def _count(lined: NDArray[np.uint8]) -> int:
    return int(np.count_nonzero(lined[1:] != lined[:-1]))


def _written(lined: NDArray[np.uint8]) -> bytes:
    begins = np.concatenate(([0], np.flatnonzero(lined[1:] != lined[:-1]) + 1, [len(lined)]))
    code = bytearray()
    for begin, length in zip(begins[:-1].tolist(), np.diff(begins).tolist(), strict=True):
        code.append(int(lined[begin]))
        left = length
        while left >= 128:
            code.append(left & 127 | 128)
            left >>= 7
        code.append(left)
    return bytes(code)


def _fill(cells: Any) -> None:
    """Fill empty cells in place with the value before them; at the beginning with the first value that is not empty."""
    last = 0
    for cell in range(len(cells)):
        if cells[cell] != EMPTY:
            last = cells[cell]
            break
    for cell in range(len(cells)):
        if cells[cell] == EMPTY:
            cells[cell] = last
        last = cells[cell]
