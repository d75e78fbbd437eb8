"""Detection of ties: whether optimal two-player play reaches a choice between actions with the same value.

Floats cannot distinguish equal values from values that differ in the last place. Where less than `AT_STAKE` can be won
or lost the last place is meaningless: there no action counts as tied with the chosen one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import to_mover
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over, payoff
from komi.typing import Rules

AT_STAKE = 1e-6


def has_tie(
    compiled: CompiledGame,
    rules: Rules,
    states: StateSet,
    starts: Sequence[Any],
    values: NDArray[np.float64],
    choices: NDArray[np.int16],
    margin: float,
) -> bool:
    """Return whether play under the chosen policy from any of the starts reaches a state with a tied action.

    If it does not, no other play from there is optimal. Only states that such play reaches are visited.

    Args:
        compiled, rules: the game.
        states: all states that are reachable from the starts.
        starts: states.
        values, choices: float64[states] and int16[states], of optimal play.
        margin: the largest difference between tied values.
    """
    first = np.unique([states.handle(start) for start in starts])
    places = np.empty(states.size, np.int64)
    places[: len(first)] = first
    marks = np.zeros(states.size, np.bool_)
    kernel = compiled.kernels[_find_tie]
    return bool(kernel(rules, states, values, choices, margin, marks, places, len(first)))


def _find_tie(
    rules: Rules,
    states: StateIndex,
    values: Any,
    choices: Any,
    margin: float,
    marks: Any,
    places: Any,
    height: int,
) -> bool:
    """Search for a tie, depth first, from the `height` starts on the stack `places`.

    A stack with one entry per state suffices, because each state is pushed once, starts included.
    """
    for start in range(height):
        marks[index_of(states, places[start])] = True
    while height:
        height -= 1
        here = places[height]
        state = state_at(states, here)
        index = index_of(states, here)
        value, choice = values[index], choices[index]
        at_stake = min(value, 1.0 - value) > AT_STAKE
        for action in legal(rules, state):
            if action != choice and not at_stake:
                continue
            worth = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if over(rules, after):
                    theirs = payoff(rules, after)
                else:
                    place = locate(states, after)
                    target = index_of(states, place)
                    theirs = values[target]
                    if action == choice and probability > 0.0 and not marks[target]:
                        marks[target] = True
                        places[height] = place
                        height += 1
                worth += probability * to_mover(theirs, passes)
            if action != choice and worth >= value - margin:
                return True
    return False
