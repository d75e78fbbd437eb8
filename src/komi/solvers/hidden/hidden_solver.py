"""The solution of a game with hidden information: equilibrium policies, with a proved bound on their exploitability."""

from collections.abc import Sequence
from typing import Any

from komi.game import CHANCE
from komi.rules.kind import Kind
from komi.solvers.hidden.hidden_values import HiddenValues, find_hidden_values
from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.numeric_solution import ROUNDING, Outcomes
from komi.solvers.solution import AnyState
from komi.solvers.solver import Solver, rewards_refusal
from komi.typing import State

MAX_HISTORIES = 1e9  # estimated by random play; what is enumerated is fewer, since equal histories are merged


class HiddenSolution(MixedSolution[HiddenValues]):
    """An equilibrium of a two-player zero-sum game with hidden information.

    Values and probabilities depend on what the player to move observes: the value is the expected payoff given that
    observation, where what is hidden has its conditional probability under the opponent's policy. Where that policy
    never leads, the opponent is taken to have made as few errors as possible, each action being equally likely. At
    chance nodes, all of the state is given.
    """

    @property
    def states(self) -> int:
        """The number of reachable states, without terminal ones."""
        return self.data.reached

    @property
    def information_sets(self) -> int:
        """The number of information sets of both players together."""
        return self.data.sets

    @property
    def bounds(self) -> tuple[float, float]:
        """A proved lower and upper bound on the value of the game to the first player."""
        payoffs = self.kind.payoffs
        rounding = payoffs.bound(0.0)
        return payoffs.payoff(self.data.lower) - rounding, payoffs.payoff(self.data.upper) + rounding

    @property
    def exploitability(self) -> float:
        """A proved bound on what best responses to both policies gain together; also known as NashConv."""
        lower, upper = self.bounds
        return upper - lower

    def revealed_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of a seat, given all of the state, what the player to move cannot see included."""
        read = self.read(state)
        if self._is_over(read):
            return self.expected_value(read, seat)
        self.include([read])
        value = self.kind.payoffs.payoff(float(self.data.full_values[self.data.states.index_of(read)]))
        return value if seat % 2 == 0 else self.kind.payoffs.opposite(value)

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that a player's policy attains the value, and that no action exceeds it.

        An action can exceed the value where equilibrium play never leads: a policy need not be best there.

        Returns:
            None if this holds within rounding and the exploitability, or chance moves; otherwise the value of the state
            and the value that differs from it.
        """
        if moves[0].action == CHANCE:
            return None
        value = self._value(state)
        index = self.data.states.index_of(state)
        action_values = [self._action_value(state, move.action, move.outcomes) for move in moves]
        attained = sum(
            share * each for share, each in zip(self.data.mixes[index].tolist(), action_values, strict=False)
        )
        if abs(value - attained) > ROUNDING:
            return value, attained
        reach = float(self.data.reach[index])
        is_exceeded = reach > 0.0 and max(action_values) > value + self._value_error / reach + ROUNDING
        return (value, max(action_values)) if is_exceeded else None

    def _ranked(self, state: State, values: dict[str, float], value: float) -> dict[str, float]:  # noqa: ARG002
        """Sort the values of actions, best first."""
        return dict(sorted(values.items(), key=lambda pair: -pair[1]))

    def _action_value(self, state: State, action: int, outcomes: Outcomes) -> float:  # noqa: ARG002
        rank = list(self.game.part("legal")(self.rules, state)).index(action)
        return float(self.data.action_values[self.data.states.index_of(state), rank])

    def _value(self, state: State) -> float:
        if self._is_over(state):
            return float(self.game.shares(self.rules, state)[0])
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game with intermediate rewards or without hidden information, else None."""
    if rewards_refusal(kind) or not kind.hidden:
        return rewards_refusal(kind) or f"{kind.name} hides nothing from its players."
    if kind.histories <= MAX_HISTORIES:
        return None
    return (
        f"{kind.name} hides something from its players, and is too large to solve: it has about {kind.histories:.0e} "
        f"histories, and {MAX_HISTORIES:.0e} is the limit; `komi simulate` and `komi play` support it."
    )


HIDDEN = Solver("hidden", HiddenValues, HiddenSolution, range(2, 3), _refusal, find_hidden_values)
"""Two-player zero-sum games with hidden information and perfect recall."""
