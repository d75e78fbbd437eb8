"""Policies as Python functions that compiled code cannot call, such as a network that was trained elsewhere."""

import operator
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F32, F64, I8, I16, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.planes import NO_ROW, Planes
from komi.errors import GameError, InputError, SolveError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members_at, state_at
from komi.graph.observations import observations
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, legal_actions
from komi.policies.python_functions import FORMS
from komi.policies.tabulate import illegal_action_error, most_actions, unlisted_action_error
from komi.rules.game import Game
from komi.rules.interface import legal
from komi.search.playouts import MIN_ANSWER
from komi.typing import Rules, State

BATCH_STATES = 1 << 16  # states in one call of a vectorized function: 25 MB of float32 in a layer of 100 neurons
SUM_TOLERANCE = 1e-4  # of probabilities in float32


@dataclass(frozen=True, eq=False)
class CallablePolicy(Policy):
    """A policy as any function (observation, action_mask) -> action, with the arrays of `komi.gymnasium`.

    Attributes:
        function: takes int64[fields], what the player to move sees, and int8[actions], 1 for each legal action; returns
            the number of an action. A vectorized function takes int64[states, fields] and int8[states, actions], and
            returns int[states], or, for a mixed strategy, float[states, actions], probabilities.
        is_vectorized: whether the function takes many states at once.
        observation: the form of what it takes, "fields" or, as float32[planes], "planes".
    """

    name: str
    function: Callable[..., Any]
    is_vectorized: bool = False
    observation: str = "fields"

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Call the function in every state in which a player chooses.

        Raises:
            InputError: if it returns anything but numbers of actions.
            GameError: if a number is not that of a legal action.
        """
        actions = np.full(states.size, CHANCE, np.int16)
        for indices, masks, chosen in self._answers(compiled, rules, states):
            if chosen.ndim > 1:
                raise InputError(
                    f"policy {self.name} returns probabilities, which only games with hidden information take: return "
                    "the numbers of actions."
                )
            inside = np.clip(chosen, 0, masks.shape[1] - 1)
            in_rules = np.where(chosen == inside, _actions(compiled.game, rules)[inside], chosen)
            is_legal = (chosen == inside) & (masks[np.arange(len(masks)), inside] > 0)
            if not is_legal.all():
                wrong = int(np.argmin(is_legal))
                raise self._illegal(compiled.game, rules, states, int(indices[wrong]), int(in_rules[wrong]))
            actions[indices] = in_rules
        return actions

    def probabilities_in(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> F64 | None:
        """Return what a vectorized function returns, as float64[states, legal actions]; None if it returns numbers.

        Raises:
            InputError: if a row has no probabilities.
            GameError: if an action that is not legal has one.
        """
        if not self.is_vectorized:
            return None
        probabilities = np.zeros((states.size, most_actions(compiled, rules, states)))
        probabilities[:, 0] = 1.0
        for indices, masks, weights in self._answers(compiled, rules, states):
            if weights.ndim == 1:
                return None
            sums = weights.sum(axis=1)
            wrong = np.flatnonzero(~((weights >= 0.0).all(axis=1) & (abs(sums - 1.0) < SUM_TOLERANCE)))
            if len(wrong):
                raise InputError(
                    f"policy {self.name} returns {weights[wrong[0]].tolist()}: probabilities are 0 or more, with a sum "
                    "of 1."
                )
            row, action = np.divmod(np.argmax(weights * (masks == 0)), masks.shape[1])
            if weights[row, action] > 0.0 and not masks[row, action]:
                taken = int(_actions(compiled.game, rules)[action])
                raise self._illegal(compiled.game, rules, states, int(indices[row]), taken)
            numbers = _numbers(compiled.game, rules)
            GraphKernels(compiled)[_list_legal](rules, states, indices, numbers, weights, probabilities)
        return probabilities

    def _answers(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> Iterator[tuple[I64, I8, I64 | F64]]:
        """Yield the indices of states in which a player chooses, their masks, and what the function returns there."""
        numbers, count = _numbers(compiled.game, rules), len(_actions(compiled.game, rules))
        for first in range(0, states.size, BATCH_STATES):
            indices = np.arange(first, min(first + BATCH_STATES, states.size))
            observed = observations(compiled, rules, states, first, int(indices[-1]) + 1)
            masks = np.zeros((len(indices), count), np.int8)
            row = GraphKernels(compiled)[_mark_legal](rules, states, indices, numbers, masks)
            if row != NO_ROW:
                raise _unlisted(compiled.game, rules, compiled.game.module.State(*states.fields(int(indices[row]))))
            decides = masks.any(axis=1)
            masks = masks[decides]
            yield indices[decides], masks, self._calls(self._seen(compiled.game, rules, observed[decides]), masks)

    def _illegal(self, game: Game, rules: Rules, states: StateSet, index: int, action: int) -> GameError:
        return illegal_action_error(self, action, game, rules, game.module.State(*states.fields(index)))

    def code(self) -> None:
        """Refuse: only tables can represent the policy.

        Raises:
            SolveError: always.
        """
        raise SolveError(
            f"policy {self.name} is a function (observation, action_mask), which compiled code cannot call: write it "
            "as (rules, state), in the language of rule files."
        )

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Call the function in one state."""
        actions = _actions(game, rules)
        mask = np.isin(actions, legal_actions(game, rules, state)).astype(np.int8)
        chosen = self._calls(self._seen(game, rules, np.array([state], np.int64)), mask[None])[0]
        if chosen.ndim == 0:
            return int(actions[chosen]) if 0 <= chosen < len(actions) else int(chosen)
        possible = np.flatnonzero(chosen)
        sums = np.cumsum(chosen[possible])
        return int(actions[possible[np.searchsorted(sums[:-1], uniform * sums[-1], side="right")]])

    def _seen(self, game: Game, rules: Rules, observed: I64) -> I64 | F32:
        """Return observations, int64[rows, all fields], in the form that the function takes."""
        fields = observed[:, [game.module.State._fields.index(name) for name in game.fields(rules)]]
        return fields if self.observation == "fields" else Planes(game, rules, self.observation).encoded(fields)

    def _calls(self, observations: I64 | F32, masks: I8) -> I64 | F64:
        """Return int64[rows], the number of the action in each row, or float64[rows, actions], probabilities."""
        if not self.is_vectorized:
            pairs = zip(observations, masks, strict=True)
            return np.fromiter((self._number(self._call(*pair)) for pair in pairs), np.int64, len(masks))
        answers = np.asarray(self._call(observations, masks))
        if answers.shape == masks.shape and answers.dtype.kind == "f":
            return answers.astype(np.float64)
        if answers.shape != (len(masks),) or answers.dtype.kind not in "biu":
            raise InputError(
                f"policy {self.name} must return the numbers of {len(masks):,} actions, int[{len(masks)}], not "
                f"{answers.dtype}{list(answers.shape)}."
            )
        return answers.astype(np.int64)

    def _call(self, observations: I64 | F32, masks: I8) -> Any:
        try:
            return self.function(observations, masks)
        except AttributeError as error:  # arrays have no fields such as rules.goal and state.turn
            if isinstance(error.obj, np.ndarray):
                raise InputError(f"policy {self.name} takes arrays, and {error}: {FORMS}.") from error
            raise

    def _number(self, action: Any) -> int:
        with suppress(TypeError):
            number = operator.index(action)
            if abs(number) <= -MIN_ANSWER:
                return number
        raise InputError(f"policy {self.name} must return the number of an action, not {action!r}.")


