"""Mixed strategies as functions in the language of game files, which return the weight of each action."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.policies.calls import PolicyCalls
from komi.policies.functions import CompiledPolicy, interpreted
from komi.policies.policy import Policy, PolicyCode, legal_actions
from komi.rules.game import Game
from komi.rules.interface import call_policy, legal, like, view
from komi.search.playouts import PolicyStatus
from komi.typing import PolicyData, Rules, State


class WeightedPolicy(CompiledPolicy):
    """A mixed strategy as a function (rules, state, action, *parameters) -> weight of the action.

    It takes each legal action with a probability in proportion to its weight.
    """

    is_mixed = True

    def probabilities_in(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> F64:
        """Return float64[states, actions], the probability of each legal action, in the order of the rules.

        Raises:
            GameError: if a weight is negative or no number, or all are 0: the message names the state.
        """
        counts = np.zeros(1, np.int64)
        GraphKernels(compiled)[_count_most](rules, states, counts)
        row, weights = np.zeros(counts[0]), np.zeros((states.size, counts[0]))
        calls = PolicyCalls.of([_WeightWriter(self.name, self.function, self.parameters, row)])
        index = calls.kernels(compiled)[_fill_weights](rules, states, calls.data, row, weights)
        if index >= 0:
            game = compiled.game
            raise self._error(game, rules, game.module.State(*states.fields(index)), weights[index].tolist())
        return weights

    def code(self) -> PolicyCode:
        """Return the code that samples an action in proportion to the weights."""
        return PolicyCode(_draw_weighted, self.parameters, {"like": self.function})

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Sample an action in proportion to the weights.

        Raises:
            GameError: if a weight is negative or no number, or all are 0.
        """
        function, nested = interpreted(self.function, game), game.nested(state)
        actions = legal_actions(game, rules, state)
        weights = [float(function(rules, nested, action, *self.parameters)) for action in actions]
        if not (min(weights) >= 0.0 and 0.0 < sum(weights) < np.inf):
            raise self._error(game, rules, state, weights)
        number = int(np.searchsorted(np.cumsum(weights), uniform * sum(weights), side="right"))
        return actions[number] if number < len(actions) else actions[int(np.argmax(weights))]

    def _error(self, game: Game, rules: Rules, state: State, weights: list[float]) -> GameError:
        text = game.write(rules, state)
        shown = ", ".join(f"{weight:g}" for weight in weights[: len(game.labels(rules, state))])
        return GameError(
            f"policy {self.name} returns the weights {shown} in {text}: none may be negative, and their sum must be "
            "a positive number.",
            text,
        )


@dataclass(frozen=True, eq=False)
class _WeightWriter(Policy):
    """A policy whose compiled call writes the weights of a state's actions into a buffer."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[int, ...]
    row: F64

    def code(self) -> PolicyCode:
        """Return the code that writes the weights."""
        return PolicyCode(_write_weights, (self.row, self.parameters), {"like": self.function})

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Return UNKNOWN: it only writes weights."""
        return PolicyStatus.UNKNOWN


def _write_weights(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:  # noqa: ARG001
    """Write the weight of each legal action into a buffer; return their number."""
    row, parameters = data
    count = 0
    for action in legal(rules, state):
        row[count] = like(rules, state, action, *parameters)
        count += 1
    return count


def _count_most(rules: Rules, states: StateIndex, counts: I64) -> None:
    """Fill in the greatest number of legal actions."""
    for _, handle in members(states.keys):
        count = 0
        for _ in legal(rules, state_at(states, handle)):
            count += 1
        counts[0] = max(counts[0], count)


def _fill_weights(rules: Rules, states: StateIndex, data: PolicyData, row: F64, weights: F64) -> int:
    """Fill in float64[states, actions], weights scaled to a sum of 1; return a state with invalid ones, or -1."""
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        is_choice = True
        for action in legal(rules, state):
            is_choice = is_choice and action != CHANCE
        if not is_choice:
            weights[index, 0] = 1.0
            continue
        count = call_policy(rules, view(rules, state), 1, data, 0.5)
        total, lowest = 0.0, 0.0
        for number in range(count):
            weights[index, number] = row[number]
            total += row[number]
            lowest = min(lowest, row[number])
        if not (lowest >= 0.0 and 0.0 < total < np.inf):
            return int(index)
        for number in range(count):
            weights[index, number] /= total
    return -1


def _draw_weighted(rules: Rules, state: State, uniform: float, parameters: PolicyData) -> int:
    """Sample a legal action in proportion to its weight; UNKNOWN if the weights are invalid."""
    sum_of_weights = 0.0
    for action in legal(rules, state):
        sum_of_weights += like(rules, state, action, *parameters)
    if not 0.0 < sum_of_weights < np.inf:
        return PolicyStatus.UNKNOWN
    total, highest = 0.0, 0.0
    likeliest: int = PolicyStatus.UNKNOWN
    for action in legal(rules, state):
        weight = like(rules, state, action, *parameters)
        if weight < 0.0:
            return PolicyStatus.UNKNOWN
        total += weight
        if uniform * sum_of_weights < total:
            return action
        if weight > highest:
            highest, likeliest = weight, action
    return likeliest
