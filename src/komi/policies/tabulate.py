"""Tabulation of policies: the action that a policy takes in every state of a set."""

from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame
from komi.compiling.steps import is_legal
from komi.errors import GameError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.listed_rules import MAX_SECONDS
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.policies.calls import PolicyCalls
from komi.policies.policy import Policy
from komi.rules.game import Game
from komi.rules.interface import call_policy, legal, view
from komi.search.playouts import MAX_PLAYOUT, PolicyStatus
from komi.time_limit import TimeLimit, TooLongError
from komi.typing import PolicyData, Rules, State


def tabulate(policy: Policy, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
    """Return int16[states], the action in each state; UNIFORM where any is picked, CHANCE at chance nodes.

    Every action is checked, whatever the kind of policy.

    Raises:
        GameError: if the policy fails, or takes an action that is not legal: the message names the state.
        SolveError: if a table cannot represent the policy.
    """
    actions = policy.tabulate(compiled, rules, states)
    index = find_illegal(compiled, rules, states, actions)
    if index >= 0:
        game = compiled.game
        state = game.module.State(*states.fields(index))
        raise illegal_action_error(policy, int(actions[index]), compiled.game, rules, state)
    return actions


def find_illegal(compiled: CompiledGame, rules: Rules, states: StateSet, actions: I16) -> int:
    """Return the index of the first state whose action is illegal; -1 if all are legal."""
    return int(GraphKernels(compiled)[_find_illegal](rules, states, actions))


def action_probabilities(
    policy: Policy, compiled: CompiledGame, rules: Rules, states: StateSet, max_actions: int
) -> F64:
    """Return float64[states, max_actions], the probability of each legal action, in the order of the rules.

    Args:
        policy: the policy.
        compiled, rules: the game.
        states: the states.
        max_actions: the greatest number of legal actions in any of them.

    Raises:
        GameError: if the policy fails, or takes an action that is not legal.
        SolveError: if it does not cover all states.
    """
    probabilities = np.zeros((states.size, max_actions))
    mixed = policy.probabilities_in(compiled, rules, states)
    if mixed is None:
        actions = tabulate(policy, compiled, rules, states)
        GraphKernels(compiled)[_fill_probabilities](rules, states, actions, probabilities)
        return probabilities
    probabilities[:, : mixed.shape[1]] = mixed[:, :max_actions]
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return probabilities


def most_actions(compiled: CompiledGame, rules: Rules, states: StateSet) -> int:
    """Return the greatest number of legal actions in any of the states."""
    return int(GraphKernels(compiled)[_most_actions](rules, states))


def illegal_action_error(policy: Policy, action: int, game: Game, rules: Rules, state: State) -> GameError:
    """Create the error for a policy that takes an action that is not legal, UNKNOWN or ENDLESS."""
    text = game.write(rules, state)
    if action == PolicyStatus.UNKNOWN:
        return GameError(f"policy {policy.name} does not cover state {text}.", text)
    if action == PolicyStatus.ENDLESS:
        return GameError(
            f"policy {policy.name} finds no end of the game from {text}: none of its playouts ended within "
            f"{MAX_PLAYOUT:,} actions.",
            text,
        )
    if action == PolicyStatus.UNREACHABLE:
        return GameError(f"policy {policy.name} cannot draw what is hidden in {text}: play never leads there.", text)
    legal = ", ".join(game.labels(rules, state))
    return GameError(f"policy {policy.name} takes action {action} in {text}, where only {legal} can be taken.", text)


def unlisted_action_error(game: Game, action: int, where: str = "") -> GameError:
    """Create the error for a legal action that has no number."""
    part = "action_numbers" if game.has("action_numbers") else "action_count"
    return GameError(f"{game.file.name}: 'legal' yields {action:,}{where}, which is not in '{part}'.")


def tabulate_calls(policy: Policy, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
    """Return int16[states], the action of a deterministic policy in each state; CHANCE at chance nodes.

    Raises:
        GameError: if the policy takes an action that is not legal: the message names the state.
    """
    calls = PolicyCalls.of([policy])
    actions = np.empty(states.size, np.int16)
    index, action = calls.kernels(compiled.checked)[_tabulate_calls](rules, states, calls.data, actions)
    if index >= 0:
        state = compiled.game.module.State(*states.fields(index))
        raise illegal_action_error(policy, action, compiled.game, rules, state)
    return actions


def interpret_calls(policy: Policy, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16 | None:
    """Return what `tabulate_calls` does, by interpreted calls; None if the policy fails, or takes seconds."""
    game, actions = compiled.game, mark_chance(compiled, rules, states)
    rows = states.all_fields()
    try:
        with TimeLimit(MAX_SECONDS):
            for index in np.flatnonzero(actions != CHANCE).tolist():
                state = game.module.State(*rows[index].tolist())
                seen = game.part("view")(rules, state) if game.has("view") else state
                actions[index] = policy.choose(game, rules, seen, 0.5)
    except (Exception, TooLongError):  # of the policy: compiled code says what is wrong
        return None
    is_legal_everywhere = find_illegal(compiled, rules, states, actions) < 0
    return actions if is_legal_everywhere and not np.any(actions == ActionCode.UNIFORM) else None


def mark_chance(compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
    """Return int16[states], CHANCE at chance nodes, elsewhere UNIFORM."""
    actions = np.empty(states.size, np.int16)
    GraphKernels(compiled)[_mark_chance](rules, states, actions)
    return actions


def _mark_chance(rules: Rules, states: StateIndex, actions: I16) -> None:
    """Fill in int16[states], CHANCE at chance nodes, elsewhere UNIFORM."""
    for index, position in members(states.keys):
        actions[index] = CHANCE if is_legal(rules, state_at(states, position), CHANCE) else ActionCode.UNIFORM


def _tabulate_calls(rules: Rules, states: StateIndex, data: PolicyData, actions: I16) -> Any:
    """Fill in int16[states], the action of policy 1 in each state of the set.

    Returns:
        (the index of a state in which it is not legal, or -1; that action)
    """
    for index, position in members(states.keys):
        state = state_at(states, position)
        if is_legal(rules, state, CHANCE):
            actions[index] = CHANCE
            continue
        action = call_policy(rules, view(rules, state), 1, data, 0.5)
        if not is_legal(rules, state, action):
            return index, action
        actions[index] = action
    return -1, CHANCE


def _find_illegal(rules: Rules, states: StateIndex, actions: I16) -> int:
    """Find the index of a state of the set whose action is not legal, or -1."""
    for index, position in members(states.keys):
        if actions[index] == ActionCode.UNIFORM:
            continue
        if not is_legal(rules, state_at(states, position), actions[index]):
            return int(index)
    return -1


def _most_actions(rules: Rules, states: StateIndex) -> int:
    """Return the greatest number of legal actions in any state of the set."""
    most = 0
    for _, position in members(states.keys):
        count = 0
        for _ in legal(rules, state_at(states, position)):
            count += 1
        most = max(most, count)
    return most


def _fill_probabilities(rules: Rules, states: StateIndex, actions: I16, probabilities: F64) -> None:
    """Fill in float64[states, max_actions], the probability of each legal action under a table of actions."""
    for index, position in members(states.keys):
        state = state_at(states, position)
        count = 0
        for _ in legal(rules, state):
            count += 1
        for number, action in enumerate(legal(rules, state)):
            if actions[index] == ActionCode.UNIFORM:
                probabilities[index, number] = 1.0 / count
            elif action == actions[index]:
                probabilities[index, number] = 1.0
