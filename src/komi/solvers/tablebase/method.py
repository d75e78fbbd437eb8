"""The method for two-player games without chance: win, draw or loss, and the plies to the end."""

from collections.abc import Sequence
from typing import Any

from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind
from komi.solvers.tablebase.retrograde import Scores, solve_positions
from komi.solvers.tablebase.solution import Tablebase


class WinDrawLoss:
    """Solves two-player games without chance that are won, lost or drawn at the end; an infinite play is a draw."""

    name = "win-draw-loss"
    record = Scores
    solution = Tablebase

    def seats(self, number: int) -> bool:
        """Return whether the method solves games of `number` players: two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with chance, intermediate rewards or hidden states, else None."""
        if kind.chance:
            return f"{kind.name} is a game of chance."
        if kind.rewards:
            return f"{kind.name} has rewards along the way."
        if kind.hidden:
            return f"{kind.name} hides something from its players."
        return None

    def find(
        self,
        compiled: CompiledGame,
        rules: Any,
        roots: Sequence[Any],
        known: Scores | None,  # noqa: ARG002
        progress: Progress,
    ) -> Scores:
        """Compute the scores of all positions that are reachable from the roots."""
        return solve_positions(compiled, rules, roots, progress)
