"""The order of a staged solve: by stage, and within a stage by the game's `order`."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I32, I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.rules.interface import order, stage
from komi.typing import Rules

BITS = 12  # of a stage, and of an order: the counting sort has 4 ** BITS counts, 128 MB
RANKS = 1 << BITS
"""The upper bound on the values of `stage` and `order`, exclusive: the two fit into one 32-bit number together."""


class StagedOrder(NamedTuple):
    """The positions of the states in the solving order.

    Attributes:
        position: int32[states], by index: those of the first stage first.
        ends: the end of each non-empty stage, in order.
    """

    position: I32
    ends: list[int]


def stage_states(compiled: CompiledGame, rules: Rules, states: StateSet) -> StagedOrder:
    """Compute the solving order by a counting sort.

    Raises:
        GameError: if a stage or an order is out of range.
    """
    position = np.empty(states.size, np.int32)
    counts = np.zeros(RANKS * RANKS, np.int64)
    wrong = compiled.kernels[_rank](rules, states, position, counts)
    if wrong >= 0:
        game = compiled.game
        state = game.write(rules, game.module.State(*states.fields(wrong)))
        raise GameError(
            f"{game.file.name}: 'stage' and 'order' must be from 0 to {RANKS - 1:,}, but not in {state}.", state
        )
    sizes = counts.reshape(RANKS, RANKS).sum(axis=1)
    ends = np.cumsum(sizes)[sizes > 0].tolist()
    begins = np.cumsum(counts)
    begins -= counts
    engine_kernels()[_sort_by_rank](position, begins)
    return StagedOrder(position, ends)


def handles_between(states: StateSet, position: I32, first: int, end: int) -> I64:
    """Return the handles of the states in a range of positions, by position."""
    handles = np.empty(end - first, np.int64)
    engine_kernels()[_list_handles](states, position, first, end, handles)
    return handles


def _rank(rules: Rules, states: StateIndex, position: I32, counts: I64) -> Any:
    """Rank each state, and count the states of each rank; return the index of one that is out of range, or -1."""
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        major, minor = stage(rules, state), order(rules, state)
        if not (0 <= major < RANKS and 0 <= minor < RANKS):
            return index
        rank = major << BITS | (RANKS - 1 - minor)
        position[index] = rank
        counts[rank] += 1
    return np.int64(-1)


def _sort_by_rank(position: I32, begins: I64) -> None:
    """Replace each rank by a position; `begins` is the first position of each rank, and is modified."""
    for index in range(len(position)):
        rank = position[index]
        position[index] = begins[rank]
        begins[rank] += 1


def _list_handles(states: StateIndex, position: I32, first: int, end: int, handles: I64) -> None:
    """Fill in int64[end - first], the handles of the states with positions from `first` to `end`, exclusive."""
    for index, handle in members(states.keys):
        if first <= position[index] < end:
            handles[position[index] - first] = handle
