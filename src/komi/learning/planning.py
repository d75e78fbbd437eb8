"""Methods that plan with the model of a game: its states, actions and probabilities as arrays.

With V the values of the states, a Bellman backup computes V(s) = max over the actions of gain + sum w V(s'), where the
gain of an action contains its expected rewards, payoffs and, in a two-player game, the 1 of 1 - V(s') where the turn
passes; the weight w is then negative (Puterman, Markov Decision Processes, chapter 6).
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I32, I64
from komi.compiling.compiled import CompiledGame
from komi.graph.explicit import OVER, ExplicitModel
from komi.graph.state_sets import StateSet
from komi.graph.transitions import begin
from komi.typing import Rules

MAX_OUTCOMES = 100_000_000  # of all actions: 5 GB while the model is built


class GameModel(NamedTuple):
    """The model of a game.

    Attributes:
        ends: int64[states], one past the last action of each state.
        gain: float64[actions], times the sign of the objective.
        outcome_ends: int64[actions], one past the last outcome of each action.
        target: int32[outcomes], the next state; terminal ones are part of the gain.
        weight: float64[outcomes], the probability, negative where the turn passes to the opponent.
    """

    ends: I64
    gain: F64
    outcome_ends: I64
    target: I32
    weight: F64

    @classmethod
    def of(cls, compiled: CompiledGame, rules: Rules, states: StateSet, sign: float) -> Self:
        """List the outcomes of all actions.

        Args:
            compiled, rules: the game.
            states: its states.
            sign: -1.0 if rewards are to be minimized, otherwise 1.0.

        Raises:
            SolveError: if there are too many.
        """
        listed = ExplicitModel.of(compiled, rules, states, MAX_OUTCOMES)
        actions = len(listed.outcome_ends)
        action = np.repeat(np.arange(actions), np.diff(listed.outcome_ends, prepend=0))
        goes_on = listed.target != OVER
        gain = sign * listed.gain + (listed.passes & goes_on)
        remaining = np.bincount(action[goes_on], minlength=actions)
        return cls(
            listed.ends,
            np.bincount(action, listed.probability * gain, actions).astype(np.float64),
            np.cumsum(remaining),
            listed.target[goes_on],
            np.where(listed.passes, -listed.probability, listed.probability)[goes_on],
        )


class Predecessors(NamedTuple):
    """The states that lead to each state.

    Attributes:
        ends: int64[states], one past the last predecessor of each state.
        origin: int32[.], a predecessor, once for each of its outcomes that lead there.
        weight: float64[.], the absolute weight of this outcome.
    """

    ends: I64
    origin: I32
    weight: F64

    @classmethod
    def of(cls, model: GameModel) -> Self:
        """Sort the outcomes of a model by their targets."""
        order = np.argsort(model.target, kind="stable")
        actions = np.repeat(np.arange(len(model.outcome_ends)), np.diff(model.outcome_ends, prepend=0))
        states = np.repeat(np.arange(len(model.ends), dtype=np.int32), np.diff(model.ends, prepend=0))
        ends = np.cumsum(np.bincount(model.target, minlength=len(model.ends)))
        return cls(ends, states[actions[order]], np.abs(model.weight[order]))


class PriorityQueue(NamedTuple):
    """A binary heap of states, the one with the largest priority first.

    Attributes:
        size: int64[1], the number of states in it.
        heap: int32[states], the states in it.
        place: int32[states], the position of each state in `heap`; -1 if it is not in it.
        priority: float64[states].
    """

    size: I64
    heap: I32
    place: I32
    priority: F64

    @classmethod
    def empty(cls, states: int) -> Self:
        """Allocate an empty queue."""
        return cls(np.zeros(1, np.int64), np.empty(states, np.int32), np.full(states, -1, np.int32), np.zeros(states))


def entry_value(model: GameModel, values: F64, entry: int) -> Any:
    """Return the value of an action."""
    total = model.gain[entry]
    for outcome in range(begin(model.outcome_ends, entry), model.outcome_ends[entry]):
        total += model.weight[outcome] * values[model.target[outcome]]
    return total


def best_value(model: GameModel, values: F64, state: int) -> Any:
    """Return the value of the best action of a state."""
    best = -np.inf
    for entry in range(begin(model.ends, state), model.ends[state]):
        best = max(best, entry_value(model, values, entry))
    return best


def sweep(model: GameModel, before: F64, values: F64, is_forward: bool) -> float:
    """Back up all states; return the largest change.

    Args:
        model: the model.
        before: float64[states], the values that are read: other ones (Jacobi), or the same (Gauss-Seidel).
        values: float64[states], written.
        is_forward: whether the first state is backed up first; play mostly goes from low indices to high ones, so that
            the other order is faster in place.
    """
    change = 0.0
    for number in range(len(values)):
        state = number if is_forward else len(values) - 1 - number
        value = best_value(model, before, state)
        change = max(change, abs(value - before[state]))
        values[state] = value
    return change


def evaluate(model: GameModel, entries: I64, values: F64) -> float:
    """Back up the chosen action of every state in place, the last state first; return the largest change."""
    change = 0.0
    for state in range(len(values) - 1, -1, -1):
        value = entry_value(model, values, entries[state])
        change = max(change, abs(value - values[state]))
        values[state] = value
    return change


def improve(model: GameModel, values: F64, entries: I64) -> int:
    """Choose a best action in every state; keep the old one if no other is better.

    Returns:
        the number of states in which the action has changed.
    """
    changed = 0
    for state in range(len(values)):
        best, best_so_far = entries[state], entry_value(model, values, entries[state])
        for entry in range(begin(model.ends, state), model.ends[state]):
            value = entry_value(model, values, entry)
            if value > best_so_far:
                best, best_so_far = np.int64(entry), value
        changed += best != entries[state]
        entries[state] = best
    return changed


def choose_best(model: GameModel, values: F64, entries: I64) -> None:
    """Choose the best action of every state, the first of a tie."""
    for state in range(len(values)):
        best = -np.inf
        for entry in range(begin(model.ends, state), model.ends[state]):
            value = entry_value(model, values, entry)
            if value > best:
                best, entries[state] = value, entry


def fill_queue(model: GameModel, values: F64, queue: PriorityQueue) -> None:
    """Insert all states with their Bellman errors."""
    for state in range(len(values)):
        raise_priority(queue, state, abs(best_value(model, values, state) - values[state]))


def sweep_by_priority(
    model: GameModel, predecessors: Predecessors, values: F64, queue: PriorityQueue, backups: int
) -> None:
    """Back up the states with the largest priorities (Moore and Atkeson 1993).

    After a backup changes a value by d, the priority of a predecessor is at least d times the probability of its
    transition.

    Args:
        model, predecessors: the game.
        values: float64[states], modified in place.
        queue: the states that wait for a backup.
        backups: the number of backups; fewer if no state waits.
    """
    for _ in range(backups):
        if queue.size[0] == 0:
            return
        state = take_first(queue)
        value = best_value(model, values, state)
        change = abs(value - values[state])
        values[state] = value
        for at in range(begin(predecessors.ends, state), predecessors.ends[state]):
            raise_priority(queue, predecessors.origin[at], change * predecessors.weight[at])


def raise_priority(queue: PriorityQueue, state: int, priority: float) -> None:
    """Insert a state, or raise its priority if it is lower; a priority of 0 changes nothing."""
    place = queue.place[state]
    if priority == 0.0 or (place >= 0 and queue.priority[state] >= priority):
        return
    if place < 0:
        place = queue.size[0]
        queue.size[0] += 1
    while place > 0:
        parent = (place - 1) >> 1
        above = queue.heap[parent]
        if queue.priority[above] >= priority:
            break
        queue.heap[place], queue.place[above] = above, place
        place = parent
    queue.heap[place], queue.place[state], queue.priority[state] = state, place, priority


def take_first(queue: PriorityQueue) -> Any:
    """Remove the state with the largest priority, and return it."""
    first, size = queue.heap[0], queue.size[0] - 1
    queue.size[0], queue.place[first] = size, -1
    if size:
        state, place = queue.heap[size], 0
        while 2 * place + 1 < size:
            child = 2 * place + 1
            if child + 1 < size and queue.priority[queue.heap[child + 1]] > queue.priority[queue.heap[child]]:
                child += 1
            below = queue.heap[child]
            if queue.priority[state] >= queue.priority[below]:
                break
            queue.heap[place], queue.place[below] = below, place
            place = child
        queue.heap[place], queue.place[state] = state, place
    return np.int64(first)
