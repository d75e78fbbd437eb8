"""All games of a strategy against optimal play at once, from either seat: how often each state occurs, and its loss.

What a strategy gives away against optimal play is exactly the sum over all states of how often it has to decide there,
times the regret of its decision: the value of the state less that of the action (the performance difference lemma;
S. Kakade and J. Langford, ICML 2002). How often states occur, x, solves x = x0 + P' x for the chain of (state, who
moves). It is pushed forward from one strongly connected component of the chain to the next, inside each in the reverse
post-order of a depth-first search, in which nearly all transitions lead on; what comes back is pushed on in the next
sweep over the component. As soon as each sweep leaves the same part of what it began with, all sweeps to come are a
geometric series, and are made at once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.places import index_of, is_member, locate, members, state_at
from komi.compile.rulebook import legal, outcomes, over
from komi.errors import SolveError
from komi.evaluation.visits import with_room
from komi.game import CHANCE
from komi.methods.answer import Answer
from komi.methods.race.outcome import worth_of

REST = 1e-9  # the part of what arrives in a component that may be left there
MOST_SWEEPS = 10_000  # over a component
NEAR = 3e-5  # how far chances of winning may be off that strategies are changed by
FINISHED = 2**31 - 1
LATER = (
    "strategies are measured exactly in games whose first decision has all actions that there are, and {game} has "
    "others later on: '--against POLICY' searches by simulation."
)


@dataclass(frozen=True, eq=False)
class Games:
    """The games of a learner against optimal play.

    Attributes:
        solution: optimal play.
        regrets: float32[actions, states], what each action gives away; of one that is not legal what the first legal
            one does.
        choices: int16[states], how many actions are legal; 0 where chance moves.
    """

    solution: Answer[Any]
    regrets: NDArray[np.float32]
    choices: NDArray[np.int16]
    _order: NDArray[np.int64]
    _indices: NDArray[np.int32]
    _ends: NDArray[np.int64]

    @classmethod
    def of(cls, solution: Answer[Any], actions: int) -> "Games":
        """The games of learners who take actions numbered below this.

        Raises:
            SolveError: if there are others.
        """
        states, table = solution.values.states, solution.values
        regrets = np.empty((actions, states.size), np.float32)
        choices = np.zeros(states.size, np.int16)
        kernels = solution.compiled.kernels
        if not kernels[_regret](
            solution.rules, states.layout, states.keys, states.ranks, np.asarray(table.values), regrets, choices
        ):
            raise SolveError(LATER.format(game=solution.game.name))
        start = states.place(solution.game.part("start")(solution.rules))
        marks = np.zeros((2, 2, states.size), np.int32)
        order, indices, components = kernels[_arrange](
            solution.rules, states.layout, states.keys, states.ranks, np.asarray(table.choices), start, marks
        )
        by_component = np.argsort(-components, kind="stable")
        ends = np.flatnonzero(np.diff(components[by_component], append=-1)) + 1
        return cls(solution, regrets, choices, order[by_component], indices[by_component], ends)

    def visits(self, actions: NDArray[np.int16], noise: float = 0.0, rest: float = REST) -> NDArray[np.float64]:
        """float64[states], how often the learner has to move there in a game, from either seat on average.

        Args:
            actions: int16[states], what it does; one that is not legal stands for the first legal one.
            noise: how often it takes any legal action instead.
            rest: how much of all games may be left on the way.

        Raises:
            SolveError: if the games go on for too long.
        """
        solution, states = self.solution, self.solution.values.states
        now, visits = np.zeros((2, states.size)), np.zeros(states.size)
        now[:, states.index_of(solution.game.part("start")(solution.rules))] = 0.5
        stuck = solution.compiled.kernels[_push](
            solution.rules, states.layout, states.keys, states.ranks, actions, solution.values.choices,
            noise, rest, self._order, self._indices, self._ends, now, visits,
        )  # fmt: skip
        if stuck:
            raise SolveError(
                f"games of {solution.game.name} between this strategy and optimal play go on for too long."
            )
        return visits

    def values(self, actions: NDArray[np.int16]) -> NDArray[np.float64]:
        """float64[2, states], the chances of the player to move: of the learner where it moves, of the other where not.

        Args:
            actions: int16[states], what the learner does; one that is not legal stands for the first legal one.
        """
        solution, states = self.solution, self.solution.values.states
        values = np.empty((2, states.size))
        values[:] = np.asarray(solution.values.values)
        solution.compiled.kernels[_back_up](
            solution.rules, states.layout, states.keys, states.ranks, actions, solution.values.choices,
            NEAR, self._order, self._indices, self._ends, values,
        )  # fmt: skip
        return values

    def drawbacks(self, values: NDArray[np.float64], indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[actions, indices], what each action is worth less than the best, once, for a learner.

        Args:
            values: float64[2, states], the chances in the games of the learner.
            indices: of the states, in ascending order.
        """
        solution, states = self.solution, self.solution.values.states
        found = np.empty((len(self.regrets), len(indices)))
        solution.compiled.kernels[_compare](
            solution.rules, states.layout, states.keys, states.ranks, values, indices, found
        )
        return found

    def played(self, actions: NDArray[np.int16]) -> NDArray[np.int16]:
        """int16[states], what is done: the first legal action in place of one that is not; CHANCE for chance."""
        solution, states, done = self.solution, self.solution.values.states, actions.copy()
        solution.compiled.kernels[_play](solution.rules, states.layout, states.keys, done)
        return done

    def costs(self, actions: NDArray[np.int16]) -> NDArray[np.float32]:
        """float32[states], the regret of what is done in each."""
        found = np.zeros(len(actions), np.float32)
        for action, regrets in enumerate(self.regrets):
            np.copyto(found, regrets, where=actions == action)
        return found

    def loss(self, actions: NDArray[np.int16]) -> float:
        """What playing so gives away against optimal play, on average of both seats."""
        return float(self.visits(actions) @ self.costs(actions))


