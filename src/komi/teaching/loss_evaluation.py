"""All games of a strategy against optimal play at once, from either seat: state frequencies and losses.

The loss of a strategy against optimal play is exactly the sum over all states of how often it has to decide there,
times the regret of its decision: the value of the state minus that of the action (the performance difference lemma;
S. Kakade and J. Langford, ICML 2002). The frequencies of the states, x, solve x = x0 + P' x for the chain of (state,
mover). The solver pushes probability mass forward, one strongly connected component of the chain after the other.
Inside a component it sweeps in the reverse post-order of a depth-first search, in which nearly all transitions lead
forward; the mass that returns is pushed on in the next sweep. As soon as the part of the mass that a sweep leaves is
constant, all later sweeps are a geometric series, and are summed at once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.evaluation.visits import with_room
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, is_member, locate, members, state_at
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution
from komi.solvers.successor_value import successor_value

REST = 1e-9  # part of the mass in a component that can be left unfinished
MAX_SWEEPS = 10_000  # over a component
NEAR = 3e-5  # tolerance of the winning probabilities with which strategies are improved
FINISHED = 2**31 - 1
LATER = (
    "strategies are measured exactly in games whose first decision has all actions that there are, and {game} has "
    "others later on: '--against POLICY' searches by simulation."
)


@dataclass(frozen=True, eq=False)
class LossEvaluator:
    """The games of a learner against optimal play.

    Attributes:
        solution: optimal play.
        regrets: float32[actions, states], the regret of each action; for an action that is not legal, that of the first
            legal one.
        choices: int16[states], the number of legal actions; 0 at chance nodes.
    """

    solution: Solution[Any]
    regrets: NDArray[np.float32]
    choices: NDArray[np.int16]
    _order: NDArray[np.int64]
    _indices: NDArray[np.int32]
    _ends: NDArray[np.int64]

    @classmethod
    def of(cls, solution: Solution[Any], actions: int) -> "LossEvaluator":
        """Create the games of learners whose actions are numbered below `actions`.

        Raises:
            SolveError: if the game has other actions.
        """
        states, table = solution.arrays.states, solution.arrays
        regrets = np.empty((actions, states.size), np.float32)
        choices = np.zeros(states.size, np.int16)
        kernels = solution.compiled.kernels
        if not kernels[_regret](solution.rules, states, np.asarray(table.values), regrets, choices):
            raise SolveError(LATER.format(game=solution.game.name))
        start = states.handle(solution.game.part("start")(solution.rules))
        marks = np.zeros((2, 2, states.size), np.int32)
        order, indices, components = kernels[_arrange](solution.rules, states, np.asarray(table.choices), start, marks)
        by_component = np.argsort(-components, kind="stable")
        ends = np.flatnonzero(np.diff(components[by_component], append=-1)) + 1
        return cls(solution, regrets, choices, order[by_component], indices[by_component], ends)

    def visits(self, actions: NDArray[np.int16], noise: float = 0.0, rest: float = REST) -> NDArray[np.float64]:
        """Compute float64[states], how often the learner moves there in a game, averaged over both seats.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
            noise: the exploration rate: the probability of a random legal action instead.
            rest: the part of the mass in a component that can be left unfinished.

        Raises:
            SolveError: if the games last too long.
        """
        solution, states = self.solution, self.solution.arrays.states
        now, visits = np.zeros((2, states.size)), np.zeros(states.size)
        now[:, states.index_of(solution.game.part("start")(solution.rules))] = 0.5
        stuck = solution.compiled.kernels[_push](
            solution.rules, states, actions, solution.arrays.choices,
            noise, rest, self._order, self._indices, self._ends, now, visits,
        )  # fmt: skip
        if stuck:
            raise SolveError(
                f"games of {solution.game.name} between this strategy and optimal play go on for too long."
            )
        return visits

    def values(self, actions: NDArray[np.int16]) -> NDArray[np.float64]:
        """Compute float64[2, states], the values for the player to move: the learner in row 0, its opponent in row 1.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        """
        solution, states = self.solution, self.solution.arrays.states
        values = np.empty((2, states.size))
        values[:] = np.asarray(solution.arrays.values)
        solution.compiled.kernels[_back_up](
            solution.rules, states, actions, solution.arrays.choices,
            NEAR, self._order, self._indices, self._ends, values,
        )  # fmt: skip
        return values

    def drawbacks(self, values: NDArray[np.float64], indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute float64[actions, indices], the regret of a single deviation to each action in a learner's games.

        Args:
            values: float64[2, states], the values in the games of the learner.
            indices: the indices of the states, in ascending order.
        """
        solution, states = self.solution, self.solution.arrays.states
        found = np.empty((len(self.regrets), len(indices)))
        solution.compiled.kernels[_compare](solution.rules, states, values, indices, found)
        return found

    def played(self, actions: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return int16[states], the actions played: the first legal one if the given one is not legal.

        At chance nodes it is CHANCE.
        """
        solution, states, done = self.solution, self.solution.arrays.states, actions.copy()
        solution.compiled.kernels[_play](solution.rules, states, done)
        return done

    def costs(self, actions: NDArray[np.int16]) -> NDArray[np.float32]:
        """Return float32[states], the regret of the action in each state."""
        found = np.zeros(len(actions), np.float32)
        for action, regrets in enumerate(self.regrets):
            np.copyto(found, regrets, where=actions == action)
        return found

    def loss(self, actions: NDArray[np.int16]) -> float:
        """Compute the expected loss per game of these actions against optimal play, averaged over both seats."""
        return float(self.visits(actions) @ self.costs(actions))


def _regret(rules: Any, states: StateIndex, values: Any, regrets: Any, choices: Any) -> bool:
    """Fill in the regrets of all actions and the number of choices; return whether all actions fit into `regrets`."""
    for index, place in members(states.keys):
        state = state_at(states, place)
        first = -1
        for action in legal(rules, state):
            if action == CHANCE:
                break
            if action >= len(regrets):
                return False
            worth = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                worth += probability * successor_value(rules, states, values, after, passes)
            lost = np.float32(max(values[index] - worth, 0.0))
            if first < 0:
                first = action
                for other in range(len(regrets)):
                    regrets[other, index] = lost
            regrets[action, index] = lost
            choices[index] += 1
        if first < 0:
            for other in range(len(regrets)):
                regrets[other, index] = 0.0
    return True


def _play(rules: Any, states: StateIndex, actions: Any) -> None:
    """Replace actions that are not legal by the first legal one, in place."""
    for index, place in members(states.keys):
        chosen: Any = np.int64(CHANCE)
        for count, action in enumerate(legal(rules, state_at(states, place))):
            if count == 0 or action == actions[index]:
                chosen = action
        actions[index] = chosen


def _arrange(rules: Any, states: StateIndex, optimal: Any, start: int, marks: Any) -> Any:
    """Enumerate the reachable nodes (state, mover) in reverse post-order, with their strongly connected components.

    R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM Journal on Computing 1, 1972.

    Args:
        rules: the rules.
        states: the set of states.
        optimal: int16[states], the opponent's actions; the learner can take any action.
        start: the slot of the initial state.
        marks: int32[2, 2, states] of 0, filled in for each mover: the discovery index, from 1, and the low-link; at the
            end the number of the component, and FINISHED.

    Returns:
        (int64[.] slot * 2 + mover (0: the learner), int32[.] the index of the state, int64[.] the number of the
        component: successors have smaller numbers)
    """
    order, ended = np.empty(1024, np.int64), 0
    stack, height = np.empty(1024, np.int64), 2
    open_nodes, open_count = np.empty(1024, np.int64), 0
    stack[0], stack[1] = start * 2, start * 2 + 1
    found = 0
    count = 0
    while height:
        height -= 1
        node = stack[height]
        leaving = node < 0
        if leaving:
            node = -1 - node
        who, place = node & 1, node >> 1
        index = index_of(states, place)
        if not leaving:
            if marks[0, who, index]:
                continue
            found += 1
            marks[0, who, index] = found
            marks[1, who, index] = found
            stack[height] = -1 - node
            height += 1
            open_nodes = with_room(open_nodes, open_count)
            open_nodes[open_count] = node
            open_count += 1
        earliest = marks[1, who, index]
        state = state_at(states, place)
        for action in legal(rules, state):
            if who == 1 and action != optimal[index]:
                continue
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                next_place = locate(states, after)
                next_who = who ^ (passes & 1)
                if not is_member(states, next_place):
                    continue
                next_index = index_of(states, next_place)
                if leaving:
                    if marks[1, next_who, next_index] != FINISHED:
                        earliest = min(earliest, marks[1, next_who, next_index])
                elif not marks[0, next_who, next_index]:
                    stack = with_room(stack, height)
                    stack[height] = next_place * 2 + next_who
                    height += 1
        if leaving:
            marks[1, who, index] = earliest
            order = with_room(order, ended)
            order[ended] = node
            ended += 1
            if earliest == marks[0, who, index]:
                while True:
                    open_count -= 1
                    closed = open_nodes[open_count]
                    closed_index = index_of(states, closed >> 1)
                    marks[0, closed & 1, closed_index] = count + 1  # from now on the number of its component
                    marks[1, closed & 1, closed_index] = FINISHED
                    if closed == node:
                        break
                count += 1
    order = order[:ended][::-1].copy()
    indices, components = np.empty(ended, np.int32), np.empty(ended, np.int64)
    for i in range(ended):
        indices[i] = index_of(states, order[i] >> 1)
        components[i] = marks[0, order[i] & 1, indices[i]]
    return order, indices, components


def _push(
    rules: Any,
    states: StateIndex,
    actions: Any,
    optimal: Any,
    noise: float,
    rest: float,
    order: Any,
    indices: Any,
    ends: Any,
    now: Any,
    visits: Any,
) -> bool:
    """Push the mass in each state to its successors, component by component.

    Args:
        rules: the rules.
        states: the set of states.
        actions: int16[states], the learner's actions.
        optimal: int16[states], the opponent's actions.
        noise: the probability that the learner takes a random legal action instead.
        rest: the part of the mass in a component that can be left unfinished, and the tolerance by which the parts that
            two sweeps leave are considered equal.
        order: int64[.], slot * 2 + mover.
        indices: int32[.], the indices of these states.
        ends: int64[components], one past the last node of each component in the order.
        now: float64[2, states], the mass in each node, modified in place.
        visits: float64[states], to which the learner's moves are added.

    Returns:
        whether the games in a component last too long
    """
    begin = 0
    for component in range(len(ends)):
        end = ends[component]
        arrived = _mass(order, indices, begin, end, now)
        before, part = arrived, -1.0
        for _ in range(MAX_SWEEPS):
            if before <= rest * arrived:
                break
            for i in range(begin, end):
                _push_on(rules, states, actions, optimal, noise, order[i], indices[i], now, visits)
            left = _mass(order, indices, begin, end, now)
            if left < before and abs(left / before - part) <= rest:
                for i in range(begin, end):
                    now[order[i] & 1, indices[i]] *= 1.0 / (1.0 - left / before)
                for i in range(begin, end):
                    _push_on(rules, states, actions, optimal, noise, order[i], indices[i], now, visits)
                break
            before, part = left, left / before
        else:
            return True
        begin = end
    return False


def _mass(order: Any, indices: Any, begin: int, end: int, now: Any) -> float:
    """Sum the mass in the nodes of a component."""
    total = 0.0
    for i in range(begin, end):
        total += now[order[i] & 1, indices[i]]
    return total


def _push_on(
    rules: Any,
    states: StateIndex,
    actions: Any,
    optimal: Any,
    noise: float,
    node: int,
    index: int,
    now: Any,
    visits: Any,
) -> None:
    """Push the mass in one node to its successors."""
    who = node & 1
    mass = now[who, index]
    if mass == 0.0:
        return
    now[who, index] = 0.0
    state = state_at(states, node >> 1)
    wished = actions[index]
    if who == 1:
        wished = optimal[index]
    else:
        visits[index] += mass
    chosen: Any = np.int64(CHANCE)
    count = 0
    for action in legal(rules, state):
        if count == 0 or action == wished:
            chosen = action
        count += 1
    straying = 0.0 if who == 1 else noise
    for action in legal(rules, state):
        share = mass * straying / count
        if action == chosen:
            share += mass * (1.0 - straying)
        if share == 0.0:
            continue
        for probability, after, passes in outcomes(rules, state, action):
            if probability > 0.0 and not over(rules, after):
                target = index_of(states, locate(states, after))
                now[who ^ (passes & 1), target] += share * probability


def _back_up(
    rules: Any,
    states: StateIndex,
    actions: Any,
    optimal: Any,
    near: float,
    order: Any,
    indices: Any,
    ends: Any,
    values: Any,
) -> None:
    """Update the values of optimal play, in place, to those of the learner's games, in reverse order of the components.

    Args:
        rules: the rules.
        states: the set of states.
        actions, optimal: as in `_push`.
        near: the change of a value that ends the sweeps over a component.
        order, indices, ends: as in `_push`.
        values: float64[2, states], for the player to move: the learner, the opponent.
    """
    for component in range(len(ends) - 1, -1, -1):
        begin = 0
        if component > 0:
            begin = ends[component - 1]
        for _ in range(MAX_SWEEPS):
            largest = 0.0
            for i in range(ends[component] - 1, begin - 1, -1):
                who, index = order[i] & 1, indices[i]
                wished = actions[index] if who == 0 else optimal[index]
                worth = _worth(rules, states, wished, order[i], values)
                largest = max(largest, abs(worth - values[who, index]))
                values[who, index] = worth
            if largest <= near:
                break


def _worth(rules: Any, states: StateIndex, wished: int, node: int, values: Any) -> float:
    """Compute the expected value of an action, or of the first legal one if it is not legal."""
    state = state_at(states, node >> 1)
    chosen: Any = np.int64(CHANCE)
    for count, action in enumerate(legal(rules, state)):
        if count == 0 or action == wished:
            chosen = action
    worth = 0.0
    for probability, after, passes in outcomes(rules, state, chosen):
        if probability > 0.0:
            worth += probability * successor_value(rules, states, values[(node & 1) ^ (passes & 1)], after, passes)
    return worth


def _compare(rules: Any, states: StateIndex, values: Any, indices: Any, found: Any) -> None:
    """Fill in float64[actions, indices], the regret of each action."""
    column = 0
    for index, place in members(states.keys):
        if column == len(indices):
            break
        if index == indices[column]:
            best = 0.0
            for action in range(len(found)):
                found[action, column] = _worth(rules, states, action, 2 * place, values)
                best = max(best, found[action, column])
            for action in range(len(found)):
                found[action, column] = best - found[action, column]
            column += 1
