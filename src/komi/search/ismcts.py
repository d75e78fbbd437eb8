"""Monte Carlo tree search in games with hidden information, for any number of players.

Each iteration begins in a state drawn for what the player to move observes, and a node is an information set of its
player: what it observes, and its seat (P. I. Cowling, E. J. Powley, D. Whitehouse, "Information set Monte Carlo tree
search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). Each player selects the action
with the greatest upper confidence bound on what it receives itself, as in `mcts`; chance is sampled.

All drawn states have the searcher's own cards. Results after the other players' choices are therefore not kept, as if
they knew these cards. Their choices are learned in iterations of their own, from states that are drawn again for what
they observe (J. Goodman, "Re-determinizing MCTS in Hanabi", IEEE Conference on Games 2019); in the searcher's
iterations they take the action that was tried most.

With a limited depth all nodes below it are complete states, of a few that are drawn before the search: depth 1 is
perfect information Monte Carlo search (PIMC), a greater one PIMC with postponed evaluation (J. Arjonilla, A.
Saffidine, T. Cazenave, "Perfect information Monte Carlo with postponing reasoning", arXiv:2408.02380, 2024). The
subgame above the depth is searched by the same upper confidence bounds.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.steps import advance
from komi.game import CHANCE
from komi.jit.clock import now
from komi.jit.specialization import never_inline
from komi.rules.interface import over, pick, state_from, view
from komi.search.determinization import (
    Determinization,
    draw_state,
    draw_worlds,
    is_blind,
    is_known,
    next_state,
    node_key,
)
from komi.search.mcts import CLOCK_INTERVAL, MAX_PATH, Walk, best_edge, select, update, write_estimates
from komi.search.playouts import PolicyStatus, is_chance_node, is_forced, play_out, settle, share
from komi.search.tree import (
    FIRST_SLOTS,
    NOT_EXPANDED,
    Tree,
    add_node,
    expand,
    find_slot,
    grown,
    needs_space,
    new_tree,
)
from komi.streams import Stream, next_number, stream_from
from komi.typing import PolicyData, Rules, State

SEAT, KEEPS_ALL, PENDING = range(3)  # the entries of `Roles.role`
NO_SEAT = -1


class DrawingBudget(NamedTuple):
    """The limits of a search, and its objective.

    Attributes:
        playouts: the greatest number of playouts.
        seconds: the time limit; 0.0 without one.
        exploration: the constant of the upper confidence bound.
        seats: the number of players.
        sign: -1.0 if the only player minimizes, otherwise 1.0.
        determinization: how to draw what the player to move does not see.
    """

    playouts: int
    seconds: float
    exploration: float
    seats: int
    sign: float
    determinization: Determinization


class Roles(NamedTuple):
    """Whose choices an iteration learns from.

    Attributes:
        role: int64[3], the seat that moves first; 1 if the results of all players' choices are kept, 0 for those of
            seat 0 alone; the seat that is to move in `pending`, or NO_SEAT.
        pending: int64[1, fields], the first state in which another player's choice was not kept.
    """

    role: I64
    pending: I64


@never_inline
def choose_by_ismcts(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    """Return the action that was tried most; ENDLESS or UNREACHABLE if there is none.

    Args:
        rules: the rules.
        state: what the player to move observes.
        uniform: a uniform random number in [0, 1), which determines the search.
        data: the `DrawingBudget`, and the data of the leaf policy.
    """
    if is_forced(rules, state):
        return pick(rules, state, uniform)[1]
    return search(rules, state, uniform, data, np.empty((0, 4)))


def search(rules: Rules, state: State, uniform: float, data: PolicyData, estimates: F64) -> int:
    """Search from a state, and return the action that was tried most; ENDLESS or UNREACHABLE if there is none.

    Args:
        rules: the rules.
        state: what the player to move observes.
        uniform: a uniform random number in [0, 1), which determines the search.
        data: the `DrawingBudget`, and the data of the leaf policy.
        estimates: float64[actions, 4], modified in place: each action, how often it was tried, and the sums of the
            mover's results after it and of their squares; actions without a row are left out.
    """
    budget, _ = data
    draws = budget.determinization
    if not is_known(state, draws):
        return PolicyStatus.UNREACHABLE
    root = node_key(rules, state, 0, 0, draws)
    tree, stream = new_tree(FIRST_SLOTS, FIRST_SLOTS), stream_from(uniform, root)
    walk = Walk(
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH),
        np.empty(budget.seats),
        np.array([np.inf, -np.inf]),
    )
    roles = Roles(np.zeros(3, np.int64), np.empty((1, len(state)), np.int64))
    worlds = draw_worlds(rules, state, draws, stream)
    until = now() + budget.seconds if budget.seconds > 0.0 else np.inf
    has_ended, done = False, 0
    while done < budget.playouts:
        if needs_space(tree):
            tree = grown(tree)
        done += 1
        drawn = next_state(rules, state, done, worlds, draws, stream)
        roles.role[SEAT], roles.role[KEEPS_ALL], roles.role[PENDING] = 0, not is_blind(draws), NO_SEAT
        has_ended |= iterate(rules, drawn, 2 * done, tree, walk, roles, stream, data)
        if roles.role[PENDING] != NO_SEAT:
            learn_choice(rules, 2 * done + 1, tree, walk, roles, stream, data)
        if budget.seconds > 0.0 and done & CLOCK_INTERVAL == 0 and now() > until:
            break
    if not has_ended:
        return PolicyStatus.ENDLESS
    slot = find_slot(tree, root)
    write_estimates(tree, slot, estimates)
    best = best_edge(tree, slot)
    return int(tree.actions[best]) if best >= 0 else pick(rules, state, uniform)[1]


def learn_choice(
    rules: Rules,
    number: int,
    tree: Tree,
    walk: Walk,
    roles: Roles,
    stream: Stream,
    data: PolicyData,
) -> None:
    """Play on from the pending state, redrawn for its player, who does not know what the searcher sees."""
    observation = view(rules, state_from(roles.pending, 0))
    roles.role[SEAT], roles.role[KEEPS_ALL] = roles.role[PENDING], 1
    drawn = draw_state(rules, observation, data[0].determinization, stream)
    iterate(rules, drawn, number, tree, walk, roles, stream, data)


@never_inline
def iterate(
    rules: Rules,
    state: State,
    number: int,
    tree: Tree,
    walk: Walk,
    roles: Roles,
    stream: Stream,
    data: PolicyData,
) -> bool:
    """Walk through the tree to a new state, play out from there, and update the walk's edges.

    Args:
        rules: the rules.
        state: the state from which the search begins.
        number: the number of the iteration, from 1.
        tree: modified in place.
        walk: buffers.
        roles: whose choices to learn from.
        stream: the source of random numbers.
        data: the `DrawingBudget`, and the data of the leaf policy.

    Returns:
        Whether the game has ended.
    """
    budget, leaf = data
    seat, length, has_ended = roles.role[SEAT], 0, False
    for _ in range(MAX_PATH):
        if over(rules, state):
            settle(rules, state, seat, 0.0, walk.returns)
            has_ended = True
            break
        action = CHANCE
        if not is_chance_node(rules, state):
            key = node_key(rules, state, seat, length, budget.determinization)
            slot = find_slot(tree, key)
            is_new = tree.keys[slot] == 0
            if is_new:
                add_node(tree, slot, key)
            is_leaf = is_new or tree.stamps[slot] == number
            tree.stamps[slot] = number
            if is_leaf or (tree.first[slot] == NOT_EXPANDED and not expand(rules, state, tree, slot)):
                has_ended = play_out(rules, state, seat, leaf, stream, walk.returns)
                break
            if seat == 0 or roles.role[KEEPS_ALL]:
                edge = select(tree, slot, budget.exploration, walk.extremes, next_number(stream))
                walk.slots[length], walk.edges[length], walk.movers[length] = slot, edge, seat
                walk.gains[length] = 0.0
                length += 1
            else:
                leave_pending(state, seat, roles)
                if tree.visits[slot] == 0:
                    has_ended = play_out(rules, state, seat, leaf, stream, walk.returns)
                    break
                edge = best_edge(tree, slot)
            action = tree.actions[edge]
        step = advance(rules, state, seat, budget.seats, action, next_number(stream))
        if length > 0:
            walk.gains[length - 1] += step.gain
        state, seat = step.after, step.seat
    else:
        share(0.0, walk.returns)
    update(tree, walk, length, budget.sign)
    return has_ended


def leave_pending(state: State, seat: int, roles: Roles) -> None:
    """Write a state into the pending one, unless there is one."""
    if roles.role[PENDING] == NO_SEAT:
        roles.role[PENDING] = seat
        for i in range(len(state)):
            roles.pending[0, i] = state[i]
