"""Policies as tables: the action of every state of a set, such as a solution's."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.bellman.equations import UNIFORM
from komi.errors import GameError, SolveError
from komi.game import Game
from komi.graph.lookup import index_of, is_member, locate
from komi.graph.state_sets import StateSet
from komi.policies.policy import UNKNOWN, Policy, Question, fallen_on, legal_actions
from komi.rules.compiled import CompiledGame
from komi.rules.interface import pick


@dataclass(frozen=True, eq=False)
class Table(Policy):
    """A policy as a table of actions.

    Attributes:
        states: the states that it covers.
        actions: int16[states], the action in each; UNIFORM for any legal one, CHANCE at chance nodes.
    """

    name: str
    states: StateSet
    actions: NDArray[np.int16]

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:  # noqa: ARG002
        """Return the actions of the given states.

        Raises:
            SolveError: if the table does not cover all of them.
        """
        if states is self.states:
            return self.actions
        indices = self.states.indices_of(states)
        if np.any(indices < 0):
            raise SolveError(f"policy {self.name} does not cover all states of this game: it was made for other rules.")
        return self.actions[indices]

    def question(self) -> Question:
        """Return the compiled call: a lookup of the state."""
        return Question(_look_up, (self.states.in_memory(), np.asarray(self.actions)))

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Return the action in the table; for UNIFORM, sample a legal one.

        Raises:
            GameError: if the table does not cover the state.
        """
        index = self.states.index_of(state)
        if index < 0:
            raise GameError(f"policy {self.name} does not know what to do in {game.write(rules, state)}.")
        action = int(self.actions[index])
        return fallen_on(legal_actions(game, rules, state), luck) if action == UNIFORM else action


def _look_up(rules: Any, state: Any, luck: float, carried: Any) -> int:
    """Return the action of a state, or UNKNOWN if the table does not cover it.

    Args:
        rules: the rules.
        state: the state.
        luck: a uniform random number in [0, 1).
        carried: the set of states, and int16[states], their actions.
    """
    states, actions = carried
    place = locate(states, state)
    if not is_member(states, place):
        return UNKNOWN
    action = int(actions[index_of(states, place)])
    return pick(rules, state, luck)[1] if action == UNIFORM else action
