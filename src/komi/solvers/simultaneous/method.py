"""The method for two-player games with simultaneous moves: mixed strategies."""

from collections.abc import Sequence
from typing import Any

from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind
from komi.solvers.simultaneous.solution import SimultaneousSolution
from komi.solvers.simultaneous.values import MixedValues, find_mixed


class SimultaneousChoice:
    """Solves two-player games in which only the other player's simultaneous choice is hidden."""

    name = "simultaneous"
    record = MixedValues
    solution = SimultaneousSolution

    def seats(self, number: int) -> bool:
        """Return whether the method solves games of `number` players: two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with intermediate rewards or without simultaneous moves, else None."""
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
        """Compute the values and strategies of all states that are reachable from the roots."""
        return find_mixed(compiled, rules, roots, known, progress)
