"""All games of a strategy against optimal play at once, from either seat: state frequencies and losses.

The loss of a strategy against optimal play is exactly the sum over all states of how often it has to decide there,
times the regret of its decision: the value of the state minus that of the action (the performance difference lemma;
S. Kakade and J. Langford, ICML 2002). The frequencies of the states, x, solve x = x0 + P' x for the chain of (state,
mover). The solver propagates probability mass forward, one strongly connected component of the chain after the other.
Inside a component it sweeps in the reverse post-order of a depth-first search, in which nearly all transitions lead
forward; the mass that returns is propagated in the next sweep. As soon as the share of the mass that a sweep leaves is
constant, all later sweeps are a geometric series, and are summed at once.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16, I64
from komi.bellman import FREE
from komi.errors import SolveError
from komi.evaluation.play_search import PlayOrder, order_play
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, members, members_at, state_at
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution
from komi.solvers.successor_value import successor_value
from komi.typing import Rules, State

TRUNCATION = 1e-9  # share of the mass in a component that can be left unfinished
EXPLORATION_RATE = 0.1  # of `exploratory_visits`
MAX_SWEEPS = 10_000  # over a component
TOLERANCE = 3e-5  # of the winning probabilities with which strategies are improved
LATER_ACTIONS = (
    "komi evaluates strategies exactly in games whose first decision has all actions; {game} has others later on: "
    "'--against POLICY' searches by simulation."
)


class PolicyPair(NamedTuple):
    """The policies of a learner and of its opponent.

    Attributes:
        learner: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        optimal: int16[states], the opponent's actions.
        exploration_rate: the probability that the learner takes a random legal action instead.
    """

    learner: I16
    optimal: I16
    exploration_rate: float


@dataclass(frozen=True, eq=False)
class LossEvaluator:
    """Evaluates the games of learners against optimal play.

    Attributes:
        solution: optimal play.
        regrets: float32[actions, states], the regret of each action; for an action that is not legal, that of the first
            legal one.
        choices: int16[states], the number of legal actions; 0 at chance nodes.
    """

    solution: Solution[Any]
    regrets: F32
    choices: I16
    _order: PlayOrder

    @classmethod
    def of(cls, solution: Solution[Any], actions: int) -> "LossEvaluator":
        """Create the evaluator of learners whose actions are numbered below `actions`.

        Raises:
            SolveError: if the game has other actions.
        """
        states, arrays = solution.arrays.states, solution.arrays
        regrets = np.empty((actions, states.size), np.float32)
        choices = np.zeros(states.size, np.int16)
        kernels = solution.compiled.kernels
        if not kernels[_fill_regrets](solution.rules, states, np.asarray(arrays.values), regrets, choices):
            raise SolveError(LATER_ACTIONS.format(game=solution.game.name))
        policies = np.stack([np.full(states.size, FREE, np.int16), arrays.choices])
        order = order_play(solution.compiled, solution.rules, states, policies, first_roles=2)
        return cls(solution, regrets, choices, order)

    def visits(self, actions: I16, exploration_rate: float = 0.0, truncation: float = TRUNCATION) -> F64:
        """Compute float64[states], how often the learner moves there in a game, averaged over both seats.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
            exploration_rate: the probability of a random legal action instead.
            truncation: the share of the mass in a component that can be left unfinished.

        Raises:
            SolveError: if the games last too long.
        """
        solution, states = self.solution, self.solution.arrays.states
        mass, visits = np.zeros((2, states.size)), np.zeros(states.size)
        mass[:, states.index_of(solution.game.part("start")(solution.rules))] = 0.5
        policies = PolicyPair(actions, np.asarray(solution.arrays.choices), exploration_rate)
        kernel = solution.compiled.kernels[_propagate]
        if not kernel(solution.rules, states, self._order, policies, truncation, mass, visits):
            raise SolveError(
                f"games of {solution.game.name} between this strategy and optimal play go on for too long."
            )
        return visits

    def exploratory_visits(self, truncation: float = TRUNCATION) -> F64:
        """Compute float64[states], the visits of optimal play, half of them with exploration.

        Exploration visits states that optimal play avoids.
        """
        optimal = self.solution.arrays.choices
        return (self.visits(optimal, 0.0, truncation) + self.visits(optimal, EXPLORATION_RATE, truncation)) / 2

    def values(self, actions: I16) -> F64:
        """Compute float64[2, states], the values for the player to move: the learner in row 0, its opponent in row 1.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        """
        solution, states = self.solution, self.solution.arrays.states
        values = np.empty((2, states.size))
        values[:] = np.asarray(solution.arrays.values)
        policies = PolicyPair(actions, np.asarray(solution.arrays.choices), 0.0)
        solution.compiled.kernels[_evaluate_policies](solution.rules, states, self._order, policies, TOLERANCE, values)
        return values

    def deviation_regrets(self, values: F64, indices: I64) -> F64:
        """Compute float64[actions, indices], the regret of a single deviation to each action in a learner's games.

        Args:
            values: float64[2, states], the values in the games of the learner.
            indices: the indices of the states, in ascending order.
        """
        solution, states = self.solution, self.solution.arrays.states
        regrets = np.empty((len(self.regrets), len(indices)))
        solution.compiled.kernels[_fill_deviation_regrets](solution.rules, states, values, indices, regrets)
        return regrets

    def legalize(self, actions: I16) -> I16:
        """Return int16[states], the actions that are played: the first legal one if the given one is not legal.

        At chance nodes it is CHANCE.
        """
        solution, legal_actions = self.solution, actions.copy()
        solution.compiled.kernels[_legalize](solution.rules, solution.arrays.states, legal_actions)
        return legal_actions

    def action_regrets(self, actions: I16) -> F32:
        """Return float32[states], the regret of the action in each state."""
        action_regrets = np.zeros(len(actions), np.float32)
        for action, regrets in enumerate(self.regrets):
            np.copyto(action_regrets, regrets, where=actions == action)
        return action_regrets

    def loss(self, actions: I16) -> float:
        """Compute the expected loss per game of these actions against optimal play, averaged over both seats."""
        return float(self.visits(actions) @ self.action_regrets(actions))


def _fill_regrets(rules: Rules, states: StateIndex, values: F64, regrets: F32, choices: I16) -> bool:
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
                value += probability * successor_value(rules, states, values, after, passes)
            regret = np.float32(max(values[index] - value, 0.0))
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


def _legalize(rules: Rules, states: StateIndex, actions: I16) -> None:
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


def _propagate(
    rules: Rules, states: StateIndex, order: PlayOrder, policies: PolicyPair, truncation: float, mass: F64, visits: F64
) -> bool:
    """Propagate the mass in each node to its successors, component by component.

    Args:
        rules: the rules.
        states: the set of states.
        order: the nodes in topological order.
        policies: the policies of both players.
        truncation: the share of the mass in a component that can be left unfinished, and the tolerance by which the
            shares that two sweeps leave are considered equal.
        mass: float64[2, states], the mass in each node, modified in place.
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
            left = _component_mass(order, begin, end, mass)
            if left < before and abs(left / before - share) <= truncation:
                for i in range(begin, end):
                    mass[order.roles[i], order.indices[i]] *= 1.0 / (1.0 - left / before)
                _sweep(rules, states, order, policies, (begin, end), mass, visits)
                break
            before, share = left, left / before
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
    if mover == 1:
        preferred = policies.optimal[index]
    else:
        visits[index] += node_mass
    chosen: Any = np.int64(CHANCE)
    count = 0
    for action in legal(rules, state):
        if count == 0 or action == preferred:
            chosen = action
        count += 1
    exploration_rate = 0.0 if mover == 1 else policies.exploration_rate
    for action in legal(rules, state):
        share = node_mass * exploration_rate / count
        if action == chosen:
            share += node_mass * (1.0 - exploration_rate)
        if share == 0.0:
            continue
        for probability, after, passes in outcomes(rules, state, action):
            if probability > 0.0 and not over(rules, after):
                mass[mover ^ (passes & 1), index_of(states, locate(states, after))] += share * probability


