"""Whether the game can end: from every state, if the players want it and luck lets them.

A state can end if some outcome that has a chance is an end, or a state that can. Sweeps over the states
that are not yet known to, up and down by turns, carry this back from the ends; what is left when a sweep
finds nothing new are states that play never gets out of, and where it never ends.
"""

from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.places import index_of, locate, members, members_down, state_at
from komi.compile.rulebook import legal, outcomes, over
from komi.model.states import StateSet
from komi.progress import Progress, silent


def trap(compiled: CompiledGame, rules: Any, states: StateSet, progress: Progress = silent) -> Any | None:
    """A state from which the game never ends, whatever is done; None if there is none.

    Args:
        compiled: the game.
        rules: its rules.
        states: all states that play can reach, the game not over.
        progress: called during long work; see `komi.progress`.
    """
    kernel = compiled.kernels[sweep]
    can_end = np.zeros(states.size, np.bool_)
    known = 0
    downwards = True
    while known < states.size:
        found, left = kernel(rules, states.layout, states.keys, states.ranks, can_end, downwards)
        if not found:
            return compiled.game.module.State(*states.fields(left))
        known += found
        downwards = not downwards
        progress("finding ends", known, states.size)
    return None


def sweep(rules: Any, layout: Any, keys: Any, ranks: Any, can_end: Any, downwards: bool) -> tuple[int, int]:
    """Look at every state that is not yet known to be able to end, once.

    Args:
        rules, layout, keys, ranks: the rules and the `StateSet`.
        can_end: bool[states], filled in.
        downwards: whether to begin with the last state.

    Returns:
        how many were found to be, and the index of the last one that was not.
    """
    found = 0
    left = -1
    if downwards:
        for index, place in members_down(keys, len(can_end)):
            if not can_end[index]:
                can_end[index] = _ends(rules, layout, keys, ranks, can_end, place)
                found, left = (found + 1, left) if can_end[index] else (found, index)
    else:
        for index, place in members(keys):
            if not can_end[index]:
                can_end[index] = _ends(rules, layout, keys, ranks, can_end, place)
                found, left = (found + 1, left) if can_end[index] else (found, index)
    return found, left


def _ends(rules: Any, layout: Any, keys: Any, ranks: Any, can_end: Any, place: int) -> bool:
    """Whether a state leads to the end, or to one that can end by bool[states], `can_end`."""
    state = state_at(layout, keys, place)
    for action in legal(rules, state):
        for probability, after, _ in outcomes(rules, state, action):
            if probability > 0.0:
                if over(rules, after):
                    return True
                if can_end[index_of(keys, ranks, locate(layout, keys, ranks, after))]:
                    return True
    return False
