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
from typing import Any

import numpy as np

from komi.arrays import F32, F64, I16, I64
from komi.bellman import FREE
from komi.errors import SolveError
from komi.evaluation.play_search import PlayOrder, order_play
from komi.solvers.solution import Solution
from komi.teaching.loss_kernels import (
    PolicyPair,
    evaluate_policies,
    fill_deviation_regrets,
    fill_regrets,
    legalize,
    propagate_mass,
)

TRUNCATION = 1e-9  # share of the mass in a component that can be left unfinished
EXPLORATION_RATE = 0.1  # of `exploratory_visits`
TOLERANCE = 3e-5  # of the winning probabilities with which strategies are improved
LATER_ACTIONS = (
    "komi evaluates strategies exactly in games whose first decision has all actions; {game} has others later on: "
    "'komi teach' finds some by simulation, with '--against' and the policies to win against."
)


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
        states, arrays = solution.optimal_play.states, solution.optimal_play
        regrets = np.empty((actions, states.size), np.float32)
        choices = np.zeros(states.size, np.int16)
        kernels = solution.compiled.kernels
        if not kernels[fill_regrets](solution.rules, states, np.asarray(arrays.values), regrets, choices):
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
        solution, states = self.solution, self.solution.optimal_play.states
        mass, visits = np.zeros((2, states.size)), np.zeros(states.size)
        mass[:, states.index_of(solution.game.part("start")(solution.rules))] = 0.5
        policies = PolicyPair(actions, np.asarray(solution.optimal_play.choices), exploration_rate)
        kernel = solution.compiled.kernels[propagate_mass]
        if not kernel(solution.rules, states, self._order, policies, truncation, mass, visits):
            raise SolveError(
                f"games of {solution.game.name} between this strategy and optimal play go on for too long."
            )
        return visits

    def exploratory_visits(self, truncation: float = TRUNCATION) -> F64:
        """Compute float64[states], the visits of optimal play, half of them with exploration.

        Exploration visits states that optimal play avoids.
        """
        optimal = self.solution.optimal_play.choices
        return (self.visits(optimal, 0.0, truncation) + self.visits(optimal, EXPLORATION_RATE, truncation)) / 2

    def values(self, actions: I16) -> F64:
        """Compute float64[2, states], the values for the player to move: the learner in row 0, its opponent in row 1.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        """
        solution, states = self.solution, self.solution.optimal_play.states
        values = np.empty((2, states.size))
        values[:] = np.asarray(solution.optimal_play.values)
        policies = PolicyPair(actions, np.asarray(solution.optimal_play.choices), 0.0)
        solution.compiled.kernels[evaluate_policies](solution.rules, states, self._order, policies, TOLERANCE, values)
        return values

    def deviation_regrets(self, values: F64, indices: I64) -> F64:
        """Compute float64[actions, indices], the regret of a single deviation to each action in a learner's games.

        Args:
            values: float64[2, states], the values in the games of the learner.
            indices: the indices of the states, in ascending order.
        """
        solution, states = self.solution, self.solution.optimal_play.states
        regrets = np.empty((len(self.regrets), len(indices)))
        solution.compiled.kernels[fill_deviation_regrets](solution.rules, states, values, indices, regrets)
        return regrets

    def legalize(self, actions: I16) -> I16:
        """Return int16[states], the actions that are played: the first legal one if the given one is not legal.

        At chance nodes it is CHANCE.
        """
        solution, legal_actions = self.solution, actions.copy()
        solution.compiled.kernels[legalize](solution.rules, solution.optimal_play.states, legal_actions)
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
