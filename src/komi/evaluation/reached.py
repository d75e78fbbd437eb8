"""Which states a policy comes to when it plays itself."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.places import index_of, locate, state_at
from komi.compile.rulebook import legal, outcomes, over
from komi.methods.answer import Answer
from komi.methods.backup.rows import UNIFORM


def reached(solution: Answer[Any], actions: NDArray[np.int16]) -> NDArray[np.bool_]:
    """bool[states], whether a game from the start in which both play these actions can come to the state.

    Args:
        solution: the game; its states are those of `actions`.
        actions: int16[states], the policy as `agents.tabulate` lists it.
    """
    states = solution.values.states
    marks = np.zeros(states.size, np.bool_)
    stack = np.empty(states.size, np.int64)
    start = states.place(solution.game.part("start")(solution.rules))
    kernel = solution.compiled.kernels[_follow]
    kernel(solution.rules, states.layout, states.keys, states.ranks, actions, start, marks, stack)
    return marks


def _follow(rules: Any, layout: Any, keys: Any, ranks: Any, actions: Any, start: int, marks: Any, stack: Any) -> None:
    """Mark all states that the actions lead to; each is on the stack once at most."""
    marks[index_of(keys, ranks, start)] = True
    stack[0] = start
    height = 1
    while height:
        height -= 1
        here = stack[height]
        state = state_at(layout, keys, here)
        choice = actions[index_of(keys, ranks, here)]
        for action in legal(rules, state):
            if choice != UNIFORM and action != choice:
                continue
            for probability, after, _ in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                place = locate(layout, keys, ranks, after)
                index = index_of(keys, ranks, place)
                if not marks[index]:
                    marks[index] = True
                    stack[height] = place
                    height += 1
