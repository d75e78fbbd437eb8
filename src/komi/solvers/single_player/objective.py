"""The objective of a single-player game: the maximal probability, or the maximal or minimal expected total reward."""

import math

from komi.rules.kind import Kind
from komi.solvers.values import Wanted
from komi.text import percent


def is_chance(kind: Kind) -> bool:
    """Return whether values are probabilities: the game has no intermediate rewards."""
    return not kind.rewards


def told_value(kind: Kind, value: float) -> str:
    """Format a value: a percentage if it is a probability, else a number with six decimals."""
    return percent(value) if is_chance(kind) else f"{value:.6f}"


def wanted_of(kind: Kind) -> Wanted:
    """Return the objective of a single-player game: its sign, its range and the number of views."""
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (0.0, 1.0) if is_chance(kind) else (-math.inf, math.inf)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Wanted(flips=False, sign=sign, lowest=lowest, highest=highest, views=2, expands=kind.transient)
