"""Policies as tables: the action of every state of a set, such as a solution's, stored or computed on demand."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from komi.arrays import I16, I64
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, is_member, locate
from komi.graph.observations import observations, observed_states
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, PolicyCode, legal_actions, sample_uniformly
from komi.policies.tabulate import mark_chance
from komi.rules.game import Game
from komi.rules.interface import pick
from komi.search.playouts import PolicyStatus
from komi.solvers.solution import OptimalPlay, Solution
from komi.typing import PolicyData, Rules, State


@dataclass(frozen=True, eq=False)
class StateTablePolicy(Policy):
    """A policy that is a table over a set of states.

    Attributes:
        states: the states that it covers.
    """

    name: str
    states: StateSet

    def _covered(self, indices: I64, compiled: CompiledGame, rules: Rules, states: StateSet) -> I64:
        """Return the indices of states in the table.

        Raises:
            SolveError: if one of them is -1.
        """
        missing = np.flatnonzero(indices < 0)
        if len(missing):
            written = compiled.game.write(rules, compiled.game.module.State(*states.fields(int(missing[0]))))
            raise SolveError(
                f"policy {self.name} has no action in {written}: it was made for other rules, or the game comes there "
                "with probability 0 alone, and the rule file can leave that outcome out."
            )
        return indices

    def _index_of(self, game: Game, rules: Rules, state: State) -> int:
        """Return the index of a state in the table.

        Raises:
            GameError: if the table does not cover the state.
        """
        index = self.states.index_of(state)
        if index < 0:
            raise GameError(f"policy {self.name} does not cover state {game.write(rules, state)}.")
        return index


@dataclass(frozen=True, eq=False)
class TablePolicy(StateTablePolicy):
    """A policy as a table of actions.

    Attributes:
        states: the states that it covers.
        actions: int16[states], the action in each; UNIFORM for any legal one, CHANCE at chance nodes.
    """

    actions: I16

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Return the actions of the given states.

        Raises:
            SolveError: if the table does not cover all of them.
        """
        if states is self.states:
            return self.actions
        return self.actions[self._covered(self.states.indices_of(states), compiled, rules, states)]

    quick_table = tabulate

    def code(self) -> PolicyCode:
        """Return the code that looks up the state."""
        return PolicyCode(_look_up, (self.states.in_memory(), np.asarray(self.actions)))

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Return the action in the table; for UNIFORM, sample a legal one.

        Raises:
            GameError: if the table does not cover the state.
        """
        action = int(self.actions[self._index_of(game, rules, state)])
        return sample_uniformly(legal_actions(game, rules, state), uniform) if action == ActionCode.UNIFORM else action


@dataclass(frozen=True, eq=False)
class ObservationPolicy(StateTablePolicy):
    """A policy as a table of actions, by what the player to move observes.

    Attributes:
        states: the observations that it covers.
        actions: int16[states], the action at each.
    """

    actions: I16

    @classmethod
    def of(cls, name: str, compiled: CompiledGame, rules: Rules, play: OptimalPlay) -> Self:
        """Create the policy that takes, at each observation, the action of the states that look so."""
        choosing = play.choices != CHANCE
        states = observed_states(compiled, rules, play.states, choosing)
        actions = np.empty(states.size, np.int16)
        seen = observations(compiled, rules, play.states)[choosing]
        actions[states.indices_of_fields(seen)] = play.choices[choosing]
        return cls(name, states, actions)

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Return the actions of the given states.

        Raises:
            SolveError: if the table does not cover what is observed in all of them.
        """
        actions = mark_chance(compiled, rules, states)
        found = self.states.indices_of_fields(observations(compiled, rules, states))
        found[actions == CHANCE] = 0
        return np.where(actions == CHANCE, actions, self.actions[self._covered(found, compiled, rules, states)])

    quick_table = tabulate

    def code(self) -> PolicyCode:
        """Return the code that looks up the observation."""
        return PolicyCode(_look_up, (self.states.in_memory(), np.asarray(self.actions)))

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Return the action in the table.

        Raises:
            GameError: if the table does not cover the observation.
        """
        return int(self.actions[self._index_of(game, rules, state)])


@dataclass(frozen=True, eq=False)
class OnDemandPolicy(Policy):
    """Optimal play of a game whose transient states are not stored: computed state by state.

    It is tabulated only where all states can be enumerated.

    Attributes:
        solution: the solution.
    """

    name: str
    solution: Solution[Any]

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Return the optimal action of each state, from the table of all states."""
        return self._table().tabulate(compiled, rules, states)

    quick_table = tabulate

    def code(self) -> PolicyCode:
        """Return the code that looks up the state in the table of all states."""
        return self._table().code()

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Return an optimal action."""
        return self.solution.optimal_action(state)

    def _table(self) -> TablePolicy:
        table = self.solution.optimal_play
        return TablePolicy(self.name, table.states, table.choices)


def _look_up(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    """Return the action of a state, or UNKNOWN if the table does not cover it.

    Args:
        rules: the rules.
        state: the state.
        uniform: a uniform random number in [0, 1).
        data: the set of states, and int16[states], their actions.
    """
    states, actions = data
    index = find_index(states, state)
    if index < 0:
        return PolicyStatus.UNKNOWN
    action = int(actions[index])
    return pick(rules, state, uniform)[1] if action == ActionCode.UNIFORM else action


def find_index(states: StateIndex, state: State) -> int:
    """Return the index of a state, for compiled code; -1 if the set does not contain it."""
    handle = locate(states, state)
    return int(index_of(states, handle)) if is_member(states, handle) else -1
