"""Score pairs that a 3-D surface plot does not show."""

import numpy as np
from numpy.typing import NDArray


def beside_surface(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the cells with a value that are a corner of no 2 x 2 block of values; a surface consists of such blocks."""
    known = ~np.isnan(values)
    squares = np.pad(known[:-1, :-1] & known[1:, :-1] & known[:-1, 1:] & known[1:, 1:], 1)
    return known & ~(squares[:-1, :-1] | squares[1:, :-1] | squares[:-1, 1:] | squares[1:, 1:])
