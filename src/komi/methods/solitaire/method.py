"""The method for one seat: chance without choice, the best chance, the most or the least gained on average."""

from collections.abc import Sequence
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.kind import Kind, kind_of
from komi.methods.backup.values import Values, find_values
from komi.methods.solitaire.objective import wanted_of
from komi.methods.solitaire.solution import Solitaire
from komi.progress import Progress


class OneSeat:
    """Solves games for one player who sees everything."""

    name = "one-seat"
    record = Values
    answer = Solitaire

    def seats(self, number: int) -> bool:
        """One."""
        return number == 1

    def refuses(self, kind: Kind) -> str | None:
        """Hidden states."""
        if kind.hidden:
            return f"{kind.name} hides something from its player: games are solved if their players see everything."
        return None

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Values | None, progress: Progress
    ) -> Values:
        """Optimal values of all states that play can reach from the roots."""
        wanted = wanted_of(kind_of(compiled.game, rules))
        return find_values(compiled, rules, roots, known, progress, wanted)
