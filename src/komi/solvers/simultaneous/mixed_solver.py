"""The solution of a game with simultaneous moves: winning probabilities and mixed strategies."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.rules.kind import Kind
from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.numeric_solution import ROUNDING, Outcomes
from komi.solvers.simultaneous.limit_sure import MIN_EXPONENT
from komi.solvers.simultaneous.matrix_game_sweeps import PROVED, ChoiceKind
from komi.solvers.simultaneous.mixed_values import MixedValues, find_mixed
from komi.solvers.solution import AnyState
from komi.solvers.solver import Solver, general_sum_refusal, rewards_refusal
from komi.typing import State


class SimultaneousSolution(MixedSolution[MixedValues]):
    """Optimal play of a two-player game with simultaneous moves: winning probabilities and mixed strategies."""

    @property
    def scale(self) -> float:
        """The factor by which the tolerance is relaxed: a bound of 1e-6 is always accepted."""
        return super().scale * max(1.0, PROVED / self.tolerance)

    @property
    def _needed(self) -> float:
        """As in the base class: the tolerance exceeds `PROVED`, up to which it has no effect."""
        return self.error_bound / super().scale

    @property
    def weight_bits(self) -> int:
        """As in the base class; more where near-optimal strategies take actions with tiny probabilities."""
        mixes = self.data.mixes[self.data.is_supremum]
        smallest = mixes[mixes > 0.0].min(initial=1.0)
        return min(super().weight_bits - int(np.log2(smallest)), MIN_EXPONENT)

    @property
    def is_provable(self) -> bool:
        """As in the base class; False where near-optimal strategies take actions with tiny probabilities."""
        return super().is_provable and not self.data.is_supremum.any()

    def is_supremum(self, state: AnyState | None = None) -> bool:
        """Return True where it is proved that a seat cannot attain the value in play that ends: its play is near it."""
        read = self.read(state)
        if self._is_over(read):
            return False
        self.include([read])
        return bool(self.data.is_supremum[self.data.states.index_of(read)])

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[float, float] | None:
        """Check that the mover's strategy attains the state's value, and that no action exceeds it.

        Returns:
            None if this holds within the error bound, or the state is blind; otherwise the value of the state and the
            value that differs from it.
        """
        self.include([state])
        if self._state_kind(state) == ChoiceKind.BLIND:
            return None
        value, near = self._value(state), 4 * self._value_error + ROUNDING
        action_values = [self._action_value(state, move.action, move.outcomes) for move in moves]
        mix = self.data.mixes[self.data.states.index_of(state)]
        attained = sum(share * each for share, each in zip(mix, action_values, strict=False))
        if abs(value - attained) > near:
            return value, attained
        return (value, max(action_values)) if max(action_values) > value + near else None

    def _state_kind(self, state: State) -> int:
        """Return the kind of a state: ALONE, OPEN or BLIND."""
        return int(self.data.kinds[self.data.states.index_of(state)])

    def _ranked(self, state: State, values: dict[str, float], value: float) -> dict[str, float]:  # noqa: ARG002
        """Sort the values of actions, best first; after a hidden choice, they are expectations over that choice."""
        return dict(sorted(values.items(), key=lambda pair: -pair[1]))

    def _action_value(self, state: State, action: int, outcomes: Outcomes) -> float:
        kind = self._state_kind(state)
        if kind == ChoiceKind.OPEN:
            [(_, blind, _)] = outcomes
            return 1.0 - sum(
                probability * self._backup(blind, reply, self.game.outcomes(self.rules, blind, reply))
                for reply, probability in self._strategy(blind)
            )
        if kind == ChoiceKind.BLIND:
            before = self.data.before[self.data.states.index_of(state)]
            opened = self.game.module.State(*self.data.states.fields(int(before)))
            return sum(
                probability * self._backup(blind, action, self.game.outcomes(self.rules, blind, action))
                for choice, probability in self._strategy(opened)
                for _, blind, _ in self.game.outcomes(self.rules, opened, choice)
            )
        return self._backup(state, action, outcomes)

    def _strategy(self, state: State) -> list[tuple[int, float]]:
        """List the legal actions with their probabilities in optimal play."""
        mix = self.data.mixes[self.data.states.index_of(state)].tolist()
        return list(zip(self.game.part("legal")(self.rules, state), mix, strict=False))

    def _value(self, state: State) -> float:
        if self._is_over(state):
            return float(self.game.shares(self.rules, state)[0])
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game with intermediate rewards or without simultaneous moves, else None."""
    if kind.hidden and not kind.is_concealed:
        return rewards_refusal(kind) or general_sum_refusal(kind)
    return rewards_refusal(kind) or (
        f"{kind.name} hides something from its players: games are solved if their players see everything but "
        "what another chooses at the same time."
    )


SIMULTANEOUS = Solver("simultaneous", MixedValues, SimultaneousSolution, range(2, 3), _refusal, find_mixed)
"""Two-player games in which only the other player's simultaneous choice is hidden."""
