"""The Markov chain of all games of a learner against optimal play, in topological order of its components."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I16, I32, I64
from komi.evaluation.play_search import with_capacity
from komi.graph.lookup import StateIndex, index_of, is_member, locate, state_at
from komi.rules.interface import legal, outcomes, over

CLOSED = 2**31 - 1  # low-link of a node whose component is complete


class Chain(NamedTuple):
    """The nodes (state, mover) of all games of any learner against optimal play, in topological order.

    Attributes:
        nodes: int64[.], handle of the state * 2 + mover (0: the learner, 1: its opponent).
        indices: int32[.], the indices of the states.
        ends: int64[components], one past the last node of each strongly connected component.
    """

    nodes: I64
    indices: I32
    ends: I64

    @classmethod
    def of(cls, nodes: I64, indices: I32, components: I64) -> "Chain":
        """Create the chain from the result of `sort_nodes`."""
        by_component = np.argsort(-components, kind="stable")
        ends = np.flatnonzero(np.diff(components[by_component], append=-1)) + 1
        return cls(nodes[by_component], indices[by_component], ends)


def sort_nodes(rules: Any, states: StateIndex, optimal: I16, start: int, links: I32) -> tuple[I64, I32, I64]:
    """Enumerate the reachable nodes (state, mover) in reverse post-order, with their strongly connected components.

    R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM Journal on Computing 1, 1972.

    Args:
        rules: the rules.
        states: the set of states.
        optimal: int16[states], the opponent's actions; the learner can take any action.
        start: the handle of the initial state.
        links: int32[2, 2, states] of 0, filled in for each mover: the discovery index, from 1, and the low-link; at the
            end the number of the component, and CLOSED.

    Returns:
        (int64[.] handle * 2 + mover (0: the learner), int32[.] the index of the state, int64[.] the number of the
        component: successors have smaller numbers)
    """
    order, finished = np.empty(1024, np.int64), 0
    stack, height = np.empty(1024, np.int64), 2
    open_nodes, open_count = np.empty(1024, np.int64), 0
    stack[0], stack[1] = start * 2, start * 2 + 1
    discovered = 0
    component_count = 0
    while height:
        height -= 1
        node = stack[height]
        is_return = node < 0
        if is_return:
            node = -1 - node
        mover, handle = node & 1, node >> 1
        index = index_of(states, handle)
        if not is_return:
            if links[0, mover, index]:
                continue
            discovered += 1
            links[0, mover, index] = discovered
            links[1, mover, index] = discovered
            stack[height] = -1 - node
            height += 1
            open_nodes = with_capacity(open_nodes, open_count)
            open_nodes[open_count] = node
            open_count += 1
        low_link = links[1, mover, index]
        state = state_at(states, handle)
        for action in legal(rules, state):
            if mover == 1 and action != optimal[index]:
                continue
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                next_handle = locate(states, after)
                next_mover = mover ^ (passes & 1)
                if not is_member(states, next_handle):
                    continue
                next_index = index_of(states, next_handle)
                if is_return:
                    if links[1, next_mover, next_index] != CLOSED:
                        low_link = min(low_link, links[1, next_mover, next_index])
                elif not links[0, next_mover, next_index]:
                    stack = with_capacity(stack, height)
                    stack[height] = next_handle * 2 + next_mover
                    height += 1
        if is_return:
            links[1, mover, index] = low_link
            order = with_capacity(order, finished)
            order[finished] = node
            finished += 1
            if low_link == links[0, mover, index]:
                open_count = _close_component(states, node, open_nodes, open_count, component_count, links)
                component_count += 1
    nodes = order[:finished][::-1].copy()
    indices, components = np.empty(finished, np.int32), np.empty(finished, np.int64)
    for i in range(finished):
        indices[i] = index_of(states, nodes[i] >> 1)
        components[i] = links[0, nodes[i] & 1, indices[i]]
    return nodes, indices, components


def _close_component(
    states: StateIndex, root: int, open_nodes: I64, open_count: int, component: int, links: I32
) -> int:
    """Assign its number to the nodes of a complete component; return the number of nodes that stay open."""
    while True:
        open_count -= 1
        closed = open_nodes[open_count]
        index = index_of(states, closed >> 1)
        links[0, closed & 1, index] = component + 1
        links[1, closed & 1, index] = CLOSED
        if closed == root:
            return open_count