def _regret(rules: Any, layout: Any, keys: Any, ranks: Any, values: Any, regrets: Any, choices: Any) -> bool:
    """Fill in the regrets of all actions, and how many there are to choose from; whether there is room for all."""
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        first = -1
        for action in legal(rules, state):
            if action == CHANCE:
                break
            if action >= len(regrets):
                return False
            worth = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                worth += probability * worth_of(rules, layout, keys, ranks, values, after, passes)
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


def _play(rules: Any, layout: Any, keys: Any, actions: Any) -> None:
    """Put the first legal action in place of one that is not legal."""
    for index, place in members(keys):
        chosen: Any = np.int64(CHANCE)
        for count, action in enumerate(legal(rules, state_at(layout, keys, place))):
            if count == 0 or action == actions[index]:
                chosen = action
        actions[index] = chosen


def _arrange(rules: Any, layout: Any, keys: Any, ranks: Any, optimal: Any, start: int, marks: Any) -> Any:
    """All that the two can do, in reverse post-order of a search, with strongly connected components (Tarjan, 1972).

    Args:
        optimal: int16[states], what the other does; the learner may do anything.
        start: the place of the first state.
        marks: int32[2, 2, states] of 0, filled in for each mover: when a state was found, from 1 on, and when the
            earliest was that it leads back to; in the end the number of its component, and FINISHED.

    Returns:
        (int64[.] place * 2 + who moves (0: the learner), int32[.] the index of the state, int64[.] the number of its
        component: those that it leads to have smaller ones)
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
        index = index_of(keys, ranks, place)
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
        state = state_at(layout, keys, place)
        for action in legal(rules, state):
            if who == 1 and action != optimal[index]:
                continue
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0 or over(rules, after):
                    continue
                next_place = locate(layout, keys, ranks, after)
                next_who = who ^ (passes & 1)
                if not is_member(keys, next_place):
                    continue
                next_index = index_of(keys, ranks, next_place)
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
                    closed_index = index_of(keys, ranks, closed >> 1)
                    marks[0, closed & 1, closed_index] = count + 1  # from now on the number of its component
                    marks[1, closed & 1, closed_index] = FINISHED
                    if closed == node:
                        break
                count += 1
    order = order[:ended][::-1].copy()
    indices, components = np.empty(ended, np.int32), np.empty(ended, np.int64)
    for i in range(ended):
        indices[i] = index_of(keys, ranks, order[i] >> 1)
        components[i] = marks[0, order[i] & 1, indices[i]]
    return order, indices, components


def _push(
    rules: Any,
    layout: Any,
    keys: Any,
    ranks: Any,
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
    """Push what has arrived in each state on to the states after it, component by component.

    Args:
        actions: int16[states], what the learner does.
        optimal: int16[states], what the other does.
        noise: how often the learner takes any legal action instead.
        rest: the part of what arrives in a component that may be left there, and by which the parts that two sweeps
            leave may differ if they are taken to be the same.
        order: int64[.], place * 2 + who moves.
        indices: int32[.], the indices of these states.
        ends: int64[components], one past the last of each in the order.
        now: float64[2, states], what has arrived.
        visits: float64[states], to which is added how often the learner moves.

    Returns:
        whether games go on in a component for too long
    """
    begin = 0
    for component in range(len(ends)):
        end = ends[component]
        arrived = _mass(order, indices, begin, end, now)
        before, part = arrived, -1.0
        for _ in range(MOST_SWEEPS):
            if before <= rest * arrived:
                break
            for i in range(begin, end):
                _push_on(rules, layout, keys, ranks, actions, optimal, noise, order[i], indices[i], now, visits)
            left = _mass(order, indices, begin, end, now)
            if left < before and abs(left / before - part) <= rest:
                for i in range(begin, end):
                    now[order[i] & 1, indices[i]] *= 1.0 / (1.0 - left / before)
                for i in range(begin, end):
                    _push_on(rules, layout, keys, ranks, actions, optimal, noise, order[i], indices[i], now, visits)
                break
            before, part = left, left / before
        else:
            return True
        begin = end
    return False


def _mass(order: Any, indices: Any, begin: int, end: int, now: Any) -> float:
    """How much has arrived in the states of a component."""
    total = 0.0
    for i in range(begin, end):
        total += now[order[i] & 1, indices[i]]
    return total


def _push_on(
    rules: Any,
    layout: Any,
    keys: Any,
    ranks: Any,
    actions: Any,
    optimal: Any,
    noise: float,
    node: int,
    index: int,
    now: Any,
    visits: Any,
) -> None:
    """Push what has arrived in one state on."""
    who = node & 1
    mass = now[who, index]
    if mass == 0.0:
        return
    now[who, index] = 0.0
    state = state_at(layout, keys, node >> 1)
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
                target = index_of(keys, ranks, locate(layout, keys, ranks, after))
                now[who ^ (passes & 1), target] += share * probability


def _back_up(
    rules: Any,
    layout: Any,
    keys: Any,
    ranks: Any,
    actions: Any,
    optimal: Any,
    near: float,
    order: Any,
    indices: Any,
    ends: Any,
    values: Any,
) -> None:
    """Bring the values of optimal play, in place, to those of the learner's games, component by component from the end.

    Args:
        near: the change of a value that ends the sweeps over a component.
        order, indices, ends: as in `_push`.
        values: float64[2, states], of the player to move: the learner, the other.
    """
    for component in range(len(ends) - 1, -1, -1):
        begin = 0
        if component > 0:
            begin = ends[component - 1]
        for _ in range(MOST_SWEEPS):
            largest = 0.0
            for i in range(ends[component] - 1, begin - 1, -1):
                who, index = order[i] & 1, indices[i]
                wished = actions[index] if who == 0 else optimal[index]
                worth = _worth(rules, layout, keys, ranks, wished, order[i], values)
                largest = max(largest, abs(worth - values[who, index]))
                values[who, index] = worth
            if largest <= near:
                break


def _worth(rules: Any, layout: Any, keys: Any, ranks: Any, wished: int, node: int, values: Any) -> float:
    """What it is worth to take an action, or the first legal one if it is not legal."""
    state = state_at(layout, keys, node >> 1)
    chosen: Any = np.int64(CHANCE)
    for count, action in enumerate(legal(rules, state)):
        if count == 0 or action == wished:
            chosen = action
    worth = 0.0
    for probability, after, passes in outcomes(rules, state, chosen):
        if probability > 0.0:
            worth += probability * worth_of(
                rules, layout, keys, ranks, values[(node & 1) ^ (passes & 1)], after, passes
            )
    return worth


def _compare(rules: Any, layout: Any, keys: Any, ranks: Any, values: Any, indices: Any, found: Any) -> None:
    """Fill in float64[actions, indices]."""
    column = 0
    for index, place in members(keys):
        if column == len(indices):
            break
        if index == indices[column]:
            best = 0.0
            for action in range(len(found)):
                found[action, column] = _worth(rules, layout, keys, ranks, action, 2 * place, values)
                best = max(best, found[action, column])
            for action in range(len(found)):
                found[action, column] = best - found[action, column]
            column += 1
