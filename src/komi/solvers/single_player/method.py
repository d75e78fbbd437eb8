"""The method for single-player games: Markov chains and Markov decision processes."""

from collections.abc import Sequence
from typing import Any

from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind, kind_of
from komi.solvers.single_player.objective import objective_of
from komi.solvers.single_player.solution import SinglePlayerSolution
from komi.solvers.values import Values, find_values


class OneSeat:
    """Solves single-player games whose states are fully observable."""

    name = "one-seat"
    record = Values
    solution = SinglePlayerSolution

    def seats(self, number: int) -> bool:
        """Return whether the method solves games of `number` players: one."""
        return number == 1

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with hidden states; None for all others."""
        if kind.hidden:
            return f"{kind.name} hides something from its player: games are solved if their players see everything."
        return None

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Values | None, progress: Progress
    ) -> Values:
        """Compute the optimal values of all states that are reachable from the roots."""
        kind = kind_of(compiled.game, rules)
        return find_values(compiled, rules, roots, known, progress, objective_of(kind), kind.transient)
