"""The policy that looks a fixed number of moves ahead (depth-limited search).

v_0 = 1/2, and v_n(s) is the maximum over the actions of the expected v_{n-1} of the next state, 1 - v_{n-1} where the
turn passes to the opponent; in terminal states v_n is the payoff. The policy takes the action that attains v_n.
"""

from typing import Any

import numpy as np

from komi.graph.lookup import members, state_at
from komi.graph.state_sets import StateSet
from komi.policies.table import Table
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes
from komi.solvers.successor_value import successor_value

BETTER = 1e-12  # winning probability by which an action must beat the earlier ones


def look_ahead(compiled: CompiledGame, rules: Any, states: StateSet, moves: int) -> Table:
    """Compute the policy that looks a fixed number of moves ahead; ties go to the first action.

    Args:
        compiled: a two-player game.
        rules: its rules.
        states: all reachable states.
        moves: the search depth, at least 1; moves of chance count, too.
    """
    before, values = np.full(states.size, 0.5), np.empty(states.size)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_look]
    for _ in range(moves):
        kernel(rules, states.layout, states.keys, states.ranks, before, values, actions)
        before, values = values, before
    return Table(f"ahead:{moves}", states, actions)


def _look(rules: Any, layout: Any, keys: Any, ranks: Any, before: Any, values: Any, actions: Any) -> None:
    """Compute the values at one more move of depth, in place, and the actions that attain them."""
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        best = -1.0
        for action in legal(rules, state):
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                total += probability * successor_value(rules, layout, keys, ranks, before, after, passes)
            if total > best + BETTER:
                best = total
                actions[index] = action
        values[index] = best
