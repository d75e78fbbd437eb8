"""Kernels of `komi.teaching.loss_evaluation`: all games of a learner with optimal play, and regrets of actions.

In role 0 the learner is to move; in role r it is the player r seats after the learner.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16, I64
from komi.evaluation.play_search import PlayOrder
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, members, members_at, state_at
from komi.graph.transitions import successor_value
from komi.rules.interface import legal, outcomes, over, reward, seat_payoff
from komi.typing import Rules, State

MAX_SWEEPS = 10_000  # over a component


class PolicyPair(NamedTuple):
    """The policies of a learner and of all other players.

    Attributes:
        learner: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        optimal: int16[states], the actions of the others.
        exploration_rate: the probability that the learner takes a random legal action instead.
    """

    learner: I16
    optimal: I16
    exploration_rate: float


class LearnerValues(NamedTuple):
    """The expected gain of a learner, to maximize.

    Attributes:
        values: float64[roles, states], in each role; with two players role 1 holds the gain of the opponent.
        sign: -1 if the objective is minimized, else 1.
    """

    values: F64
    sign: float


def fill_regrets(rules: Rules, states: StateIndex, learner: LearnerValues, regrets: F32, choices: I16) -> bool:
    """Fill in the regrets of all actions and the number of choices; return whether all actions fit into `regrets`."""
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        first = -1
        for action in legal(rules, state):
            if action == CHANCE:
                break
            if action >= len(regrets):
                return False
            value = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                value += probability * _gain(rules, states, learner, 0, state, action, after, passes)
            regret = np.float32(max(learner.values[0, index] - value, 0.0))
            if first < 0:
                first = action
                for other in range(len(regrets)):
                    regrets[other, index] = regret
            regrets[action, index] = regret
            choices[index] += 1
        if first < 0:
            for other in range(len(regrets)):
                regrets[other, index] = 0.0
    return True


def _gain(
    rules: Rules, states: StateIndex, learner: LearnerValues, role: int, state: State, action: int, after: State,
    passes: int,
) -> float:  # fmt: skip
    """Compute the expected gain from an outcome of an action on, reward included, for whom the role's values are."""
    roles = len(learner.values)
    next_role = (role + passes) % roles
    if roles == 2:
        return successor_value(rules, states, learner.values[next_role], after, passes)
    gain = learner.sign * reward(rules, state, action, after)
    if over(rules, after):
        return gain + learner.sign * seat_payoff(rules, after, (roles - next_role) % roles)
    return gain + learner.values[next_role, index_of(states, locate(states, after))]  # type: ignore[no-any-return]


def legalize(rules: Rules, states: StateIndex, actions: I16) -> None:
    """Replace actions that are not legal by the first legal one, in place."""
    for index, handle in members(states.keys):
        actions[index] = _legal_action(rules, state_at(states, handle), actions[index])


def _legal_action(rules: Rules, state: State, preferred: int) -> Any:
    """Return the preferred action, or the first legal one if it is not legal; CHANCE at chance nodes."""
    chosen: Any = np.int64(CHANCE)
    for count, action in enumerate(legal(rules, state)):
        if count == 0 or action == preferred:
            chosen = action
    return chosen


def propagate_mass(
    rules: Rules, states: StateIndex, order: PlayOrder, policies: PolicyPair, truncation: float, mass: F64, visits: F64
) -> bool:
    """Propagate the mass in each node to its successors, component by component.

    Args:
        rules: the rules.
        states: the set of states.
        order: the nodes in topological order.
        policies: the policies of all players.
        truncation: the share of the mass in a component that can be left unfinished, and the tolerance by which the
            shares that two sweeps leave are considered equal.
        mass: float64[roles, states], the mass in each node, modified in place.
        visits: float64[states], to which the learner's moves are added.

    Returns:
        whether the games in all components end in time
    """
    begin = 0
    for component in range(len(order.ends)):
        end = order.ends[component]
        initial = _component_mass(order, begin, end, mass)
        before, share = initial, -1.0
        for _ in range(MAX_SWEEPS):
            if before <= truncation * initial:
                break
            _sweep(rules, states, order, policies, (begin, end), mass, visits)
            remaining = _component_mass(order, begin, end, mass)
            if remaining < before and abs(remaining / before - share) <= truncation:
                for i in range(begin, end):
                    mass[order.roles[i], order.indices[i]] *= 1.0 / (1.0 - remaining / before)
                _sweep(rules, states, order, policies, (begin, end), mass, visits)
                break
            before, share = remaining, remaining / before
        else:
            return False
        begin = end
    return True


