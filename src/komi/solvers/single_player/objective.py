"""The objective of a single-player game: the maximal probability, or the maximal or minimal expected total reward."""

import math

from komi.bellman.equations import Objective
from komi.rules.kind import Kind
from komi.text import percent


def is_chance(kind: Kind) -> bool:
    """Return whether values are probabilities: the game has no intermediate rewards."""
    return not kind.rewards


def told_value(kind: Kind, value: float) -> str:
    """Format a value: a percentage if it is a probability, else a number with six decimals."""
    return percent(value) if is_chance(kind) else f"{value:.6f}"


def objective_of(kind: Kind) -> Objective:
    """Return the objective of a single-player game: its sign and its range."""
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (0.0, 1.0) if is_chance(kind) else (-math.inf, math.inf)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Objective(is_zero_sum=False, sign=sign, lowest=lowest, highest=highest)
