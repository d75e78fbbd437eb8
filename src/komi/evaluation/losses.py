"""The loss of a decision against optimal play, and the agreement of two policies.

A decision is made in a state in which a player can choose between at least two actions. Chance nodes, and states in
which one action is forced, have none.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64
from komi.compiling.compiled import CompiledGame
from komi.evaluation.play_search import policy_outcomes
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import successor_value
from komi.rules.interface import legal, reward
from komi.solvers.solution import Solution
from komi.typing import Rules


@dataclass(frozen=True)
class Mistake:
    """A state, or an information set, in which a policy has a loss (regret).

    Attributes:
        state: the state, or what the player observes, as text.
        action: the policy's action.
        best: the optimal action.
        loss: loss in probability of winning; with a `payoff_range`, and in a single-player game, in the objective.
        visits: expected number of times that the policy takes the action there in a game, averaged over both seats.
    """

    state: str
    action: str
    best: str
    loss: float
    visits: float


@dataclass(frozen=True)
class Agreement:
    """The agreement of two policies: how often they take the same action.

    Where one of them randomizes, the probability that they do counts.

    Attributes:
        all_states: the share of equal decisions over all reachable states, each counted once; 1 if there are none.
        real_states: the share of equal decisions among those that the first policy makes in games against the second;
            1 if it makes none.
        states: number of reachable states with a decision; with hidden information, of information sets.
        decisions: expected number of decisions of the first policy in a game against the second, averaged over both
            seats.
        loss: expected loss of the first policy in such a game against optimal play, in probability of winning or in
            the objective.
        mistakes: the states in which it loses most in such games, worst first.
    """

    all_states: float
    real_states: float
    states: int
    decisions: float
    loss: float
    mistakes: list[Mistake]


def weighted_mean(shares: F64, weights: F64) -> float:
    """Return the weighted mean of shares; 1 if no weight is positive."""
    return 1.0 - float((1.0 - shares) @ weights / weights.sum()) if weights.any() else 1.0


def count_choices(compiled: CompiledGame, rules: Rules, states: StateSet) -> I64:
    """Return int64[states], the number of actions that the player to move can choose from; 0 at chance nodes."""
    counts = np.empty(states.size, np.int64)
    GraphKernels(compiled)[_count_choices](rules, states, counts)
    return counts


def action_losses(solution: Solution[Any], actions: I16) -> F64:
    """Return float64[states], the mover's loss by the given actions; losses within rounding error are 0.

    With a `payoff_range` they are mapped to 0 to 1, as the values of `optimal_play` are.
    """
    states, values = solution.optimal_play.states, solution.optimal_play.values
    loss = np.empty(states.size)
    GraphKernels(solution.compiled)[fill_losses](solution.rules, solution.kind.seats, states, values, actions, loss)
    if solution.kind.aim == "least":
        np.negative(loss, out=loss)
    loss[loss < max(1e-12 * solution.scale, 2 * solution.error_bound) / solution.kind.payoffs.width] = 0.0
    return loss


def _count_choices(rules: Rules, states: StateIndex, counts: I64) -> None:
    """Count the actions that a player can choose in every state."""
    for index, handle in members(states.keys):
        count = 0
        for action in legal(rules, state_at(states, handle)):
            if action != CHANCE:
                count += 1
        counts[index] = count


def fill_losses(rules: Rules, seats: int, states: StateIndex, values: F64, actions: I16, loss: F64) -> None:
    """Fill in the loss of each state's action: the state's value less the action's expected value.

    In a single-player game the immediate reward is part of the action's value.
    """
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        value = 0.0
        for action, probability, after, passes in policy_outcomes(rules, state, actions[index]):
            gain = reward(rules, state, action, after)
            value += probability * (gain + successor_value(rules, states, values, after, passes if seats == 2 else 0))
        loss[index] = values[index] - value
