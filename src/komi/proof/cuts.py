"""The states that a certificate stores: they cut all cycles of play, so that all others follow from them."""

from typing import NamedTuple

import numpy as np

from komi.arrays import I8, I64, Flags
from komi.graph.explicit import ExplicitModel
from komi.jit.kernels import engine_kernels

WEAK_LOWER, WEAK_UPPER = 1, 2  # the value of a node that may equal its backup


class Cut(NamedTuple):
    """States that cut all cycles, and an order of all states in which values follow from each other.

    Attributes:
        stored: bool[states], True for the states that cut all cycles.
        order: int64[reached], the states that play reaches, each after its successors, except for stored ones.
        weak: int8[states], `WEAK_LOWER` or `WEAK_UPPER` if this value may equal its backup (theorem 4); else 0.
    """

    stored: Flags
    order: I64
    weak: I8


def cut_cycles(model: ExplicitModel, start: int) -> Cut:
    """Find states that cut all cycles: those to which an edge of a depth-first search leads back.

    Args:
        model: the game.
        start: the index of the initial state; only what play reaches from it gets a place in the order.
    """
    count = len(model.ends)
    cut = Cut(np.zeros(count, np.bool_), np.empty(count, np.int64), np.zeros(count, np.int8))
    found = engine_kernels()[search](model, start, cut.order, cut.stored)
    return cut._replace(order=cut.order[:found])


def search(model: ExplicitModel, start: int, order: I64, stored: Flags) -> int:
    """Search all states from `start`, depth first, and fill in the order and the stored states; return how many."""
    count = len(order)
    is_visited, is_open = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    stack, following = np.empty(count, np.int64), np.empty(count, np.int64)
    stack[0], following[0] = start, first_outcome(model, start)
    is_visited[start] = is_open[start] = True
    depth = finished = 0
    while depth >= 0:
        state = stack[depth]
        if following[depth] == model.outcome_ends[model.ends[state] - 1]:
            is_open[state] = False
            order[finished] = state
            finished += 1
            depth -= 1
            continue
        target = model.target[following[depth]]
        following[depth] += 1
        if target < 0:  # the game is over
            continue
        if is_open[target]:
            stored[target] = True
        elif not is_visited[target]:
            depth += 1
            stack[depth], following[depth] = target, first_outcome(model, target)
            is_visited[target] = is_open[target] = True
    return finished


def first_outcome(model: ExplicitModel, state: int) -> int:
    """Return the index of the first outcome of a state's first action."""
    action = model.ends[state - 1] if state else 0
    return model.outcome_ends[action - 1] if action else 0
