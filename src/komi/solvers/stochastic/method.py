"""The method for two-player zero-sum stochastic games: each player maximizes the probability of winning."""

from collections.abc import Sequence
from typing import Any

from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind, kind_of
from komi.solvers.stochastic.solution import StochasticSolution
from komi.solvers.values import Values, find_values


class Race:
    """Solves two-player games of perfect information that are won or lost at the end."""

    name = "race"
    record = Values
    solution = StochasticSolution

    def seats(self, number: int) -> bool:
        """Return whether the method solves games of `number` players: two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with intermediate rewards or hidden states; None for all others."""
        if kind.rewards:
            return (
                f"{kind.name} has rewards along the way: games of two players are solved if they are won or lost "
                "at the end."
            )
        if kind.hidden:
            return f"{kind.name} hides something from its players: games are solved if their players see everything."
        return None

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Values | None, progress: Progress
    ) -> Values:
        """Compute the optimal values of all states that are reachable from the roots."""
        has_rolls = kind_of(compiled.game, rules).transient
        return find_values(compiled, rules, roots, known, progress, has_rolls=has_rolls)
