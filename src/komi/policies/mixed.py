"""Mixed strategies: policies that list the probability of each action in every state."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from komi.arrays import F64
from komi.compiling.compiled import CompiledGame
from komi.graph.observations import observations
from komi.graph.state_sets import StateSet
from komi.policies.policy import PolicyCode, legal_actions
from komi.policies.table import StateTablePolicy, find_index
from komi.rules.game import Game
from komi.rules.interface import legal
from komi.search.playouts import PolicyStatus
from komi.typing import PolicyData, Rules, State


@dataclass(frozen=True, eq=False)
class MixedPolicy(StateTablePolicy):
    """A mixed strategy as a table.

    Attributes:
        states: the states that it covers, as the player to move observes them.
        probabilities: float64[states, actions], the probability of each legal action, in the order of the rules.
    """

    probabilities: F64
    is_mixed = True

    @classmethod
    def of(cls, name: str, compiled: CompiledGame, rules: Rules, states: StateSet, probabilities: F64) -> Self:
        """Create the mixed strategy with these probabilities in each state.

        An observation need not be a reachable state itself. The table is extended by such observations, each with the
        probabilities of a state that has this observation.
        """
        game = compiled.game
        if not game.has("view"):
            return cls(name, states, probabilities)
        observed = observations(compiled, rules, states)
        outside = np.flatnonzero(states.indices_of_fields(observed) < 0)
        if not len(outside):
            return cls(name, states, probabilities)
        index_of = {tuple(observed[index].tolist()): index for index in outside.tolist()}
        layout = states.layout
        for observation in index_of:
            layout = layout.widened_to(observation)
        listed = {layout.pack(states.fields(index)): index for index in range(states.size)}
        listed |= {layout.pack(observation): index for observation, index in index_of.items()}
        extended = StateSet.of_fields(layout, np.array([*map(layout.unpack, listed)], np.int64))
        return cls(name, extended, probabilities[[listed[word] for word in sorted(listed)]])

    def probabilities_in(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> F64:
        """Return float64[states, actions], the probabilities of the actions in the given states.

        Raises:
            SolveError: if the table does not cover all of them.
        """
        return self.probabilities[self._covered(self.states.indices_of(states), compiled, rules, states)]

    def code(self) -> PolicyCode:
        """Return the code that looks up the probabilities and samples an action."""
        return PolicyCode(_draw, (self.states.in_memory(), np.asarray(self.probabilities)))

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Sample an action from its probabilities by inverting the cumulative distribution.

        Raises:
            GameError: if the table does not cover the state.
        """
        probabilities = self.probabilities[self._index_of(game, rules, state)]
        actions = legal_actions(game, rules, state)
        number = int(np.searchsorted(np.cumsum(probabilities[: len(actions)]), uniform, side="right"))
        return actions[number] if number < len(actions) else actions[int(np.argmax(probabilities[: len(actions)]))]


def _draw(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    """Sample an action from its probabilities; if they round to a sum of less than `uniform`, return the likeliest.

    Args:
        rules: the rules.
        state: the state.
        uniform: a uniform random number in [0, 1).
        data: the set of states, and float64[states, actions], the probabilities.
    """
    states, probabilities = data
    index = find_index(states, state)
    if index < 0:
        return PolicyStatus.UNKNOWN
    total, highest = 0.0, -1.0
    likeliest: int = PolicyStatus.UNKNOWN
    for number, action in enumerate(legal(rules, state)):
        probability = probabilities[index, number]
        total += probability
        if uniform < total:
            return action
        if probability > highest:
            highest, likeliest = probability, action
    return likeliest
