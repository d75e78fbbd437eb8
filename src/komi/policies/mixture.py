"""Policies that list how often they take each action in every state: mixed strategies."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from komi.compile.places import index_of, is_member, locate
from komi.compile.rulebook import legal
from komi.errors import GameError, SolveError
from komi.game import Game
from komi.model.states import StateSet
from komi.policies.policy import UNKNOWN, Policy, Question, legal_actions


@dataclass(frozen=True, eq=False)
class Mixture(Policy):
    """A mixed strategy as a list.

    Attributes:
        states: the states it knows, as the player to move sees them.
        shares: float64[states, actions], how often it takes each legal action, in the order of the rules.
    """

    name: str
    states: StateSet
    shares: NDArray[np.float64]
    is_mixed = True

    @classmethod
    def of(cls, name: str, game: Game, rules: Any, states: StateSet, shares: NDArray[np.float64]) -> Self:
        """The mixed strategy with these shares in each state, the same in all states that look the same.

        A view need be no state that play can reach: what is listed of the state is then listed of the view too.
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
            layout = layout.widened(seen)
        listed = {layout.word(states.fields(index)): index for index in range(states.size)}
        listed |= {layout.word(seen): index for seen, index in views.items()}
        words = sorted(listed)
        halves = [[word >> 63, word & ((1 << 63) - 1)][-layout.halves :] for word in words]
        return cls(name, StateSet.listed(layout, np.array(halves, np.int64)), shares[[listed[word] for word in words]])

    def shares_in(self, states: StateSet) -> NDArray[np.float64]:
        """The list, as far as it is asked for."""
        indices = self.states.indices_of(states)
        if np.any(indices < 0):
            raise SolveError(f"policy {self.name} does not cover all states of this game: it was made for other rules.")
        return self.shares[indices]

    def question(self) -> Question:
        """Looks the shares up."""
        states = self.states
        return Question(_draw, (states.layout, *map(np.asarray, (states.keys, states.ranks, self.shares))))

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """The action that luck falls on, if all lie side by side as wide as their shares."""
        index = self.states.index_of(state)
        if index < 0:
            raise GameError(f"policy {self.name} does not know what to do in {game.write(rules, state)}.")
        actions, shares = legal_actions(game, rules, state), self.shares[index]
        place = int(np.searchsorted(np.cumsum(shares[: len(actions)]), luck, side="right"))
        return actions[place] if place < len(actions) else actions[int(np.argmax(shares[: len(actions)]))]


def _draw(rules: Any, state: Any, luck: float, carried: Any) -> int:
    """The action that luck falls on, if all lie side by side as wide as their shares; rounding falls on the likeliest.

    Args:
        rules: the rules.
        state: the state.
        luck: from 0 to 1.
        carried: the layout, keys and ranks of the set of states, and float64[states, actions], their shares.
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
