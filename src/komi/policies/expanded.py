"""Optimal play of a game whose transient states (those inside a roll) are not stored but computed on demand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.game import Game
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, Question
from komi.policies.table import Table
from komi.rules.compiled import CompiledGame
from komi.solvers.solution import Solution


@dataclass(frozen=True, eq=False)
class Expanded(Policy):
    """Optimal play, computed one state at a time; as a table where all states can be enumerated.

    Attributes:
        solution: the solution.
    """

    name: str
    solution: Solution[Any]

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:
        """Return the optimal action of each state, from the table of all states."""
        return self._table().tabulate(compiled, rules, states)

    def question(self) -> Question:
        """Return the compiled call: a lookup in the table of all states."""
        return self._table().question()

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:  # noqa: ARG002
        """Return an optimal action."""
        return self.solution.optimal_action(state)

    def _table(self) -> Table:
        listed = self.solution.arrays
        return Table(self.name, listed.states, listed.choices)
