"""The policy that looks some moves ahead, and sees nothing beyond.

v_0 = 1/2, and v_n(s) is the most that an action can make of the expected v_{n-1} of the next state, turned round where
the turn passes; where the game is over v_n is the payoff. The policy takes the action that attains v_n.
"""

from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.places import members, state_at
from komi.compile.rulebook import legal, outcomes
from komi.methods.race.outcome import worth_of
from komi.model.states import StateSet
from komi.policies.table import Table

BETTER = 1e-12  # chance of winning by which an action must beat those before it


def look_ahead(compiled: CompiledGame, rules: Any, states: StateSet, moves: int) -> Table:
    """The policy that looks so many moves ahead, forced ones of chance counted; the first action of equal ones.

    Args:
        compiled: a game of two players.
        rules: its rules.
        states: all that play can reach.
        moves: how many, at least 1.
    """
    before, values = np.full(states.size, 0.5), np.empty(states.size)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_look]
    for _ in range(moves):
        kernel(rules, states.layout, states.keys, states.ranks, before, values, actions)
        before, values = values, before
    return Table(f"ahead:{moves}", states, actions)


def _look(rules: Any, layout: Any, keys: Any, ranks: Any, before: Any, values: Any, actions: Any) -> None:
    """One move more: the values of all states from those of one move less, and the actions that attain them."""
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        best = -1.0
        for action in legal(rules, state):
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                total += probability * worth_of(rules, layout, keys, ranks, before, after, passes)
            if total > best + BETTER:
                best = total
                actions[index] = action
        values[index] = best
