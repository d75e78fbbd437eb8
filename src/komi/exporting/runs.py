"""A policy as runs of equal actions over all values of the fields, in the order that has the fewest runs.

Cells that no state stands in may hold anything: they continue the run before them. A run is written as its action and
its length, in groups of seven bits from the lowest, of which all but the last have the highest bit set (LEB128).
"""

from dataclasses import dataclass
from itertools import permutations
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import field_in
from komi.compile.kernels import engine
from komi.compile.places import members, word_at
from komi.errors import SolveError
from komi.model.states import StateSet

EMPTY = 255
MOST_CELLS = 1 << 26
MOST_TRIED = 1 << 28  # cells looked at to find the best order


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


def runs_of(
    states: StateSet, names: tuple[str, ...], ranges: tuple[NDArray[np.int64], NDArray[np.int64]], actions: NDArray[Any]
) -> Runs:
    """The runs of a table of actions.

    Args:
        states: the states.
        names: of all their fields.
        ranges: int64[fields] the least and the greatest value of each.
        actions: int16[states], from 0 to 254; negative where nobody chooses.

    Raises:
        SolveError: if there are too many cells.
    """
    least, most = ranges
    sizes = [int(high - low) + 1 for low, high in zip(least, most, strict=True)]
    if prod(sizes) > MOST_CELLS:
        raise SolveError(
            f"the fields have {prod(sizes):,} combinations of values: at most {MOST_CELLS:,} are exported."
        )
    cells = np.full(prod(sizes), EMPTY, np.uint8)
    told = np.where(actions < 0, EMPTY, actions).astype(np.uint8)
    engine()[_spread](states.layout, states.keys, least, np.array(sizes, np.int64), told, cells)
    box = cells.reshape(sizes)
    varying = [place for place, size in enumerate(sizes) if size > 1]
    order = min(_orders(varying, box.size), key=lambda order: _count(_filled(box, order, sizes)))
    lined = _filled(box, order, sizes)
    return Runs(
        tuple(names[place] for place in varying),
        tuple(names[place] for place in order),
        tuple(int(least[place]) for place in order),
        tuple(sizes[place] for place in order),
        _written(lined),
    )


def _orders(places: list[int], cells: int) -> list[tuple[int, ...]]:
    """Orders of the fields to try: all, or each field as the last one where there are many cells."""
    if factorial(len(places)) * cells <= MOST_TRIED:
        return list(permutations(places))
    return [tuple([other for other in places if other != last] + [last]) for last in places]


def _filled(box: NDArray[np.uint8], order: tuple[int, ...], sizes: list[int]) -> NDArray[np.uint8]:
    """The cells in this order, empty ones as the one before them, or at the beginning as the first one."""
    others = [place for place in range(len(sizes)) if place not in order]
    lined = box.transpose([*order, *others]).reshape(-1).copy()
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


def _spread(layout: Any, keys: Any, least: Any, sizes: Any, actions: Any, cells: Any) -> None:
    """Put the action of each state into its cell."""
    for index, place in members(keys):
        high, low = word_at(keys, place)
        cell = 0
        for i in range(len(sizes)):
            value = field_in(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i]
            cell = cell * sizes[i] + value - least[i]
        cells[cell] = actions[index]


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
