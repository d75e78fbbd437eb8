"""The solution of a two-player zero-sum stochastic game: winning probabilities of all states and an optimal policy."""

from collections.abc import Sequence
from typing import Any

from komi.bellman.equations import WIN_PROBABILITY, Objective
from komi.solvers import two_player
from komi.solvers.solution import AnyState
from komi.solvers.value_solution import ValueSolution
from komi.text import Text, percent

ROUNDING = 1e-12  # of a backup done in Python


class StochasticSolution(ValueSolution):
    """Optimal play of a two-player stochastic game: winning probabilities, where a shared win counts half.

    Examples:
        >>> import komi
        >>> red_light = komi.solve("red-light")
        >>> round(red_light.value(), 6)
        0.500011
        >>> red_light.best("score=47,rival=49,turn=2,red=3,green=23")
        'draw'
    """

    @property
    def solver_objective(self) -> Objective:
        """The objective: the probability of winning."""
        return WIN_PROBABILITY

    def value(self, state: AnyState | None = None) -> float:
        """Return the mover's probability of winning, by default at the start; a shared win counts half."""
        return self._value(self.read(state))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the action values of the mover under optimal play, best first.

        The best action has the value of the state: where the two differ by less than the error bound, the difference is
        rounding, and the state's value is returned for both. Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._value(read)  # also solves the successor states that are not solved yet
        worth = {
            label: self._backed_up(self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        return self._ordered(read, worth, value, self.error_bound)

    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check the Bellman equation v(s) = max over a of the sum of p (v(s') or, if the turn passes, 1 - v(s')).

        The exact values satisfy it, so values with an error of at most E satisfy it up to 2 E.

        Returns:
            None if the equation holds; otherwise the value of the state and the largest action value.
        """
        value, best = self._value(state), max(self._backed_up(move.outcomes) for move in moves)
        return None if abs(value - best) <= 2 * self.error_bound + ROUNDING else (value, best)

    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether the values of two states agree within twice the error bound."""
        return abs(self._value(state) - self._value(other)) <= 2 * self.error_bound + ROUNDING

    def facts(self) -> dict[str, Any]:
        """Return the first player's probability of winning and the error bound."""
        return {"value": self.value(), "error_bound": self.error_bound}

    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the mover's probability of winning, the action values and the best action."""
        actions = self.actions(state)
        return {
            "value": self.value(state),
            "error_bound": self.error_bound,
            "actions": actions,
            "best": next(iter(actions), None),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """List the winning probabilities, the error bound and the number of states."""
        return two_player.rows(self)

    def text(self) -> Text:
        """Describe the winning probabilities under optimal play, the error bound and the first move."""
        start = self.game.part("start")(self.rules)
        return two_player.text(self, "" if self.game.is_chance(self.rules, start) else f" First move: {self.best()}.")

    def text_of(self, state: Any) -> Text:
        """Describe the mover's probability of winning and the loss of each action."""
        worth, actions = self.value(state), self.actions(state)
        title = self.game.write(self.rules, state)
        if not actions:
            return Text(title, [f"The game is over: the player to move gets {worth:g}."])
        wins = f"The player to move wins {percent(worth)} with best play."
        proved = f"Proved: no probability is off by more than {self.error_bound:.1e}."
        if self.game.is_chance(self.rules, state):
            return Text(title, [wins, "Nobody chooses: chance moves.", proved, *self.hint_lines()])
        rows = [
            (label, percent(chance), "" if chance == worth else percent(worth - chance))
            for label, chance in actions.items()
        ]
        return Text(title, [wins], ("action", "wins", "loses by it"), rows, [proved, *self.hint_lines()])

    def _backed_up(self, outcomes: Any) -> float:
        total = 0.0
        for probability, after, passes in outcomes:
            value = self._value(after)
            total += probability * (1.0 - value if passes % 2 else value)
        return total
