"""The order of a staged solve: by stage, and within a stage by the game's `order`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.errors import GameError
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.rules.compiled import CompiledGame
from komi.rules.interface import order, stage
from komi.typing import Rules

BITS = 12
MOST = 1 << BITS
"""The upper bound on the values of `stage` and `order`, exclusive."""


class StagedOrder(NamedTuple):
    """The positions of the states in the solving order.

    Attributes:
        position: int32[states], by index: those of the first stage first.
        ends: the end of each non-empty stage, in order.
    """

    position: NDArray[np.int32]
    ends: list[int]


def stage_states(compiled: CompiledGame, rules: Rules, states: StateSet) -> StagedOrder:
    """Compute the solving order by a counting sort.

    Raises:
        GameError: if a stage or an order is out of range.
    """
    position = np.empty(states.size, np.int32)
    counts = np.zeros(MOST * MOST, np.int64)
    wrong = compiled.kernels[_rank](rules, states, position, counts)
    if wrong >= 0:
        game = compiled.game
        state = game.write(rules, game.module.State(*states.fields(wrong)))
        raise GameError(
            f"{game.file.name}: 'stage' and 'order' must be from 0 to {MOST - 1:,}, but not in {state}.", state
        )
    sizes = counts.reshape(MOST, MOST).sum(axis=1)
    ends = np.cumsum(sizes)[sizes > 0].tolist()
    begins = np.cumsum(counts)
    begins -= counts
    engine_kernels()[_place](position, begins)
    return StagedOrder(position, ends)


def handles_between(states: StateSet, position: NDArray[np.int32], first: int, end: int) -> NDArray[np.int64]:
    """Return the places of the states in a range of positions, by position."""
    places = np.empty(end - first, np.int64)
    engine_kernels()[_list_places](states, position, first, end, places)
    return places


def _rank(rules: Rules, states: StateIndex, position: Any, counts: Any) -> Any:
    """Rank each state, and count the states of each rank; return the index of one that is out of range, or -1."""
    for index, place in members(states.keys):
        state = state_at(states, place)
        major, minor = stage(rules, state), order(rules, state)
        if not (0 <= major < MOST and 0 <= minor < MOST):
            return index
        rank = major << BITS | (MOST - 1 - minor)
        position[index] = rank
        counts[rank] += 1
    return np.int64(-1)


def _place(position: Any, begins: Any) -> None:
    for index in range(len(position)):
        rank = position[index]
        position[index] = begins[rank]
        begins[rank] += 1


def _list_places(states: StateIndex, position: Any, first: int, end: int, places: Any) -> None:
    """Fill in int64[end - first], the places of the states with positions from `first` to `end`, exclusive."""
    for index, place in members(states.keys):
        if first <= position[index] < end:
            places[position[index] - first] = place
