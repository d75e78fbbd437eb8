"""The method for multiplayer games: a Nash equilibrium, with a proved bound on the gain from deviating."""

from collections.abc import Sequence
from typing import Any

from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind
from komi.solvers.multiplayer.solution import MultiplayerSolution
from komi.solvers.multiplayer.values import Equilibrium, find_equilibrium


class Several:
    """Solves games of three or more players with perfect information that are won or lost at the end."""

    name = "several-seats"
    record = Equilibrium
    solution = MultiplayerSolution

    def seats(self, number: int) -> bool:
        """Return whether the method solves games of `number` players: three or more."""
        return number >= 3

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with intermediate rewards or hidden states; None for all others."""
        if kind.rewards:
            return (
                f"{kind.name} has rewards along the way: games of several players are solved if they are won or lost "
                "at the end."
            )
        if kind.hidden:
            return f"{kind.name} hides something from its players: games are solved if their players see everything."
        return None

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Equilibrium | None, progress: Progress
    ) -> Equilibrium:
        """Compute an equilibrium in all states that are reachable from the roots."""
        return find_equilibrium(compiled, rules, roots, known, progress)
