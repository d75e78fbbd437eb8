"""Pairs of scores that a surface in space does not show."""

import numpy as np
from numpy.typing import NDArray


def beside_surface(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The cells with a value that are corners of no square of four such: a surface is made of such squares."""
    known = ~np.isnan(values)
    squares = np.pad(known[:-1, :-1] & known[1:, :-1] & known[:-1, 1:] & known[1:, 1:], 1)
    return known & ~(squares[:-1, :-1] | squares[1:, :-1] | squares[:-1, 1:] | squares[1:, 1:])
