"""Exact numbers for other tools: the fractions that the floats of a rule file are meant to be.

A probability such as 1/6 reaches komi as a float. It becomes the fraction with a denominator of at most a million that
agrees with the float to a few units in the last place: two such fractions differ by at least 1e-12, so there is at most
one. If the fractions of an action do not sum to 1, each probability becomes the exact value of its float, divided by
the sum, as in `komi.bellman.rational`. Either way it is accurate to the relative error that komi's bounds allow for.
"""

from collections.abc import Sequence
from fractions import Fraction

from komi.bellman.rational_graph import UNITS

MAX_DENOMINATOR = 1_000_000
RELATIVE_ERROR = UNITS * 2.0**-53


def exact_number(number: float) -> Fraction:
    """Return the simple fraction that a float approximates, or its exact value if there is none."""
    simple, value = Fraction(number).limit_denominator(MAX_DENOMINATOR), Fraction(number)
    return simple if abs(simple - value) <= RELATIVE_ERROR * abs(value) else value


def exact_distribution(probabilities: Sequence[float]) -> list[Fraction]:
    """Return fractions that sum to 1.

    Examples:
        >>> exact_distribution([1 / 6, 5 / 6])
        [Fraction(1, 6), Fraction(5, 6)]
    """
    simple = [exact_number(probability) for probability in probabilities]
    if sum(simple) == 1:
        return simple
    values = [Fraction(probability) for probability in probabilities]
    total = sum(values)
    return [value / total for value in values]
