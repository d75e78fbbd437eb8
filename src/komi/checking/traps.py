"""Checks that the game can end from every state, for some choice of actions and outcomes.

A state can end if an outcome of positive probability is terminal, or is a state that can end. Passes over the remaining
states, alternately forwards and backwards, propagate this from the terminal states until a fixed point. The states
left over form a trap: from them play never ends.
"""

from typing import Any

import numpy as np

from komi.arrays import Flags
from komi.compiling.compiled import CompiledGame
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, members_down, state_at
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.typing import Rules


def find_trap(compiled: CompiledGame, rules: Rules, states: StateSet, progress: Progress = silent) -> Any | None:
    """Find a state from which the game can never end, whatever the players choose, or None.

    Args:
        compiled: the game.
        rules: its rules.
        states: all reachable non-terminal states.
        progress: called during long work; see `komi.progress`.
    """
    kernel = GraphKernels(compiled)[propagate_endings]
    can_end = np.zeros(states.size, np.bool_)
    known = 0
    downwards = True
    while known < states.size:
        found, unresolved = kernel(rules, states, can_end, downwards)
        if not found:
            return compiled.game.module.State(*states.fields(unresolved))
        known += found
        downwards = not downwards
        progress("finding ends", known, states.size)
    return None


def propagate_endings(rules: Rules, states: StateIndex, can_end: Flags, downwards: bool) -> tuple[int, int]:
    """Update `can_end` for every state that is not yet known to be able to end, in one pass.

    Args:
        rules, states: the rules and all states.
        can_end: bool[states], updated in handle.
        downwards: True to start with the last state.

    Returns:
        The number of states newly found to be able to end, and the index of the last one that was not; -1 if none.
    """
    found = 0
    unresolved = -1
    if downwards:
        for index, handle in members_down(states.keys, len(can_end)):
            if not can_end[index]:
                can_end[index] = _can_end(rules, states, can_end, handle)
                found, unresolved = (found + 1, unresolved) if can_end[index] else (found, index)
    else:
        for index, handle in members(states.keys):
            if not can_end[index]:
                can_end[index] = _can_end(rules, states, can_end, handle)
                found, unresolved = (found + 1, unresolved) if can_end[index] else (found, index)
    return found, unresolved


def _can_end(rules: Rules, states: StateIndex, can_end: Flags, handle: int) -> bool:
    """Return whether an outcome of a state is terminal, or can end according to `can_end`, bool[states]."""
    state = state_at(states, handle)
    for action in legal(rules, state):
        for probability, after, _ in outcomes(rules, state, action):
            if probability > 0.0:
                if over(rules, after):
                    return True
                if can_end[index_of(states, locate(states, after))]:
                    return True
    return False
