"""Two encodings of a table of actions as bytes; cells without a state can hold any value.

`LineEncoding` compresses well (LZMA). A line of cells along one field is made equal to the line before it if possible.
The encoding interleaves the lines: first the first run of every line, then the second run of every line that has one,
and so on; of each round first the actions of all its runs, then their ends.

`RunLengthEncoding` needs no library to decode. It lists the runs of equal actions over all field values, in the axis
order with the fewest runs; cells without a state continue the run before them. A run is its action and its length, in
groups of seven bits from the lowest, of which all but the last have the highest bit set (LEB128).
"""

import lzma
from dataclasses import dataclass
from math import prod

import numpy as np

from komi.arrays import I64, U8
from komi.errors import SolveError
from komi.exporting.dense_table import EMPTY, DenseTable
from komi.jit.kernels import engine_kernels

MAX_LENGTH = 2**16 - 1  # cells of a line


@dataclass(frozen=True, eq=False)
class LineEncoding:
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
    def of(cls, table: DenseTable) -> "LineEncoding":
        """Encode a dense array, in the axis order with the smallest compressed size among those tried.

        Raises:
            SolveError: if every line would be too long.
        """
        orders = [order for order in table.orders() if table.cells.shape[order[-1]] <= MAX_LENGTH]
        if not orders:
            raise SolveError(f"a table needs a field with at most {MAX_LENGTH:,} values: there is none.")
        found = {order: _compress_lines(table, order) for order in orders}
        best = min(found, key=lambda order: len(found[order]))
        for before in best[:-1]:
            order = (*(field for field in best if field not in (before, best[-1])), before, best[-1])
            if order not in found:
                found[order] = _compress_lines(table, order)
        best = min(found, key=lambda order: len(found[order]))
        return cls(
            tuple(table.names[field] for field in table.varying),
            tuple(table.names[field] for field in best),
            tuple(table.lows[field] for field in best),
            tuple(table.cells.shape[field] for field in best),
            found[best],
        )


def _compress_lines(table: DenseTable, order: tuple[int, ...]) -> bytes:
    """Encode and compress the lines in this axis order."""
    cells = table.flattened(order).reshape(-1, table.cells.shape[order[-1]])
    engine_kernels()[_fill_empty_cells](cells)
    encoded = []
    lines, begins = np.arange(len(cells)), np.zeros(len(cells), np.int64)
    while len(lines):
        ends = np.empty(len(lines), np.int64)
        engine_kernels()[_run_ends](cells, lines, begins, ends)
        encoded += [cells[lines, begins], (ends & 255).astype(np.uint8), (ends >> 8).astype(np.uint8)]
        is_unfinished = ends < cells.shape[1]
        lines, begins = lines[is_unfinished], ends[is_unfinished]
    return lzma.compress(b"".join(each.tobytes() for each in encoded), preset=6)


def _fill_empty_cells(cells: U8) -> None:
    """Fill the empty cells of uint8[lines, length] in place, from the line above where the other cells agree with it.

    In other lines, empty cells continue the cell before them; at the beginning they take the first value of the line.
    """
    for line in range(len(cells)):
        is_equal = line > 0
        for cell in range(cells.shape[1]):
            is_equal = is_equal and (cells[line, cell] == EMPTY or cells[line, cell] == cells[line - 1, cell])
        last = 0
        if not is_equal:
            for cell in range(cells.shape[1] - 1, -1, -1):
                if cells[line, cell] != EMPTY:
                    last = cells[line, cell]
        for cell in range(cells.shape[1]):
            if is_equal:
                cells[line, cell] = cells[line - 1, cell]
            elif cells[line, cell] == EMPTY:
                cells[line, cell] = last
            last = cells[line, cell]


def _run_ends(cells: U8, lines: I64, begins: I64, ends: I64) -> None:
    """Fill in int64[lines], the end of the run that begins at `begins` in each line."""
    for i in range(len(lines)):
        end = begins[i] + 1
        while end < cells.shape[1] and cells[lines[i], end] == cells[lines[i], begins[i]]:
            end += 1
        ends[i] = end


@dataclass(frozen=True, eq=False)
class RunLengthEncoding:
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
    def of(cls, table: DenseTable) -> "RunLengthEncoding":
        """Encode a dense array of cells."""
        order = min(table.orders(), key=lambda order: _run_count(_filled_cells(table, order)))
        return cls(
            tuple(table.names[field] for field in table.varying),
            tuple(table.names[field] for field in order),
            tuple(table.lows[field] for field in order),
            tuple(table.cells.shape[field] for field in order),
            _encode_runs(_filled_cells(table, order)),
        )


def _filled_cells(table: DenseTable, order: tuple[int, ...]) -> U8:
    """Return the cells in this axis order, with empty cells filled."""
    cells = table.flattened(order)
    engine_kernels()[_fill_cells](cells)
    return cells


def _run_count(cells: U8) -> int:
    return int(np.count_nonzero(cells[1:] != cells[:-1]))


def _encode_runs(cells: U8) -> bytes:
    begins = np.concatenate(([0], np.flatnonzero(cells[1:] != cells[:-1]) + 1, [len(cells)]))
    code = bytearray()
    for begin, length in zip(begins[:-1].tolist(), np.diff(begins).tolist(), strict=True):
        code.append(int(cells[begin]))
        remaining = length
        while remaining >= 128:
            code.append(remaining & 127 | 128)
            remaining >>= 7
        code.append(remaining)
    return bytes(code)


def _fill_cells(cells: U8) -> None:
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
