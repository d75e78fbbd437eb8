"""The report of a game of which the value of the start alone is known."""

from collections.abc import Sequence
from typing import ClassVar

from komi.presentation.fields import select
from komi.presentation.formatting import TextReport, format_value, hint_sentence
from komi.presentation.two_player_report import Json, Rows, SolutionReport, count, format_settings
from komi.typing import State

PLAYERS = {"win": "the first player wins", "draw": "neither player can force a win: it is a draw"}
MOVERS = {"win": "wins", "draw": "can force a draw, no more,"}


class SearchedReport(SolutionReport):
    """The report of a search: the value of the start, or of another position."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "value")

    def text(self) -> TextReport:
        """Format the value of the start and what it took to find it, as `komi solve` prints them."""
        megabytes = self.solution.table_bytes / 2**20
        lines = [
            format_settings(self.rules),
            "",
            *self._values(),
            f"First move: {self.solution.best()}.",
            self._claim(),
            "This is the value of the start alone: there are too many positions to list.",
            f"{count(self.solution.states, 'position')} visited, with a table of {megabytes:,.0f} MB, "
            f"{self._solve_time()}.",
            "",
        ]
        return TextReport(self.game.summary, lines, next_state=self.game.write(self.rules, self.solution.read(None)))

    def figures(self) -> Rows:
        """List the figures of the solution."""
        return [
            (self._heading("first player"), self._format(self.solution.value())),
            ("positions visited", f"{self.solution.states:,}"),
        ]

    def _values(self) -> Sequence[str]:
        if not self.kind.is_chance:
            return super()._values()
        return [f"With best play on both sides {PLAYERS.get(self.solution.value(), 'the second player wins')}."]

    def _mover(self, state: State) -> str:
        if not self.kind.is_chance:
            return super()._mover(state)
        return f"The player to move {MOVERS.get(self.solution.value(state), 'loses')} with best play."

    def _terminal(self, state: State) -> str:
        return f"The game is over: the player to move gets {self.solution.expected_value(state):g}."

    def _cells(self, state: State) -> Sequence[dict[str, str]]:
        return [
            {"action": label, "value": self._format(value)} for label, value in self.solution.actions(state).items()
        ]

    def _heading(self, whose: str = "") -> str:
        return "result" if self.kind.is_chance and not whose else super()._heading(whose)

    def _format(self, value: str | float) -> str:
        return value if isinstance(value, str) else format_value(self.kind, value)

    def _claim(self) -> str:
        if not self.kind.is_chance:
            return super()._claim()
        hints = self.solution.verified_hints
        if hints is None or hints.is_complete:
            return "Proved, without error."
        return f"{hint_sentence(hints)} If they hold in all states, it is proved, without error."

    def _value_json(self, state: State | None) -> Json:
        return {**super()._value_json(state), "plies": None}

    def _game_json(self) -> Json:
        return {**select(self.solution, "table_bytes"), "best": self.solution.best(), "solved": "start"}
