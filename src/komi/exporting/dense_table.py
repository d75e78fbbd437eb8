"""A policy as a dense array with a cell for each combination of field values, from which tables are written."""

from dataclasses import dataclass
from itertools import permutations
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64, U8
from komi.errors import SolveError
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.intrinsics import extract_field
from komi.jit.kernels import engine_kernels

EMPTY = 255  # the largest number of a byte: actions are below it
MAX_CELLS = 1 << 26  # 64 MB while the table is compressed
MAX_TRIED = 1 << 28  # cells visited in the search for the best order


@dataclass(frozen=True, eq=False)
class DenseTable:
    """The action of a policy in each cell.

    Attributes:
        names: the names of all fields.
        lows: the least value of each field.
        cells: uint8[values of the first field, of the second, ...], EMPTY where there is no state or no choice.
    """

    names: tuple[str, ...]
    lows: tuple[int, ...]
    cells: NDArray[np.uint8]

    @classmethod
    def of(
        cls,
        states: StateSet,
        names: tuple[str, ...],
        ranges: tuple[NDArray[np.int64], NDArray[np.int64]],
        actions: NDArray[Any],
    ) -> "DenseTable":
        """Create the dense array from a table of actions.

        Args:
            states: the states.
            names: the names of all their fields.
            ranges: int64[fields] the least and the greatest value of each.
            actions: int16[states], from 0 to 254; negative where no player chooses.

        Raises:
            SolveError: if there are too many cells.
        """
        least, most = ranges
        sizes = [int(high - low) + 1 for low, high in zip(least, most, strict=True)]
        if prod(sizes) > MAX_CELLS:
            raise SolveError(
                f"the fields have {prod(sizes):,} combinations of values: an exported table can have {MAX_CELLS:,}."
            )
        cells = np.full(prod(sizes), EMPTY, np.uint8)
        cell_values = np.where(actions < 0, EMPTY, actions).astype(np.uint8)
        engine_kernels()[_fill_cells](states, least, np.array(sizes, np.int64), cell_values, cells)
        return cls(names, tuple(map(int, least)), cells.reshape(sizes))

    @property
    def varying(self) -> list[int]:
        """The indices of the fields that vary; of the first field if none does."""
        return [field for field, size in enumerate(self.cells.shape) if size > 1] or [0]

    def orders(self) -> list[tuple[int, ...]]:
        """Return orders of the varying fields to try.

        These are all permutations, or one for each choice of the last field where all would take too long.
        """
        varying = self.varying
        if factorial(len(varying)) * self.cells.size <= MAX_TRIED:
            return list(permutations(varying))
        return [(*(other for other in varying if other != last), last) for last in varying]

    def flattened(self, order: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return uint8[cells], a flat copy of all cells in this order of the fields; the last one varies fastest."""
        constant = [field for field in range(self.cells.ndim) if field not in order]
        return self.cells.transpose([*order, *constant]).reshape(-1).copy()


def _fill_cells(states: StateIndex, least: I64, sizes: I64, actions: U8, cells: U8) -> None:
    """Write the action of each state into its cell."""
    for index, handle in members(states.keys):
        high, low = packed_at(states, handle)
        cell = 0
        for i in range(len(sizes)):
            value = extract_field(high, low, states.layout.shifts[i], states.layout.masks[i]) + states.layout.lows[i]
            cell = cell * sizes[i] + value - least[i]
        cells[cell] = actions[index]
