"""Detection of ties: whether optimal two-player play reaches a choice between actions with the same value.

Floats cannot distinguish equal values from values that differ in the last place. Where less than `AT_STAKE` can be won
or lost the last place is meaningless: there actions are tied only if the game is lost, or won, for sure, which
`length_range` decides exactly.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64, Flags
from komi.compiling.compiled import CompiledGame
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import to_mover
from komi.rules.interface import legal, outcomes, over, payoff
from komi.typing import Rules

AT_STAKE = 1e-6  # winning probability: far above the error bounds of values, far below what a player would notice


def has_tie(
    compiled: CompiledGame,
    rules: Rules,
    states: StateSet,
    starts: Sequence[Any],
    values: F64,
    choices: I16,
    margin: float,
) -> bool:
    """Return whether play under the chosen policy from any of the starts reaches a state with a tied action.

    If it does not, no other play from there is optimal. Only states that such play reaches are visited. Where the game
    seems decided, actions of equal value count as tied.

    Args:
        compiled, rules: the game.
        states: all states that are reachable from the starts.
        starts: states.
        values, choices: float64[states] and int16[states], of optimal play.
        margin: the largest difference between tied values.
    """
    first = np.unique([states.handle(start) for start in starts])
    stack = np.empty(states.size, np.int64)
    stack[: len(first)] = first
    visited = np.zeros(states.size, np.bool_)
    kernel = GraphKernels(compiled)[_find_tie]
    return bool(kernel(rules, states, values, choices, margin, visited, stack, len(first)))


def _find_tie(
    rules: Rules,
    states: StateIndex,
    values: F64,
    choices: I16,
    margin: float,
    visited: Flags,
    stack: I64,
    height: int,
) -> bool:
    """Search for a tie, depth first, from the `height` starts on the stack of handles.

    One entry per state suffices, because each state is pushed once, starts included.
    """
    for start in range(height):
        visited[index_of(states, stack[start])] = True
    while height:
        height -= 1
        here = stack[height]
        state = state_at(states, here)
        index = index_of(states, here)
        value, choice = values[index], choices[index]
        at_stake = min(value, 1.0 - value)
        for action in legal(rules, state):
            if action != choice and 0.0 < at_stake <= AT_STAKE:
                continue
            expected = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if over(rules, after):
                    after_value = payoff(rules, after)
                else:
                    handle = locate(states, after)
                    target = index_of(states, handle)
                    after_value = values[target]
                    if action == choice and probability > 0.0 and not visited[target]:
                        visited[target] = True
                        stack[height] = handle
                        height += 1
                expected += probability * to_mover(after_value, passes)
            if action != choice and expected >= value - (margin if at_stake else 0.0):
                return True
    return False
