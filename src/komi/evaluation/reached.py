"""The states reachable under given policies, and the role to move in each."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from komi.arrays import I16, Flags
from komi.bellman import UNREACHED, role_after
from komi.errors import SolveError
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution

Backed = TypeVar("Backed")


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
    marks = np.zeros((states.size, len(policies)), np.bool_)
    places, roles = np.empty(marks.size, np.int64), np.empty(marks.size, np.int64)
    start = states.handle(compiled.game.part("start")(rules))
    actions = np.stack(policies, axis=1)
    compiled.kernels[_follow](rules, states, actions, start, marks, places, roles)
    return marks


def where_reached(
    back_up: Callable[[Sequence[I16]], Backed],
    compiled: CompiledGame,
    rules: Any,
    states: StateSet,
    policies: Sequence[I16],
) -> Backed:
    """Back up the states under these policies; if some states have no value, only those that play reaches.

    Raises:
        SolveError: if a state that play reaches has no value.
    """
    try:
        return back_up(policies)
    except SolveError:
        marks = reached_in_roles(compiled, rules, states, policies)
        if marks.all():
            raise
    unreached = np.int16(UNREACHED)
    return back_up([np.where(marks[:, role], actions, unreached) for role, actions in enumerate(policies)])


def _follow(rules: Any, states: StateIndex, actions: Any, start: int, marks: Any, places: Any, roles: Any) -> None:
    """Mark all states that the actions lead to.

    Each pair of state and role is pushed onto the stack at most once.

    Args:
        rules, states: the rules and all states.
        actions: int16[states, roles], the actions taken.
        start: the hash slot of the initial state.
        marks: bool[states, roles], modified in place.
        places, roles: int64[.], the stack: hash slots and roles.
    """
    height = 0
    for role in range(actions.shape[1]):
        marks[index_of(states, start), role] = True
        places[height], roles[height] = start, role
        height += 1
    while height:
        height -= 1
        here, role = places[height], roles[height]
        state = state_at(states, here)
        choice = actions[index_of(states, here), role]
        for action in legal(rules, state):
            if choice >= -1 and action != choice:
                continue
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                place, mover = locate(states, after), role_after(role, passes, actions.shape[1])
                index = index_of(states, place)
                if not marks[index, mover]:
                    marks[index, mover] = True
                    places[height], roles[height] = place, mover
                    height += 1