def _component_mass(order: PlayOrder, begin: int, end: int, mass: F64) -> float:
    """Sum the mass in the nodes of a component."""
    total = 0.0
    for i in range(begin, end):
        total += mass[order.roles[i], order.indices[i]]
    return total


def _sweep(
    rules: Rules,
    states: StateIndex,
    order: PlayOrder,
    policies: PolicyPair,
    component: tuple[int, int],
    mass: F64,
    visits: F64,
) -> None:
    """Propagate the mass in each node of a component once, in order."""
    begin, end = component
    for i in range(begin, end):
        _propagate_node(rules, states, order, i, policies, mass, visits)


def _propagate_node(
    rules: Rules, states: StateIndex, order: PlayOrder, i: int, policies: PolicyPair, mass: F64, visits: F64
) -> None:
    """Propagate the mass in node number `i` of the order to its successors."""
    mover, index = order.roles[i], order.indices[i]
    node_mass = mass[mover, index]
    if node_mass == 0.0:
        return
    mass[mover, index] = 0.0
    state = state_at(states, order.handles[i])
    preferred = policies.learner[index]
    if mover != 0:
        preferred = policies.optimal[index]
    else:
        visits[index] += node_mass
    chosen: Any = np.int64(CHANCE)
    count = 0
    for action in legal(rules, state):
        if count == 0 or action == preferred:
            chosen = action
        count += 1
    exploration_rate = 0.0 if mover != 0 else policies.exploration_rate
    for action in legal(rules, state):
        share = node_mass * exploration_rate / count
        if action == chosen:
            share += node_mass * (1.0 - exploration_rate)
        if share == 0.0:
            continue
        for probability, after, passes in outcomes(rules, state, action):
            if probability > 0.0 and not over(rules, after):
                mass[(mover + passes) % len(mass), index_of(states, locate(states, after))] += share * probability


def evaluate_policies(
    rules: Rules,
    states: StateIndex,
    order: PlayOrder,
    policies: PolicyPair,
    tolerance: float,
    learner: LearnerValues,
) -> None:
    """Update the values of optimal play, in place, to those of the learner's games, in reverse topological order.

    Args:
        rules: the rules.
        states: the set of states.
        order: the nodes in topological order.
        policies: the policies of all players, without exploration.
        tolerance: the change of a value that ends the sweeps over a component.
        learner: the values, modified in place.
    """
    for component in range(len(order.ends) - 1, -1, -1):
        begin = 0
        if component > 0:
            begin = order.ends[component - 1]
        for _ in range(MAX_SWEEPS):
            largest_change = 0.0
            for i in range(order.ends[component] - 1, begin - 1, -1):
                mover, index = order.roles[i], order.indices[i]
                preferred = policies.learner[index] if mover == 0 else policies.optimal[index]
                value = _action_value(rules, states, order.handles[i], mover, preferred, learner)
                largest_change = max(largest_change, abs(value - learner.values[mover, index]))
                learner.values[mover, index] = value
            if largest_change <= tolerance:
                break


def _action_value(
    rules: Rules, states: StateIndex, handle: int, role: int, preferred: int, learner: LearnerValues
) -> float:
    """Compute the expected gain from an action, or from the first legal one if it is not legal; see `_gain`."""
    state = state_at(states, handle)
    action = _legal_action(rules, state, preferred)
    value = 0.0
    for probability, after, passes in outcomes(rules, state, action):
        if probability > 0.0:
            value += probability * _gain(rules, states, learner, role, state, action, after, passes)
    return value


def fill_deviation_regrets(
    rules: Rules, states: StateIndex, learner: LearnerValues, indices: I64, regrets: F64
) -> None:
    """Fill in float64[actions, indices], the regret of each action."""
    for column, handle in members_at(states.keys, indices):
        best = -np.inf
        for action in range(len(regrets)):
            regrets[action, column] = _action_value(rules, states, handle, 0, action, learner)
            best = max(best, regrets[action, column])
        for action in range(len(regrets)):
            regrets[action, column] = best - regrets[action, column]
