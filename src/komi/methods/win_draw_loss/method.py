"""The method for games without chance: two seats, win, draw or loss, and the plies to the end."""

from collections.abc import Sequence
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.kind import Kind
from komi.methods.win_draw_loss.retrograde import Scores, solve_positions
from komi.methods.win_draw_loss.tablebase import Tablebase
from komi.progress import Progress


class WinDrawLoss:
    """Solves games of two players without chance, won, lost or drawn at the end; an endless game is a draw."""

    name = "win-draw-loss"
    record = Scores
    answer = Tablebase

    def seats(self, number: int) -> bool:
        """Two."""
        return number == 2

    def refuses(self, kind: Kind) -> str | None:
        """Chance, rewards along the way and hidden states."""
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
        """The scores of all positions that play can reach from the roots."""
        return solve_positions(compiled, rules, roots, progress)
