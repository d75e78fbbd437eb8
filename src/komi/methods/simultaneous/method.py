"""The method for simultaneous choice: two seats, mixed strategies."""

from collections.abc import Sequence
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.kind import Kind
from komi.methods.simultaneous.solution import Simultaneous
from komi.methods.simultaneous.values import MixedValues, find_mixed
from komi.progress import Progress


class SimultaneousChoice:
    """Solves games of two players who see everything but what the other chooses at the same time."""

    name = "simultaneous"
    record = MixedValues
    answer = Simultaneous

    def seats(self, number: int) -> bool:
        """Two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Games in which nobody chooses at the same time, or more is hidden."""
        if kind.rewards:
            return f"{kind.name} has rewards along the way: games of two players are solved if they are won or lost."
        if not kind.simultaneous:
            return (
                f"{kind.name} hides something from its players: games are solved if their players see everything but "
                "what another chooses at the same time."
            )
        return None

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: MixedValues | None, progress: Progress
    ) -> MixedValues:
        """Values and strategies of all states that play can reach from the roots."""
        return find_mixed(compiled, rules, roots, known, progress)
