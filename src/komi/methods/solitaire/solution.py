"""What solving a game for one player says: the objective from every state, and how to play."""

from collections.abc import Sequence
from typing import Any

from komi.methods.answer import AnyState
from komi.methods.backup.answered import FromValues
from komi.methods.backup.values import Wanted
from komi.methods.solitaire.objective import is_chance, told_value, wanted_of
from komi.text import Text

ROUNDING = 1e-12  # of a backup done in Python, relative


class Solitaire(FromValues):
    """Optimal play of a game for one player: the best chance, or the most or the least that can be gained on average.

    Example:
        >>> import komi
        >>> countdown = komi.solve("pig-solitaire", objective="turns", goal=20)
        >>> countdown.objective, round(countdown.value(), 4)
        ('expected turns', 2.6634)
    """

    @property
    def objective(self) -> str:  # type: ignore[override]
        """What values are."""
        return self.game.objective(self.rules)

    @property
    def wanted(self) -> Wanted:
        """The objective, the most or the least of it."""
        return wanted_of(self.kind)

    def worth(self, state: AnyState | None = None) -> float:
        """The objective from a state on, rewards before it left out."""
        return self._value(self.read(state))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """What each legal action is worth, if play goes on optimally; best first. Empty where the game is over."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._value(read)
        worth = {
            label: self._backed_up(read, action, self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.error_bound + ROUNDING * (1.0 + abs(value)))

    def keeps_equation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Whether v(s) is the best over actions of sum of p (gain + v(s'))."""
        pick = min if self.kind.aim == "least" else max
        value = self._value(state)
        best = pick(self._backed_up(state, move.action, move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.error_bound + ROUNDING * (1.0 + abs(value)) else (value, best)

    def are_alike(self, state: Any, other: Any) -> bool:
        """Whether two states are worth the same, as far as is proved."""
        value = self._value(state)
        return abs(value - self._value(other)) <= 2 * self.error_bound + ROUNDING * (1.0 + abs(value))

    def facts(self) -> dict[str, Any]:
        """The objective, its value, and the bound."""
        return {"objective": self.objective, "value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """The objective's value from a state on, and by each action."""
        actions = self.actions(state)
        return {
            "objective": self.objective,
            "value": self.value(state),
            "error_bound": self.error_bound,
            "actions": actions,
            "best": next(iter(actions), None),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """The objective, the bound, and how many states there are."""
        return [
            (self.objective, self._told(self.value())),
            (f"proved: largest error of the {self.objective}", f"{self.error_bound:.1e}"),
            ("states that play can reach", f"{self.states:,}"),
        ]

    def text(self) -> Text:
        """The objective's value with best play, how far off that can be, and the first move."""
        start = self.game.part("start")(self.rules)
        play = "With best play" if self.kind.choices else "Without choices"
        first = "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}."
        lines = [
            self.settings(),
            "",
            f"{play} the {self._objective_is} {self._told(self.value())}.",
            f"Proved: off by no more than {self.error_bound:.1e}.{first}",
            *self.reliance_lines(),
            f"{self.states:,} state{'s' * (self.states != 1)}, {self.took()}.",
            "",
        ]
        return Text(self.game.summary, lines, next_state=self.game.write(self.rules, start))

    @property
    def _objective_is(self) -> str:
        return f"{self.objective} {'are' if self.objective.endswith('s') else 'is'}"

    def text_of(self, state: Any) -> Text:
        """The objective's value from a state on, and what each action gives away."""
        worth, actions = self.value(state), self.actions(state)
        title = self.game.write(self.rules, state)
        if not actions:
            return Text(title, [f"The game is over; from here on the {self._objective_is} {self._told(worth)}."])
        rows = [
            (label, self._told(each), "" if each == worth else self._told(abs(worth - each)))
            for label, each in actions.items()
        ]
        return Text(
            title,
            [f"From here on the {self._objective_is} {self._told(worth)} with best play."],
            ("action", self.objective, "gives away"),
            rows,
            [f"Proved: off by no more than {self.error_bound:.1e}.", *self.reliance_lines()],
        )

    def _told(self, value: float) -> str:
        return told_value(self.kind, value)

    @property
    def scale(self) -> float:
        """Expected gains are proved relative to the largest of them."""
        return 1.0 if is_chance(self.kind) else max(1.0, float(abs(self.record.values).max(initial=0.0)))

    def _backed_up(self, state: Any, action: int, outcomes: Any) -> float:
        total = 0.0
        for probability, after, _ in outcomes:
            gain = self.game.part("reward")(self.rules, state, action, after) if self.game.has("reward") else 0.0
            total += probability * (gain + self._value(after))
        return total
