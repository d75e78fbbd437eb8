"""The objective of a game for one player: the best chance, or the most or the least that can be gained on average."""

import math
from collections.abc import Sequence
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.kind import Kind, kind_of
from komi.methods.answer import percent
from komi.methods.backup.values import Values, Wanted, find_values
from komi.progress import Progress


def is_chance(kind: Kind) -> bool:
    """Whether values are probabilities: nothing is gained on the way."""
    return not kind.rewards


def told_value(kind: Kind, value: float) -> str:
    """A value for people: a percentage, or what is gained."""
    return percent(value) if is_chance(kind) else f"{value:.6f}"


def find_objective(
    compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Values | None, progress: Progress
) -> Values:
    """Optimal values of all states that play can reach from the roots, besides those already known.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    return find_values(compiled, rules, roots, known, progress, wanted_of(kind_of(compiled.game, rules)))


def wanted_of(kind: Kind) -> Wanted:
    """What the values of a game for one player are."""
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (0.0, 1.0) if is_chance(kind) else (-math.inf, math.inf)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Wanted(flips=False, sign=sign, lowest=lowest, highest=highest, views=2)
