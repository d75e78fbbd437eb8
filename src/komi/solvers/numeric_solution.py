"""The base class of solutions whose values are numbers: winning probabilities, expected payoffs or expected rewards.

Inside, values are shares from 0 to 1, or expected rewards; `value` and `actions` return payoffs (`rules.payoff_scale`).
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from komi.solvers.solution import AnyState, Data, Solution
from komi.typing import State

ROUNDING = 1e-12  # relative rounding error of a backup in Python; several thousand outcomes stay far below it

Outcomes = Iterable[tuple[float, Any, int]]


class NumericSolution(Solution[Data]):
    """A solution that satisfies a Bellman equation: the value of a state is that of its best action.

    The value of an action is the sum of p w(s') over its outcomes, where w(s') is the value of the successor state to
    the player who acts; see `_outcome_value`.
    """

    @abstractmethod
    def _value(self, state: State) -> float:
        """Return the value of any state, terminal ones included, to the player to move."""

    def _outcome_value(self, state: State, action: int, successor: State, passes: int) -> float:  # noqa: ARG002
        """Return the value of an outcome to the acting player; here that of a zero-sum game of two players."""
        value = self._value(successor)
        return 1.0 - value if passes % 2 else value

    @property
    def _value_error(self) -> float:
        """A bound on the error of each value in the Bellman equation."""
        return float(self.data.error_bound)  # type: ignore[attr-defined]

    @property
    def error_bound(self) -> float:
        """A bound on the error of every value."""
        return self.kind.payoffs.bound(self._value_error)

    def value(self, state: AnyState | None = None) -> float:
        """Return the value of a state to the player to move; of the initial state if none is given."""
        return self.kind.payoffs.payoff(self._value(self.read(state)))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the value of each legal action to the mover under optimal play, best first.

        The best action has the value of the state: where the two differ by less than the error bound, the difference is
        rounding, and the state's value is returned for both. Empty in terminal states.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        value = self._value(read)  # first, because it also solves the successor states that are not solved yet
        values = {
            label: self._action_value(read, action, self.game.outcomes(self.rules, read, action))
            for label, action in self.game.labels(self.rules, read).items()
        }
        payoff = self.kind.payoffs.payoff
        return {label: payoff(each) for label, each in self._ranked(read, values, value).items()}

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that the value of a state is that of its best action.

        The exact values satisfy this equation, so values with an error of at most E satisfy it up to 2 E.

        Returns:
            None if the equation holds; otherwise the value of the state and the largest action value.
        """
        value, sign = self._value(state), self._sign
        best = sign * max(sign * self._action_value(state, move.action, move.outcomes) for move in moves)
        return None if self._is_near(value, best) else (value, best)

    def have_equal_values(self, state: State, other: State) -> bool:
        """Return whether the values of two states agree within twice the error bound."""
        return self._is_near(self._value(state), self._value(other))

    @property
    def _sign(self) -> float:
        return -1.0 if self.kind.aim == "least" else 1.0

    def _is_near(self, value: float, other: float) -> bool:
        return abs(value - other) <= 2 * self._value_error + ROUNDING * (1.0 + abs(value))

    def _action_value(self, state: State, action: int, outcomes: Outcomes) -> float:
        """Compute the value of an action to the mover, given what the mover observes."""
        return self._backup(state, action, outcomes)

    def _backup(self, state: State, action: int, outcomes: Outcomes) -> float:
        total = 0.0
        for probability, successor, passes in outcomes:
            total += probability * self._outcome_value(state, action, successor, passes)
        return total

    def _ranked(self, state: State, values: dict[str, float], value: float) -> dict[str, float]:
        """Sort the values of actions, best first; among equally good actions the chosen one of optimal play is first.

        It comes first because other equally good actions can delay the end of the game for ever. Actions that are
        optimal up to rounding are reported with the value of the state.

        Args:
            state: a nonterminal state.
            values: the value of each legal action, by its label.
            value: the value of the state.
        """
        sign, near = self._sign, self._value_error + ROUNDING * (1.0 + abs(value))
        best = sign * max(sign * each for each in values.values())
        if abs(best - value) > near:
            return dict(sorted(values.items(), key=lambda pair: -sign * pair[1]))
        optimal = self.optimal_action(state)
        chosen = {label for label, action in self.game.labels(self.rules, state).items() if action == optimal}
        least = sign * min(sign * best, sign * value)
        ties = {
            label
            for label, each in values.items()
            if sign * each >= sign * least or (label in chosen and abs(each - value) <= near)
        }
        ranked = sorted(values, key=lambda label: (label not in ties, label not in chosen, -sign * values[label]))
        return {label: value if label in ties else values[label] for label in ranked}
