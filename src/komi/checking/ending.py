"""Whether the game can end: from every state, if the players want it and luck lets them.

A state can end if some outcome that has a chance is an end, or a state that can. Sweeps over the states
that are not yet known to, up and down by turns, carry this back from the ends; what is left when a sweep
finds nothing new are states that play never gets out of, and where it never ends.
"""

from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.rulebook import legal, outcomes, over, pack, unpack
from komi.model.states import StateSet
from komi.progress import Progress, silent


def trap(compiled: CompiledGame, rules: Any, states: StateSet, progress: Progress = silent) -> Any | None:
    """A state from which the game never ends, whatever is done; None if there is none.

    Args:
        compiled: the game.
        rules: its rules.
        states: all states that play can reach, the game not over.
        progress: is told how many states can end.
    """
    kernel = compiled.kernels[sweep]
    can_end = np.zeros_like(states.bits)
    known = 0
    downwards = True
    while known < states.size:
        found, left = kernel(rules, states.layout, states.bits, can_end, downwards)
        if not found:
            return compiled.game.module.State(*states.layout.fields(left))
        known += found
        downwards = not downwards
        progress("finding ends", known, states.size)
    return None


def sweep(rules: Any, layout: Any, bits: Any, can_end: Any, downwards: bool) -> tuple[int, int]:
    """Look at every state that is not yet known to be able to end, once.

    Returns:
        how many were found to be, and the word of the last one that was not.
    """
    found = 0
    left = -1
    for i in range(len(bits)):
        block = len(bits) - 1 - i if downwards else i
        unknown = bits[block] & ~can_end[block]
        for j in range(64 if unknown else 0):
            word = (block << 6) + (63 - j if downwards else j)
            bit = np.uint64(1) << np.uint64(word & 63)
            if unknown & bit:
                if _ends(rules, layout, can_end, unpack(layout, word)):
                    can_end[block] |= bit
                    found += 1
                else:
                    left = word
    return found, left


def _ends(rules: Any, layout: Any, can_end: Any, state: Any) -> bool:
    for action in legal(rules, state):
        for probability, after, _ in outcomes(rules, state, action):
            if probability > 0.0:
                if over(rules, after):
                    return True
                word = pack(layout, after)
                if can_end[word >> 6] & (np.uint64(1) << np.uint64(word & 63)):
                    return True
    return False