def _evaluate_policies(
    rules: Rules, states: StateIndex, order: PlayOrder, policies: PolicyPair, tolerance: float, values: F64
) -> None:
    """Update the values of optimal play, in place, to those of the learner's games, in reverse topological order.

    Args:
        rules: the rules.
        states: the set of states.
        order: the nodes in topological order.
        policies: the policies of both players, without exploration.
        tolerance: the change of a value that ends the sweeps over a component.
        values: float64[2, states], for the player to move: the learner, the opponent.
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
                value = _action_value(rules, states, order.handles[i], mover, preferred, values)
                largest_change = max(largest_change, abs(value - values[mover, index]))
                values[mover, index] = value
            if largest_change <= tolerance:
                break


def _action_value(rules: Rules, states: StateIndex, handle: int, mover: int, preferred: int, values: F64) -> float:
    """Compute the expected value of an action, or of the first legal one if it is not legal."""
    state = state_at(states, handle)
    value = 0.0
    for probability, after, passes in outcomes(rules, state, _legal_action(rules, state, preferred)):
        if probability > 0.0:
            value += probability * successor_value(rules, states, values[mover ^ (passes & 1)], after, passes)
    return value


def _fill_deviation_regrets(rules: Rules, states: StateIndex, values: F64, indices: I64, regrets: F64) -> None:
    """Fill in float64[actions, indices], the regret of each action."""
    for column, handle in members_at(states.keys, indices):
        best = 0.0
        for action in range(len(regrets)):
            regrets[action, column] = _action_value(rules, states, handle, 0, action, values)
            best = max(best, regrets[action, column])
        for action in range(len(regrets)):
            regrets[action, column] = best - regrets[action, column]
