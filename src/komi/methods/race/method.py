"""The method for races: two seats, chance and cycles, each seat maximises its probability of winning."""

from collections.abc import Sequence
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.kind import Kind, kind_of
from komi.methods.backup.values import Values, find_values
from komi.methods.race.solution import Solution, chance_of_two
from komi.progress import Progress


class Race:
    """Solves games of two players who see everything, won or lost at the end."""

    name = "race"
    record = Values
    answer = Solution

    def seats(self, number: int) -> bool:
        """Two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Rewards along the way and hidden states."""
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
        """Optimal values of all states that play can reach from the roots."""
        wanted = chance_of_two(kind_of(compiled.game, rules))
        return find_values(compiled, rules, roots, known, progress, wanted)
