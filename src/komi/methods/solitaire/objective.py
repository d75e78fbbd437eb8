"""The objective of a game for one player: the best chance, or the most or the least that can be gained on average."""

import math

from komi.kind import Kind
from komi.methods.backup.values import Wanted
from komi.text import percent


def is_chance(kind: Kind) -> bool:
    """Whether values are probabilities: nothing is gained on the way."""
    return not kind.rewards


def told_value(kind: Kind, value: float) -> str:
    """A value for people: a percentage, or what is gained."""
    return percent(value) if is_chance(kind) else f"{value:.6f}"


def wanted_of(kind: Kind) -> Wanted:
    """What the values of a game for one player are."""
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (0.0, 1.0) if is_chance(kind) else (-math.inf, math.inf)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Wanted(flips=False, sign=sign, lowest=lowest, highest=highest, views=2, expands=kind.transient)
