"""A policy as runs of equal actions over all values of the fields, in the order that has the fewest runs.

Cells that no state stands in may hold anything: they continue the run before them. A run is written as its action and
its length, in groups of seven bits from the lowest, of which all but the last have the highest bit set (LEB128).
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.exporting.box import EMPTY, Box


@dataclass(frozen=True, eq=False)
class Runs:
    """A table of actions, as runs.

    Attributes:
        parameters: the names of the fields, in the order of the state.
        fields: the same, the one that changes fastest last.
        lows: the least value of each.
        sizes: how many values each has.
        code: the runs.
    """

    parameters: tuple[str, ...]
    fields: tuple[str, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    code: bytes

    @property
    def cells(self) -> int:
        """How many there are."""
        return prod(self.sizes)

    @classmethod
    def of(cls, box: Box) -> "Runs":
        """The runs of a box of cells."""
        order = min(box.orders(), key=lambda order: _count(_filled(box, order)))
        return cls(
            tuple(box.names[place] for place in box.looked_up),
            tuple(box.names[place] for place in order),
            tuple(box.lows[place] for place in order),
            tuple(box.cells.shape[place] for place in order),
            _written(_filled(box, order)),
        )


def _filled(box: Box, order: tuple[int, ...]) -> NDArray[np.uint8]:
    """The cells in this order, empty ones as the one before them, or at the beginning as the first one."""
    lined = box.lined(order)
    engine()[_fill](lined)
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
    """Have empty cells continue the run before them."""
    last = 0
    for cell in range(len(cells)):
        if cells[cell] != EMPTY:
            last = cells[cell]
            break
    for cell in range(len(cells)):
        if cells[cell] == EMPTY:
            cells[cell] = last
        last = cells[cell]
