"""Single-player games: Markov decision processes, with or without choices (Puterman 1994).

The objective is the maximal probability of reaching a goal, or the maximal or minimal expected total reward.
"""

import math
from collections.abc import Sequence
from typing import Any

from komi.bellman import Objective
from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind, kind_of
from komi.solvers.optimal_values import Values, find_values
from komi.solvers.solver import hidden_refusal
from komi.solvers.value_solution import ValueSolution
from komi.typing import Rules, State


class SinglePlayerSolution(ValueSolution):
    """Optimal play of a single-player game: the maximal probability, or the maximal or minimal expected total reward.

    The value of a state does not include rewards received before it.

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

    @property
    def scale(self) -> float:
        """The scale of the error bound: that of expected rewards is relative to the largest of them."""
        return max(1.0, float(abs(self.data.values).max(initial=0.0))) if self.kind.rewards else 1.0

    def _outcome_value(self, state: State, action: int, successor: State, passes: int) -> float:  # noqa: ARG002
        has_reward = self.game.has("reward")
        reward = self.game.part("reward")(self.rules, state, action, successor) if has_reward else 0.0
        return reward + self._value(successor)


class SinglePlayerSolver:
    """Solves single-player games whose states are fully observable."""

    name = "single-player"
    data_type = Values
    solution_type = SinglePlayerSolution

    def supports_players(self, players: int) -> bool:
        """Return whether the solver supports games for this number of players: one."""
        return players == 1

    def refusal(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with hidden states; None for all others."""
        return hidden_refusal(kind)

    def solve(
        self, compiled: CompiledGame, rules: Rules, roots: Sequence[Any], known: Values | None, progress: Progress
    ) -> Values:
        """Compute the optimal values of all states that are reachable from the roots."""
        kind = kind_of(compiled.game, rules)
        return find_values(compiled, rules, roots, known, progress, objective_of(kind), kind.transient)


def objective_of(kind: Kind) -> Objective:
    """Return the objective of a single-player game: its sign and its range."""
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (-math.inf, math.inf) if kind.rewards else (0.0, 1.0)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Objective(is_zero_sum=False, sign=sign, lowest=lowest, highest=highest)
