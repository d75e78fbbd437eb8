"""Monte Carlo tree search with chance nodes, for any number of players.

UCT (L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006) with a value for each seat: each player
selects the action with the greatest upper confidence bound on what it receives itself,

    mean(action) + exploration * range * sqrt(ln(visits of the state) / visits of the action),

where `range` is the difference of the greatest and the least result so far, so that points and probabilities need no
different constants. An outcome of chance is sampled in each visit with its own probability. States are shared between
paths (`tree`); an iteration that meets a state twice plays out from there.

The n-th iterations of all actions in the root use the same random numbers, turn by turn, so that much of the noise
cancels when the actions are compared (common random numbers: J. Veness, M. Lanctot, M. Bowling, "Variance reduction in
Monte-Carlo tree search", NIPS 2011).
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.steps import advance
from komi.game import CHANCE
from komi.jit.clock import now
from komi.jit.specialization import never_inline
from komi.rules.interface import over, pick
from komi.search.playouts import PolicyStatus, is_chance_node, is_forced, play_out, settle, share
from komi.search.tree import (
    FIRST_SLOTS,
    NOT_EXPANDED,
    Tree,
    add_node,
    expand,
    find_slot,
    grown,
    hash_state,
    needs_space,
    new_tree,
)
from komi.streams import Stream, begin_game, begin_turn, next_number, stream_from
from komi.typing import PolicyData, Rules, State

MAX_PATH = 4096  # actions in the tree, chance moves included, after which a playout begins
CLOCK_INTERVAL = 15  # iterations between two readings of the clock: a power of two less one


class Budget(NamedTuple):
    """The limits of a search, and its objective.

    Attributes:
        playouts: the greatest number of playouts.
        seconds: the time limit; 0.0 without one.
        exploration: the constant of the upper confidence bound.
        seats: the number of players.
        sign: -1.0 if the only player minimizes, otherwise 1.0.
    """

    playouts: int
    seconds: float
    exploration: float
    seats: int
    sign: float


class Walk(NamedTuple):
    """The path of one iteration through the tree.

    Attributes:
        slots: int64[MAX_PATH], the nodes.
        edges: int64[MAX_PATH], the edges taken.
        movers: int64[MAX_PATH], the seats that chose them.
        gains: float64[MAX_PATH], the rewards from an edge to the next.
        returns: float64[seats], what each seat receives after the last edge.
        extremes: float64[2], the least and the greatest result of all iterations.
    """

    slots: I64
    edges: I64
    movers: I64
    gains: F64
    returns: F64
    extremes: F64


@never_inline
def choose_by_mcts(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    """Return the action that was tried most; ENDLESS if no playout has reached an end of the game.

    Args:
        rules: the rules.
        state: the state, as the player to move sees it.
        uniform: a uniform random number in [0, 1), which determines the search.
        data: the `Budget`, and the data of the leaf policy.
    """
    if is_forced(rules, state):
        return pick(rules, state, uniform)[1]
    return search(rules, state, uniform, data, np.empty((0, 4)))


def search(rules: Rules, state: State, uniform: float, data: PolicyData, estimates: F64) -> int:
    """Search from a state, and return the action that was tried most.

    Args:
        rules: the rules.
        state: the state, as the player to move sees it.
        uniform: a uniform random number in [0, 1), which determines the search.
        data: the `Budget`, and the data of the leaf policy.
        estimates: float64[actions, 4], modified in place: each action, how often it was tried, and the sums of the
            mover's results after it and of their squares; actions without a row are left out.
    """
    budget, _ = data
    root = hash_state(state)
    tree, stream = new_tree(FIRST_SLOTS, FIRST_SLOTS), stream_from(uniform, root)
    walk = Walk(
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH),
        np.empty(budget.seats),
        np.array([np.inf, -np.inf]),
    )
    until = now() + budget.seconds if budget.seconds > 0.0 else np.inf
    has_ended, done = False, 0
    while done < budget.playouts:
        if needs_space(tree):
            tree = grown(tree)
        done += 1
        has_ended |= iterate(rules, state, done, tree, walk, stream, data)
        if budget.seconds > 0.0 and done & CLOCK_INTERVAL == 0 and now() > until:
            break
    if not has_ended:
        return PolicyStatus.ENDLESS
    slot = find_slot(tree, root)
    write_estimates(tree, slot, estimates)
    best = best_edge(tree, slot)
    return int(tree.actions[best]) if best >= 0 else pick(rules, state, uniform)[1]


@never_inline
def iterate(rules: Rules, state: State, number: int, tree: Tree, walk: Walk, stream: Stream, data: PolicyData) -> bool:
    """Walk through the tree to a new state, play out from there, and update the walk's edges.

    Args:
        rules: the rules.
        state: the state from which the search begins.
        number: the number of the iteration, from 1.
        tree: modified in place.
        walk: buffers.
        stream: the source of random numbers.
        data: the `Budget`, and the data of the leaf policy.

    Returns:
        Whether the game has ended.
    """
    budget, leaf = data
    seat, length, has_ended = 0, 0, False
    for _ in range(MAX_PATH):
        if over(rules, state):
            settle(rules, state, seat, 0.0, walk.returns)
            has_ended = True
            break
        action = CHANCE
        if not is_chance_node(rules, state):
            key = hash_state(state)
            slot = find_slot(tree, key)
            is_new = tree.keys[slot] == 0
            if is_new:
                add_node(tree, slot, key)
            is_leaf = is_new or tree.stamps[slot] == number
            tree.stamps[slot] = number
            if is_leaf or (tree.first[slot] == NOT_EXPANDED and not expand(rules, state, tree, slot)):
                has_ended = play_out(rules, state, seat, leaf, stream, walk.returns)
                break
            edge = select(tree, slot, budget.exploration, walk.extremes, next_number(stream))
            walk.slots[length], walk.edges[length], walk.movers[length] = slot, edge, seat
            walk.gains[length] = 0.0
            if length == 0:
                begin_game(stream, tree.tried[edge] + 1)
            length += 1
            action = tree.actions[edge]
        step = advance(rules, state, seat, budget.seats, action, next_number(stream))
        if step.passes > 0:
            begin_turn(stream)
        if length > 0:
            walk.gains[length - 1] += step.gain
        state, seat = step.after, step.seat
    else:
        share(0.0, walk.returns)
    update(tree, walk, length, budget.sign)
    return has_ended


def select(tree: Tree, slot: int, exploration: float, extremes: F64, uniform: float) -> int:
    """Return the edge of a node with the greatest upper confidence bound; one that was never tried comes first."""
    first, count = tree.first[slot], tree.counts[slot]
    spread = extremes[1] - extremes[0]
    bonus = exploration * (spread if spread > 0.0 else 1.0) * np.sqrt(np.log(max(tree.visits[slot], 1)))
    offset = int(uniform * count)
    best, highest = first, -np.inf
    for index in range(count):
        edge = first + index + offset
        edge -= count * (edge >= first + count)
        tried = tree.tried[edge]
        if tried == 0:
            return int(edge)
        bound = tree.sums[edge] / tried + bonus / np.sqrt(tried)
        if bound > highest:
            best, highest = edge, bound
    return int(best)


def update(tree: Tree, walk: Walk, length: int, sign: float) -> None:
    """Add the result of an iteration to the edges of its walk, the last first."""
    is_alone, gain = len(walk.returns) == 1, 0.0
    for index in range(length - 1, -1, -1):
        slot, edge = walk.slots[index], walk.edges[index]
        if is_alone:
            gain += walk.gains[index]
        result = sign * (walk.returns[walk.movers[index]] + gain)
        tree.visits[slot] += 1
        tree.tried[edge] += 1
        tree.sums[edge] += result
        tree.squares[edge] += result * result
        walk.extremes[0] = min(walk.extremes[0], result)
        walk.extremes[1] = max(walk.extremes[1], result)


def best_edge(tree: Tree, slot: int) -> int:
    """Return the edge of a node that was tried most, of several that with the greatest mean; -1 if none was."""
    best = -1
    if tree.keys[slot] == 0 or tree.first[slot] == NOT_EXPANDED:
        return best
    for edge in range(tree.first[slot], tree.first[slot] + tree.counts[slot]):
        if tree.tried[edge] == 0:
            continue
        is_tied = best >= 0 and tree.tried[edge] == tree.tried[best]
        if best < 0 or tree.tried[edge] > tree.tried[best] or (is_tied and tree.sums[edge] > tree.sums[best]):
            best = edge
    return best


def write_estimates(tree: Tree, slot: int, estimates: F64) -> None:
    """Write each edge of a node as (action, how often it was tried, sum of results, sum of squares)."""
    if tree.keys[slot] == 0 or tree.first[slot] == NOT_EXPANDED:
        return
    for row in range(min(len(estimates), tree.counts[slot])):
        edge = tree.first[slot] + row
        estimates[row, 0], estimates[row, 1] = tree.actions[edge], tree.tried[edge]
        estimates[row, 2], estimates[row, 3] = tree.sums[edge], tree.squares[edge]
