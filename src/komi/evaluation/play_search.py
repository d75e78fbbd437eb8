"""Depth-first search of play: the states that play between given policies reaches, in topological order."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I8, I16, I64, Flags
from komi.bellman import UNIFORM
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution

UNSEEN, ON_PATH, DONE, HAS_LOOP = 0, 1, 2, 4  # bit flags of a state


class PlayOrder(NamedTuple):
    """The states that play reaches.

    Attributes:
        marks: int8[roles, states], UNSEEN, or DONE, with HAS_LOOP if an outcome leads to the same state and role.
        orders: for each role, int64[.], the handles of its states. Of two states in one turn, that from which play
            reaches the other comes first, unless they are on a cycle.
        feedback: for each role, int64[.], the indices of the states at which cycles within a turn close.
    """

    marks: I8
    orders: list[I64]
    feedback: list[I64]


def reached(solution: Solution[Any], actions: I16) -> Flags:
    """Return bool[states], True for states reachable from the start if every seat plays these actions.

    Args:
        solution: the solved game; its states are indexed like `actions`.
        actions: int16[states], the policy as tabulated by `policies.tabulate`.
    """
    return reached_in_roles(solution.compiled, solution.rules, solution.arrays.states, [actions])[:, 0]


def reached_in_roles(compiled: CompiledGame, rules: Any, states: StateSet, policies: Sequence[I16]) -> Flags:
    """Return bool[states, roles], True for states reachable from the start with this role to move.

    Every role may make the first move.

    Args:
        compiled: the game.
        rules: its rules.
        states: all reachable states.
        policies: one policy per role, int16[states] of actions, or FREE or UNIFORM where any action is possible.
    """
    order = order_play(compiled, rules, states, np.stack(policies), first_roles=len(policies))
    return np.ascontiguousarray((order.marks != UNSEEN).T)


def order_play(compiled: CompiledGame, rules: Any, states: StateSet, policies: I16, first_roles: int = 1) -> PlayOrder:
    """Search the states that play reaches, depth first within each turn.

    Args:
        compiled: the game.
        rules: its rules.
        states: all reachable states.
        policies: int16[roles, states], as in `reached_in_roles`.
        first_roles: the number of roles that may make the first move.
    """
    roles = len(policies)
    marks = np.zeros(policies.shape, np.int8)
    start = states.handle(compiled.game.part("start")(rules))
    order, feedback = compiled.kernels[search_play](rules, states, policies, start, first_roles, marks)
    return PlayOrder(
        marks,
        [np.ascontiguousarray(order[order % roles == role][::-1] // roles) for role in range(roles)],
        [np.unique(feedback[feedback % roles == role]) // roles for role in range(roles)],
    )


def policy_outcomes(rules: Any, state: Any, choice: int) -> Iterator[tuple[int, float, Any, int]]:
    """Yield (action, probability, next state, passes) of each outcome of the actions that a policy takes.

    Args:
        rules: the rules.
        state: the state.
        choice: the policy's action, or UNIFORM, which takes each legal action with equal probability.
    """
    count = 1
    if choice == UNIFORM:
        count = 0
        for _ in legal(rules, state):
            count += 1
    for action in legal(rules, state):
        if choice == UNIFORM or action == choice:
            for probability, after, passes in outcomes(rules, state, action):
                yield action, probability / count, after, passes


def search_play(
    rules: Any, states: StateIndex, policies: I16, start: int, first_roles: int, marks: I8
) -> tuple[I64, I64]:
    """Return the states in postorder, and the feedback states, some several times.

    Depth-first search through each turn, and from the ends of turns to the next ones. In postorder, a state comes
    after all its successors in the turn, except those that close a cycle. Pairs of state and role are numbered
    handle * roles + role in the order and on the stacks, and index * roles + role in the feedback.

    Args:
        rules: the rules.
        states: the set of states.
        policies: int16[roles, states], actions, UNIFORM or FREE.
        start: the handle of the initial state.
        first_roles: the number of roles that may make the first move.
        marks: int8[roles, states], UNSEEN; modified in place.
    """
    roles = len(policies)
    order, size = np.empty(64, np.int64), 0
    feedback, feedback_size = np.empty(64, np.int64), 0
    stack, height = np.empty(64, np.int64), 0
    turns, waiting, begun = np.empty(64 + roles, np.int64), 0, 0  # pairs in which a turn begins
    for role in range(first_roles):
        turns[waiting] = start * roles + role
        waiting += 1
    while begun < waiting:
        stack[0] = turns[begun]
        begun += 1
        height = 1
        while height:
            height -= 1
            pair = stack[height]
            is_finished = pair < 0  # all its successors in this turn are in the order
            pair = -1 - pair if is_finished else pair
            handle, role = pair // roles, pair % roles
            index = index_of(states, handle)
            if is_finished:
                marks[role, index] ^= ON_PATH | DONE
                order = with_capacity(order, size)
                order[size] = pair
                size += 1
                continue
            if marks[role, index] != UNSEEN:
                continue
            marks[role, index] = ON_PATH
            stack = with_capacity(stack, height)
            stack[height] = -1 - pair
            height += 1
            state = state_at(states, handle)
            choice = policies[role, index]
            for action in legal(rules, state):
                if choice >= CHANCE and action != choice:
                    continue
                for probability, after, passes in outcomes(rules, state, action):
                    if probability <= 0.0 or over(rules, after):
                        continue
                    next_handle, next_role = locate(states, after), (role + passes) % roles
                    next_index = index_of(states, next_handle)
                    mark = marks[next_role, next_index]
                    if next_role != role:
                        if mark == UNSEEN:
                            turns = with_capacity(turns, waiting)
                            turns[waiting] = next_handle * roles + next_role
                            waiting += 1
                    elif next_index == index:
                        marks[role, index] |= HAS_LOOP
                    elif mark == UNSEEN:
                        stack = with_capacity(stack, height)
                        stack[height] = next_handle * roles + role
                        height += 1
                    elif mark & ON_PATH:
                        feedback = with_capacity(feedback, feedback_size)
                        feedback[feedback_size] = next_index * roles + role
                        feedback_size += 1
    return order[:size], feedback[:feedback_size]


def with_capacity(array: I64, index: int) -> I64:
    """Return the array, enlarged if it has no entry of this index."""
    if index < len(array):
        return array
    larger = np.empty(2 * len(array), np.int64)
    larger[: len(array)] = array
    return larger