def _actions(game: Game, rules: Rules) -> I64:
    """Return int64[actions], the action of the rules with each number."""
    return np.array(game.action_numbers(rules), np.int64)


def _numbers(game: Game, rules: Rules) -> I64:
    """Return the number of each action of the rules; -1 if it has none."""
    actions = _actions(game, rules)
    numbers = np.full(int(actions[-1]) + 1, -1)
    numbers[actions] = np.arange(len(actions))
    return numbers


def _unlisted(game: Game, rules: Rules, state: State) -> GameError:
    """Create the error for a legal action without a number."""
    action = min({*game.part("legal")(rules, state)} - {*game.action_numbers(rules)})
    return unlisted_action_error(game, action, f" in {game.write(rules, state)}")


def _mark_legal(rules: Rules, states: StateIndex, indices: I64, numbers: I64, masks: I8) -> int:
    """Mark the legal actions in states, by their indices, in int8[rows, actions]; none at chance nodes.

    Return NO_ROW, or the row of a state with a legal action that has no number.
    """
    for row, handle in members_at(states.keys, indices):
        for action in legal(rules, state_at(states, handle)):
            if action == CHANCE:
                continue
            if not 0 <= action < len(numbers) or numbers[action] < 0:
                return row
            masks[row, numbers[action]] = 1
    return NO_ROW


def _list_legal(rules: Rules, states: StateIndex, indices: I64, numbers: I64, weights: F64, probabilities: F64) -> None:
    """Copy float64[rows, actions] into float64[states, legal actions], in the order of the rules."""
    for row, handle in members_at(states.keys, indices):
        for number, action in enumerate(legal(rules, state_at(states, handle))):
            if action != CHANCE:
                probabilities[indices[row], number] = weights[row, numbers[action]]
