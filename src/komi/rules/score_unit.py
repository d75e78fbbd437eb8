"""The unit of scores: the greatest number of which all rewards of a game are multiples, such as 1/4 or 0.1."""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import gcd

MAX_DENOMINATOR = 1_000  # of a reward as a fraction
TOLERANCE = 1e-9  # the greatest difference of a reward from its fraction, and from a multiple of the unit


def find_unit(rewards: Iterable[float]) -> Fraction | None:
    """Return the unit of some rewards: 1 if all are whole numbers; None if there is none of a size to count in."""
    fractions = [Fraction(reward).limit_denominator(MAX_DENOMINATOR) for reward in rewards]
    if any(abs(float(fraction) - reward) > TOLERANCE for fraction, reward in zip(fractions, rewards, strict=True)):
        return None
    if all(fraction.denominator == 1 for fraction in fractions):
        return Fraction(1)
    unit = reduce(_common, fractions)
    return unit if unit.denominator <= MAX_DENOMINATOR else None


def _common(one: Fraction, other: Fraction) -> Fraction:
    """Return the greatest number of which both are multiples."""
    denominator = one.denominator * other.denominator
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), denominator)
