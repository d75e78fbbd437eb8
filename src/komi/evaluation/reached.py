"""Which states a policy comes to when it plays itself."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import rank
from komi.compile.rulebook import legal, outcomes, over, pack, unpack
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
    start = states.word(solution.game.part("start")(solution.rules))
    kernel = solution.compiled.kernels[_follow]
    kernel(solution.rules, states.layout, states.bits, states.ranks, actions, start, marks, stack)
    return marks


def _follow(rules: Any, layout: Any, bits: Any, ranks: Any, actions: Any, start: int, marks: Any, stack: Any) -> None:
    """Mark all states that the actions lead to; each is on the stack once at most."""
    marks[rank(bits, ranks, start)] = True
    stack[0] = start
    height = 1
    while height:
        height -= 1
        here = stack[height]
        state = unpack(layout, here)
        choice = actions[rank(bits, ranks, here)]
        for action in legal(rules, state):
            if choice != UNIFORM and action != choice:
                continue
            for probability, after, _ in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                word = pack(layout, after)
                index = rank(bits, ranks, word)
                if not marks[index]:
                    marks[index] = True
                    stack[height] = word
                    height += 1
