"""The solution of a single-player game: the optimal value of every state and an optimal policy."""

from collections.abc import Sequence
from typing import Any

from komi.bellman.equations import Objective
from komi.solvers.single_player.objective import is_chance, objective_of, told_value
from komi.solvers.solution import AnyState
from komi.solvers.value_solution import ValueSolution
from komi.text import Text

ROUNDING = 1e-12  # relative rounding error of a backup in Python


class SinglePlayerSolution(ValueSolution):
    """Optimal play of a single-player game: the maximal probability, or the maximal or minimal expected total reward.

    Example:
        >>> import komi
        >>> countdown = komi.solve("pig-solitaire", objective="turns", goal=20)
        >>> countdown.objective, round(countdown.value(), 4)
        ('expected turns', 2.6634)
    """

    @property
    def objective(self) -> str:  # type: ignore[override]
        """The name of the quantity that is optimized."""
        return self.game.objective(self.rules)

    @property
    def solver_objective(self) -> Objective:
        """The objective as the solver takes it: its sign and its range."""
        return objective_of(self.kind)

    def value(self, state: AnyState | None = None) -> float:
        """Return the value of a state, by default the start; rewards received before it are not included."""
        return self._value(self.read(state))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the action values under optimal play, best first. Empty where the game is over."""
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._value(read)
        worth = {
            label: self._backed_up(read, action, self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.error_bound + ROUNDING * (1.0 + abs(value)))

    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check the Bellman equation: v(s) is the best over actions of the sum of p (reward + v(s')).

        Returns:
            None if it holds within twice the error bound; otherwise the value of the state and the best action value.
        """
        pick = min if self.kind.aim == "least" else max
        value = self._value(state)
        best = pick(self._backed_up(state, move.action, move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.error_bound + ROUNDING * (1.0 + abs(value)) else (value, best)

    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether the values of two states agree within twice the error bound."""
        value = self._value(state)
        return abs(value - self._value(other)) <= 2 * self.error_bound + ROUNDING * (1.0 + abs(value))

    def facts(self) -> dict[str, Any]:
        """Return the objective, its value at the start and the error bound."""
        return {"objective": self.objective, "value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the value of a state, its action values and the best action."""
        actions = self.actions(state)
        return {
            "objective": self.objective,
            "value": self.value(state),
            "error_bound": self.error_bound,
            "actions": actions,
            "best": next(iter(actions), None),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """List the objective, the error bound and the number of states."""
        return [
            (self.objective, self._told(self.value())),
            (f"proved: largest error of the {self.objective}", f"{self.error_bound:.1e}"),
            ("states that play can reach", f"{self.states:,}"),
        ]

    def text(self) -> Text:
        """Describe the value under optimal play, the error bound and the first move."""
        start = self.game.part("start")(self.rules)
        play = "With best play" if self.kind.choices else "Without choices"
        first = "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}."
        lines = [
            self.settings(),
            "",
            f"{play} the {self._objective_is} {self._told(self.value())}.",
            f"Proved: off by no more than {self.error_bound:.1e}.{first}",
            *self.hint_lines(),
            f"{self.states:,} state{'s' * (self.states != 1)}, {self.took()}.",
            "",
        ]
        return Text(self.game.summary, lines, next_state=self.game.write(self.rules, start))

    @property
    def _objective_is(self) -> str:
        return f"{self.objective} {'are' if self.objective.endswith('s') else 'is'}"

    def text_of(self, state: Any) -> Text:
        """Describe the value of a state and the loss of each action."""
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
            [f"Proved: off by no more than {self.error_bound:.1e}.", *self.hint_lines()],
        )

    def _told(self, value: float) -> str:
        return told_value(self.kind, value)

    @property
    def scale(self) -> float:
        """The scale of the error bound: that of expected rewards is relative to the largest of them."""
        return 1.0 if is_chance(self.kind) else max(1.0, float(abs(self.data.values).max(initial=0.0)))

    def _backed_up(self, state: Any, action: int, outcomes: Any) -> float:
        total = 0.0
        for probability, after, _ in outcomes:
            gain = self.game.part("reward")(self.rules, state, action, after) if self.game.has("reward") else 0.0
            total += probability * (gain + self._value(after))
        return total
