"""Tables over the states of a game, or over their actions, that methods fill in with estimated values.

The value of a state is that to the player to move: in a two-player game both seats share one table, and a value v of
the next state counts as 1 - v where the turn has passed.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, I64
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import begin, to_mover
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over, payoff, reward
from komi.typing import Rules, State


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
        count = compiled.kernels[list_choices](rules, states, choices)
        choices = choices._replace(actions=np.empty(count, np.int16))
        compiled.kernels[list_choices](rules, states, choices)
        return choices


class LearningGame(NamedTuple):
    """The states and actions of a game, for kernels that learn it.

    Attributes:
        states: the states, without terminal ones.
        choices: their legal actions.
        is_zero_sum: True if there are two players, and the value of one is 1 minus that of the other.
        sign: -1.0 if rewards are to be minimized, otherwise 1.0.
    """

    states: StateIndex
    choices: Choices
    is_zero_sum: bool
    sign: float


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


def best_entry(choices: Choices, index: int, values: F64) -> Any:
    """Return the entry of a state's best action, the first of a tie; `values` are float64[actions]."""
    best = np.int64(begin(choices.ends, index))
    for entry in range(best + 1, choices.ends[index]):
        if values[entry] > values[best]:
            best = np.int64(entry)
    return best


def action_value(rules: Rules, game: LearningGame, state: State, action: int, values: F64) -> float:
    """Return the expected value of an action to the mover, looking one step ahead.

    Args:
        rules: the rules.
        game: the game.
        state: a state.
        action: a legal action, or CHANCE.
        values: float64[states], the values of all states, times the sign of the objective.
    """
    total = 0.0
    for probability, after, passes in outcomes(rules, state, action):
        if over(rules, after):
            value = game.sign * payoff(rules, after)
        else:
            value = values[index_of(game.states, locate(game.states, after))]
        if game.is_zero_sum:
            value = to_mover(value, passes)
        total += probability * (game.sign * reward(rules, state, action, after) + value)
    return total


def look_ahead(rules: Rules, game: LearningGame, values: F64, entries: I64, action_values: F64) -> None:
    """Find the best action of every state by looking one step ahead, the first of a tie.

    Args:
        rules: the rules.
        game: the game.
        values: float64[states].
        entries: int64[states], filled in: the entry of the best action.
        action_values: float64[actions], filled in.
    """
    for index, handle in members(game.states.keys):
        state = state_at(game.states, handle)
        for entry in range(begin(game.choices.ends, index), game.choices.ends[index]):
            action_values[entry] = action_value(rules, game, state, game.choices.actions[entry], values)
        entries[index] = best_entry(game.choices, index, action_values)


def best_entries(choices: Choices, values: F64, entries: I64, state_values: F64) -> None:
    """Find the best action of every state in a table of action values, the first of a tie.

    Args:
        choices: the legal actions.
        values: float64[actions].
        entries: int64[states], filled in: the entry of the best action.
        state_values: float64[states], filled in: its value.
    """
    for index in range(len(entries)):
        entries[index] = best_entry(choices, index, values)
        state_values[index] = values[entries[index]]
