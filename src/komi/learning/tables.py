"""Tables over the states of a game, or over their actions, that methods fill in with estimated values.

In a plain table every entry has a separate value. With tilings (tile coding: Sutton and Barto, Reinforcement
Learning, section 9.5.4) the value of an entry is a sum of weights, one for the tile of each tiling that contains it:
what is learned of one state tells of those around it. A tile of tiling i has 2^i values of each field, so that tiling 0
is a plain table, and the exact values remain in reach.

The value of a state is that to the player to move: in a two-player game both seats share one table, and a value v of
the next state counts as 1 - v where the turn has passed.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, I32, I64, check_indices
from komi.compiling.compiled import CompiledGame
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import begin, to_mover
from komi.jit.specialization import always_inline
from komi.rules.interface import legal, outcomes, over, payoff, reward
from komi.typing import Rules, State

STEP_SIZES = 1 << 16  # updates of a weight after which its step size stays the same


class Choices(NamedTuple):
    """The legal actions of all states, in the order of the rules (compressed sparse rows).

    Attributes:
        handles: int64[states], the handle of each state.
        ends: int64[states], one past the last action of each state.
        actions: int16[actions], their numbers; CHANCE at chance nodes.
    """

    handles: I64
    ends: I64
    actions: I16

    @classmethod
    def of(cls, compiled: CompiledGame, rules: Rules, states: StateSet) -> Self:
        """List the legal actions of all states."""
        choices = cls(np.empty(states.size, np.int64), np.empty(states.size, np.int64), np.empty(0, np.int16))
        count = GraphKernels(compiled)[list_choices](rules, states, choices)
        choices = choices._replace(actions=np.empty(count, np.int16))
        GraphKernels(compiled)[list_choices](rules, states, choices)
        return choices


class LearningGame(NamedTuple):
    """The states and actions of a game, for kernels that learn it.

    Attributes:
        start: the handle of the initial state.
        states: the states, without terminal ones.
        choices: their legal actions.
        is_zero_sum: True if there are two players, and the value of one is 1 minus that of the other.
        sign: -1.0 if rewards are to be minimized, otherwise 1.0.
    """

    start: int
    states: StateIndex
    choices: Choices
    is_zero_sum: bool
    sign: float


class ValueTable(NamedTuple):
    """Tables of values that are learned.

    Attributes:
        weights: float64[tables, weights]; two tables in double Q-learning, otherwise one. Without tilings, a weight is
            the value of an entry, a state or an action.
        updates: int64[tables, weights], the number of updates of each.
        last_game: int64[entries], the last game in which the entry occurred.
        step_sizes: float64[.], the step size of a weight by its number of updates.
        tiles: int32[entries, tilings], the weights whose sum is the value of an entry; None without tilings.
    """

    weights: F64
    updates: I64
    last_game: I64
    step_sizes: F64
    tiles: I32 | None

    @classmethod
    def empty(cls, tables: int, entries: int, initial: float, step_sizes: F64, tiles: I32 | None) -> Self:
        """Create tables of an initial value."""
        weights, count = (entries, 1) if tiles is None else (int(tiles.max()) + 1, tiles.shape[1])
        return cls(
            np.full((tables, weights), initial / count),
            np.zeros((tables, weights), np.int64),
            np.full(entries, -1, np.int64),
            step_sizes,
            tiles,
        )

    @classmethod
    def of(cls, values: F64) -> Self:
        """Create a table of given values, float64[entries], that is not learned."""
        return cls(values[None], np.empty((1, 0), np.int64), np.empty(0, np.int64), np.empty(0), None)

    def values(self) -> F64:
        """Return float64[entries], the values of all entries; of several tables their mean."""
        weights: F64 = self.weights.mean(axis=0)
        return weights if self.tiles is None else np.sum(weights[self.tiles], axis=1)


def decaying_step_sizes(first: float, decay: float) -> F64:
    """Return float64[.], the step size of each update: `first` / n^`decay` in the n-th one."""
    return first / np.arange(1.0, STEP_SIZES + 1.0) ** decay


def tile(fields: I64, classes: I64, tilings: int) -> I32:
    """List the tiles that contain each entry.

    The tiles of a tiling are displaced by half their width, so that tilings do not share their edges.

    Args:
        fields: int64[entries, fields], from 0 on.
        classes: int64[entries]; entries of different classes share no tile.
        tilings: their number.

    Returns:
        int32[entries, tilings].

    Raises:
        SolveError: if there are more tiles than can be numbered.
    """
    check_indices(len(fields) * tilings, "tiles")
    tiles = np.empty((len(fields), tilings), np.int32)
    count = 0
    for i in range(tilings):
        keys = classes
        for column in ((fields + (1 << i >> 1)) >> i).T:
            keys = np.unique(keys * (int(column.max()) + 1) + column, return_inverse=True)[1]
        tiles[:, i] = keys + count
        count += int(keys.max()) + 1
    return tiles


def list_choices(rules: Rules, states: StateIndex, choices: Choices) -> int:
    """Fill in the legal actions of all states as far as there is capacity; return their number."""
    count = 0
    for index, handle in members(states.keys):
        for action in legal(rules, state_at(states, handle)):
            if count < len(choices.actions):
                choices.actions[count] = action
            count += 1
        choices.handles[index], choices.ends[index] = handle, count
    return count


def is_chance(choices: Choices, index: int) -> Any:
    """Return whether a state is a chance node."""
    return choices.actions[begin(choices.ends, index)] == CHANCE


@always_inline
def value_of(table: ValueTable, which: int, entry: int) -> Any:
    """Return the value of an entry in the table with this number."""
    return _value_of(table, table.tiles, which, entry)


@always_inline
def _value_of(table: ValueTable, tiles: I32 | None, which: int, entry: int) -> Any:
    if tiles is None:
        return table.weights[which, entry]
    total = 0.0
    for i in range(tiles.shape[1]):
        total += table.weights[which, tiles[entry, i]]
    return total


@always_inline
def update_value(table: ValueTable, which: int, entry: int, target: float) -> None:
    """Move the value of an entry towards a target, by the step size of its number of updates.

    With tilings each weight has its own step size, and takes an equal share of the error.
    """
    _update_value(table, table.tiles, which, entry, target - value_of(table, which, entry))


@always_inline
def _update_value(table: ValueTable, tiles: I32 | None, which: int, entry: int, error: float) -> None:
    if tiles is None:
        _update_weight(table, which, entry, error)
    else:
        for i in range(tiles.shape[1]):
            _update_weight(table, which, tiles[entry, i], error / tiles.shape[1])


@always_inline
def _update_weight(table: ValueTable, which: int, weight: int, error: float) -> None:
    updates = table.updates[which, weight]
    table.weights[which, weight] += table.step_sizes[min(updates, STEP_SIZES - 1)] * error
    table.updates[which, weight] = updates + 1


def action_value(rules: Rules, game: LearningGame, state: State, action: int, table: ValueTable) -> float:
    """Return the expected value of an action to the mover, looking one step ahead.

    Args:
        rules: the rules.
        game: the game.
        state: a state.
        action: a legal action, or CHANCE.
        table: the values of all states, times the sign of the objective.
    """
    total = 0.0
    for probability, after, passes in outcomes(rules, state, np.int64(action)):  # type: ignore[arg-type]
        if over(rules, after):
            value = game.sign * payoff(rules, after)
        else:
            value = value_of(table, 0, index_of(game.states, locate(game.states, after)))
        if game.is_zero_sum:
            value = to_mover(value, passes)
        total += probability * (game.sign * reward(rules, state, action, after) + value)
    return total


def look_ahead(rules: Rules, game: LearningGame, table: ValueTable, entries: I64) -> None:
    """Find the best action of every state by looking one step ahead, the first of a tie.

    Args:
        rules: the rules.
        game: the game.
        table: the values of all states.
        entries: int64[states], filled in: the entry of the best action.
    """
    for index, handle in members(game.states.keys):
        state = state_at(game.states, handle)
        best = -np.inf
        for entry in range(begin(game.choices.ends, index), game.choices.ends[index]):
            value = action_value(rules, game, state, game.choices.actions[entry], table)
            if value > best:
                best, entries[index] = value, entry


def best_entries(choices: Choices, values: F64, entries: I64, state_values: F64) -> None:
    """Find the best action of every state in a table of action values, the first of a tie.

    Args:
        choices: the legal actions.
        values: float64[actions].
        entries: int64[states], filled in: the entry of the best action.
        state_values: float64[states], filled in: its value.
    """
    for index in range(len(entries)):
        best = np.int64(begin(choices.ends, index))
        for entry in range(best + 1, choices.ends[index]):
            if values[entry] > values[best]:
                best = np.int64(entry)
        entries[index], state_values[index] = best, values[best]
