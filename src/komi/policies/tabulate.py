"""Tabulation of policies: the action that a policy takes in every state of a set."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.bellman.equations import UNIFORM
from komi.errors import GameError
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.policies.calls import Asking
from komi.policies.policy import UNKNOWN, Policy
from komi.rules.compiled import CompiledGame
from komi.rules.interface import call_policy, legal, view


def tabulate(policy: Policy, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:
    """Return int16[states], the action in each state; UNIFORM where any is picked, CHANCE at chance nodes.

    Every action is checked, whatever the kind of policy.

    Raises:
        GameError: if the policy fails, or takes an action that is not legal: the message names the state.
        SolveError: if a table cannot represent the policy.
    """
    actions = policy.tabulate(compiled, rules, states)
    index = compiled.kernels[_find_illegal](rules, states, actions)
    if index >= 0:
        game = compiled.game
        state = game.module.State(*states.fields(index))
        raise not_legal(policy, int(actions[index]), compiled.game, rules, state)
    return actions


def mix(policy: Policy, compiled: CompiledGame, rules: Any, states: StateSet, most: int) -> NDArray[np.float64]:
    """Return float64[states, most], the probability of each legal action, in the order of the rules.

    Args:
        policy: the policy.
        compiled, rules: the game.
        states: the states.
        most: the greatest number of legal actions in any of them.

    Raises:
        GameError: if the policy fails, or takes an action that is not legal.
        SolveError: if it does not cover all states.
    """
    shares = np.zeros((states.size, most))
    known = policy.shares_in(states)
    if known is None:
        actions = tabulate(policy, compiled, rules, states)
        compiled.kernels[_mark_shares](rules, states, actions, shares)
        return shares
    shares[:, : known.shape[1]] = known[:, :most]
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def not_legal(policy: Policy, action: int, game: Any, rules: Any, state: Any) -> GameError:
    """Create the error for a policy that takes an action that is not legal, or UNKNOWN."""
    written = game.write(rules, state)
    if action == UNKNOWN:
        return GameError(f"policy {policy.name} does not know what to do in {written}.", written)
    legal = ", ".join(game.labels(rules, state))
    return GameError(
        f"policy {policy.name} takes action {action} in {written}, where only {legal} can be taken.", written
    )


def ask_everywhere(policy: Policy, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:
    """Return int16[states], the action of a deterministic policy in each state; CHANCE at chance nodes."""
    asking = Asking.of([policy])
    actions = np.empty(states.size, np.int16)
    asking.kernels(compiled)[_ask_everywhere](rules, states, asking.carried, actions)
    return actions


def _ask_everywhere(rules: Any, states: StateIndex, carried: Any, actions: Any) -> None:
    """Fill in int16[states], the action of policy 1 in each state of the set."""
    for index, place in members(states.keys):
        state = state_at(states, place)
        choosing = False
        for action in legal(rules, state):
            choosing = choosing or action != CHANCE
        actions[index] = call_policy(rules, view(rules, state), 1, carried, 0.5) if choosing else CHANCE


def _find_illegal(rules: Any, states: StateIndex, actions: Any) -> int:
    """Find the index of a state of the set whose action is not legal; -1 if there is none."""
    for index, place in members(states.keys):
        if actions[index] == UNIFORM:
            continue
        found = False
        for action in legal(rules, state_at(states, place)):
            found = found or action == actions[index]
        if not found:
            return int(index)
    return -1


def _mark_shares(rules: Any, states: StateIndex, actions: Any, shares: Any) -> None:
    """Fill in float64[states, most], the probability of each legal action under a table of actions."""
    for index, place in members(states.keys):
        state = state_at(states, place)
        count = 0
        for _ in legal(rules, state):
            count += 1
        for number, action in enumerate(legal(rules, state)):
            if actions[index] == UNIFORM:
                shares[index, number] = 1.0 / count
            elif action == actions[index]:
                shares[index, number] = 1.0
