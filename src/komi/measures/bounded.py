"""Numbers with a bound on their error."""

import math
from typing import NamedTuple

import numpy as np

from komi.arrays import F64

BLOCK = 1024  # terms that are added before blocks are added without rounding
UNIT = 2.0**-53  # the rounding error of one operation, relative to its result


class Bounded(NamedTuple):
    """A number and a bound on its error."""

    value: float
    error: float

    def over(self, other: "Bounded") -> "Bounded":
        """Divide by a positive number; 0 if that is 0."""
        least = other.value - other.error
        if least <= 0.0:
            return Bounded(0.0, math.inf if self.value else 0.0)
        ratio = self.value / other.value
        return Bounded(ratio, (self.error + abs(ratio) * other.error) / least + 2.0 * UNIT * abs(ratio))

    def times(self, factor: float) -> "Bounded":
        """Multiply by a number."""
        return Bounded(factor * self.value, abs(factor) * self.error + UNIT * abs(factor * self.value))

    def root(self) -> "Bounded":
        """Return the square root of a number that is not negative."""
        value = math.sqrt(max(self.value, 0.0))
        error = math.sqrt(self.value + self.error) - math.sqrt(max(self.value - self.error, 0.0))
        return Bounded(value, error + 2.0 * UNIT * value)

    def complement(self) -> "Bounded":
        """Subtract from 1."""
        return Bounded(1.0 - self.value, self.error + UNIT)


def add_up(terms: F64, error: float = 0.0) -> Bounded:
    """Add terms that are not negative, each a product of two numbers, to a sum whose terms have a total error.

    Blocks are added in any order, with a relative error of at most `BLOCK` units, and their sums without rounding.
    """
    if not len(terms):
        return Bounded(0.0, error)
    total = math.fsum(np.add.reduceat(terms, np.arange(0, len(terms), BLOCK)))
    return Bounded(total, error + (BLOCK + 2) * UNIT * total)
