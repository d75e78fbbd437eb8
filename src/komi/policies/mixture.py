"""Mixed strategies: policies that list the probability of each action in every state."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from komi.errors import GameError, SolveError
from komi.game import Game
from komi.graph.lookup import index_of, is_member, locate
from komi.graph.state_sets import StateSet
from komi.policies.policy import UNKNOWN, Policy, Question, legal_actions
from komi.rules.interface import legal


@dataclass(frozen=True, eq=False)
class Mixture(Policy):
    """A mixed strategy as a table.

    Attributes:
        states: the states that it covers, as the player to move observes them.
        shares: float64[states, actions], the probability of each legal action, in the order of the rules.
    """

    name: str
    states: StateSet
    shares: NDArray[np.float64]
    is_mixed = True

    @classmethod
    def of(cls, name: str, game: Game, rules: Any, states: StateSet, shares: NDArray[np.float64]) -> Self:
        """Create the mixed strategy with these probabilities in each state.

        An observation need not be a reachable state itself. The table is extended by such observations, each with the
        probabilities of a state that has this observation.
        """
        if not game.has("view"):
            return cls(name, states, shares)
        views: dict[Any, int] = {}
        for index in range(states.size):
            seen = game.part("view")(rules, game.module.State(*states.fields(index)))
            if states.index_of(seen) < 0:
                views[seen] = index
        if not views:
            return cls(name, states, shares)
        layout = states.layout
        for seen in views:
            layout = layout.widened_to(seen)
        listed = {layout.pack(states.fields(index)): index for index in range(states.size)}
        listed |= {layout.pack(seen): index for seen, index in views.items()}
        words = sorted(listed)
        halves = [[word >> 63, word & ((1 << 63) - 1)][-layout.halves :] for word in words]
        return cls(name, StateSet.listed(layout, np.array(halves, np.int64)), shares[[listed[word] for word in words]])

    def shares_in(self, states: StateSet) -> NDArray[np.float64]:
        """Return float64[states, actions], the probabilities of the actions in the given states.

        Raises:
            SolveError: if the table does not cover all of them.
        """
        indices = self.states.indices_of(states)
        if np.any(indices < 0):
            raise SolveError(f"policy {self.name} does not cover all states of this game: it was made for other rules.")
        return self.shares[indices]

    def question(self) -> Question:
        """Return the compiled call: a lookup of the probabilities, and a sample."""
        states = self.states
        return Question(_draw, (states.layout, *map(np.asarray, (states.keys, states.ranks, self.shares))))

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample an action from its probabilities by inverting the cumulative distribution.

        Raises:
            GameError: if the table does not cover the state.
        """
        index = self.states.index_of(state)
        if index < 0:
            raise GameError(f"policy {self.name} does not know what to do in {game.write(rules, state)}.")
        actions, shares = legal_actions(game, rules, state), self.shares[index]
        place = int(np.searchsorted(np.cumsum(shares[: len(actions)]), luck, side="right"))
        return actions[place] if place < len(actions) else actions[int(np.argmax(shares[: len(actions)]))]


def _draw(rules: Any, state: Any, luck: float, carried: Any) -> int:
    """Sample an action from its probabilities; if they round to a sum of less than `luck`, return the likeliest.

    Args:
        rules: the rules.
        state: the state.
        luck: a uniform random number in [0, 1).
        carried: the layout, keys and ranks of the set of states, and float64[states, actions], the probabilities.
    """
    layout, keys, ranks, shares = carried
    place = locate(layout, keys, ranks, state)
    if not is_member(keys, place):
        return UNKNOWN
    index = index_of(keys, ranks, place)
    total, most, likeliest = 0.0, -1.0, UNKNOWN
    for number, action in enumerate(legal(rules, state)):
        share = shares[index, number]
        total += share
        if luck < total:
            return action
        if share > most:
            most, likeliest = share, action
    return likeliest
