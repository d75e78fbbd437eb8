"""A policy as lines of cells along one field, encoded to compress well (LZMA).

A line is made equal to the one before it where possible: cells without a state can hold any value. The encoding
interleaves the lines: first the first run of every line, then the second run of every line that has one, and so on;
of each round first the actions of all its runs, then their ends.
"""

import lzma
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.exporting.box import EMPTY, Box
from komi.jit.kernels import engine_kernels

LONGEST = 2**16 - 1  # cells of a line


@dataclass(frozen=True, eq=False)
class Lines:
    """A table of actions, encoded as lines.

    Attributes:
        parameters: the names of the fields, in the order of the state.
        fields: the same names in the order of the axes; lines run along the last one.
        lows: the least value of each.
        sizes: the number of values of each.
        code: the lines, compressed. For the n-th run of equal actions in each line, and all lines that have n or more
            runs: the actions, a byte each, then the low bytes of the ends of the runs, then the high bytes.
    """

    parameters: tuple[str, ...]
    fields: tuple[str, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    code: bytes

    @classmethod
    def of(cls, box: Box) -> "Lines":
        """Encode a dense array, in the axis order with the smallest compressed size among those tried.

        Raises:
            SolveError: if every line would be too long.
        """
        orders = [order for order in box.orders() if box.cells.shape[order[-1]] <= LONGEST]
        if not orders:
            raise SolveError(f"no field has {LONGEST:,} values or fewer: a table is not written along longer ones.")
        found = {order: _compressed(box, order) for order in orders}
        best = min(found, key=lambda order: len(found[order]))
        for before in best[:-1]:
            order = (*(place for place in best if place not in (before, best[-1])), before, best[-1])
            if order not in found:
                found[order] = _compressed(box, order)
        best = min(found, key=lambda order: len(found[order]))
        return cls(
            tuple(box.names[place] for place in box.looked_up),
            tuple(box.names[place] for place in best),
            tuple(box.lows[place] for place in best),
            tuple(box.cells.shape[place] for place in best),
            found[best],
        )


def _compressed(box: Box, order: tuple[int, ...]) -> bytes:
    """Encode and compress the lines in this axis order."""
    cells = box.lined(order).reshape(-1, box.cells.shape[order[-1]])
    engine_kernels()[_settle](cells)
    written = []
    lines, begins = np.arange(len(cells)), np.zeros(len(cells), np.int64)
    while len(lines):
        ends = np.empty(len(lines), np.int64)
        engine_kernels()[_follow](cells, lines, begins, ends)
        written += [cells[lines, begins], (ends & 255).astype(np.uint8), (ends >> 8).astype(np.uint8)]
        going_on = ends < cells.shape[1]
        lines, begins = lines[going_on], ends[going_on]
    return lzma.compress(b"".join(each.tobytes() for each in written), preset=6)


def _settle(cells: NDArray[Any]) -> None:
    """Fill the empty cells of uint8[lines, length] in place, from the line above where the other cells agree with it.

    In other lines, empty cells continue the cell before them; at the beginning they take the first value of the line.
    """
    for line in range(len(cells)):
        alike = line > 0
        for cell in range(cells.shape[1]):
            alike = alike and (cells[line, cell] == EMPTY or cells[line, cell] == cells[line - 1, cell])
        last = 0
        if not alike:
            for cell in range(cells.shape[1] - 1, -1, -1):
                if cells[line, cell] != EMPTY:
                    last = cells[line, cell]
        for cell in range(cells.shape[1]):
            if alike:
                cells[line, cell] = cells[line - 1, cell]
            elif cells[line, cell] == EMPTY:
                cells[line, cell] = last
            last = cells[line, cell]


def _follow(cells: Any, lines: Any, begins: Any, ends: Any) -> None:
    """Fill in int64[lines], the end of the run that begins at `begins` in each line."""
    for i in range(len(lines)):
        end = begins[i] + 1
        while end < cells.shape[1] and cells[lines[i], end] == cells[lines[i], begins[i]]:
            end += 1
        ends[i] = end
