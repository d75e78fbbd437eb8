"""The hash of a row of numbers: a polynomial, a third as long to work out as mixing in one after the other."""

from typing import Any

import numpy as np

from komi.compile.bits import mixed
from komi.compile.inline import inlined

MULTIPLIER = 1_000_003


@inlined
def hash_of_row(numbers: Any, row: Any, width: int) -> Any:
    """Of the first so many numbers of a row, uint64."""
    polynomial = np.int64(0)
    for i in range(width):
        polynomial = polynomial * MULTIPLIER + numbers[row, i]
    return mixed(np.uint64(0), polynomial)
