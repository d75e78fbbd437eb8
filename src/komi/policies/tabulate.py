"""Policies as tables: the action that a policy takes in every state of a set."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.places import index_of, locate, members, members_down, state_at
from komi.compile.rulebook import decide, legal, outcomes, over
from komi.errors import GameError, SolveError
from komi.methods.backup.rows import UNIFORM
from komi.model.states import StateSet
from komi.policies.policy import Policy, Preference, Table, Uniform

BETTER = 1e-12  # expected points by which going on must beat ending the turn
MOST_SWEEPS = 10_000


def tabulate(policy: Policy, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:
    """int16[states], the action that the policy takes in each, or UNIFORM.

    Raises:
        GameError: if the policy fails, or takes an action that is not legal: the sentence names the state.
    """
    if isinstance(policy, Uniform):
        return np.full(states.size, UNIFORM, np.int16)
    if isinstance(policy, Table):
        return _looked_up(policy, states)
    if isinstance(policy, Preference):
        raise SolveError(
            f"policy {policy.name} picks by chance among the actions it likes most: it can be simulated only."
        )
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels_with(policy.function)[_tabulate]
    index, action = kernel(rules, states.layout, states.keys, policy.parameters, actions)
    if index >= 0:
        game = compiled.game
        state = game.module.State(*states.fields(index))
        raise GameError(
            f"policy {policy.name} takes action {action} in {game.write(rules, state)}, where only "
            f"{', '.join(game.labels(rules, state))} can be taken."
        )
    return actions


def _looked_up(table: Table, states: StateSet) -> NDArray[np.int16]:
    if states is table.states:
        return table.actions
    indices = table.states.indices_of(states)
    if np.any(indices < 0):
        raise SolveError(f"policy {table.name} does not know all states of this game: it was made for other rules.")
    return table.actions[indices]


def _tabulate(rules: Any, layout: Any, keys: Any, parameters: Any, actions: Any) -> tuple[int, int]:
    """Returns the index of a state in which the policy's action is not legal, and the action; or -1."""
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        action = decide(rules, state, *parameters)
        found = False
        for choice in legal(rules, state):
            found = found or choice == action
        if not found:
            return index, action
        actions[index] = action
    return -1, 0


def max_score(compiled: CompiledGame, rules: Any, states: StateSet) -> Table:
    """The policy that maximises the points it expects to have at the end of the turn.

    For any game whose states have the fields `score` and `rival`: what the mover's score is when the turn has
    passed is what the next player sees as `rival`. With equal expectations the action that ends the turn.
    """
    points = np.zeros(states.size, np.float64)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_climb]
    sweeps = 0
    while kernel(rules, states.layout, states.keys, states.ranks, points, actions) > 0.0:
        sweeps += 1
        if sweeps > MOST_SWEEPS:
            raise SolveError(f"the points of a turn of {compiled.game.name} grow without end: there is no max-score.")
    return Table("max-score", states, actions)


def _climb(rules: Any, layout: Any, keys: Any, ranks: Any, points: Any, actions: Any) -> float:
    """One sweep of points = max over actions of expected points; returns the largest change.

    From the last state to the first: points at risk and cards out mostly grow in a turn, and states with more
    of them are later in the set.
    """
    change = 0.0
    for index, place in members_down(keys, len(points)):
        state = state_at(layout, keys, place)
        best = -1.0
        for action in legal(rules, state):
            total = 0.0
            ends = True
            for probability, after, passes in outcomes(rules, state, action):
                if passes & 1:
                    total += probability * after.rival
                elif over(rules, after):
                    total += probability * after.score
                else:
                    total += probability * points[index_of(keys, ranks, locate(layout, keys, ranks, after))]
                    ends = False
            if total > best + (-BETTER if ends else BETTER):
                best = total
                actions[index] = action
        change = max(change, abs(best - points[index]))
        points[index] = best
    return change
