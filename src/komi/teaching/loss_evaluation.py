"""All games of a strategy with optimal play at once, from every seat: state frequencies and losses.

A learner plays alone, or in one seat of a game whose other seats play optimally: with three seats and more, by the
equilibrium that `komi solve` finds. Its loss is what it gives away by deviating from optimal play alone. It is exactly
the sum over all states of how often it has to decide there, times the regret of its decision: the value of the state
minus that of the action (the performance difference lemma; S. Kakade and J. Langford, ICML 2002). The frequencies of
the states, x, solve x = x0 + P' x for the chain of (state, role). The solver propagates probability mass forward, one
strongly connected component of the chain after the other. Inside a component it sweeps in the reverse post-order of a
depth-first search, in which nearly all transitions lead forward; the mass that returns is propagated in the next sweep.
As soon as the share of the mass that a sweep leaves is constant, all later sweeps are a geometric series, and are
summed at once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F32, F64, I16, I64
from komi.bellman import ActionCode
from komi.errors import SolveError
from komi.evaluation.play_search import PlayOrder, order_play
from komi.graph.expanded_rules import GraphKernels
from komi.solvers.solution import Solution
from komi.solvers.stochastic.optimal_values import objective_of
from komi.teaching.loss_kernels import (
    LearnerValues,
    PolicyPair,
    evaluate_policies,
    fill_deviation_regrets,
    fill_regrets,
    legalize,
    propagate_mass,
)

TRUNCATION = 1e-9  # share of the mass in a component that can be left unfinished
EXPLORATION_RATE = 0.1  # of `exploratory_visits`
TOLERANCE = 3e-5  # of the values with which strategies are improved, times the scale of the solution


@dataclass(frozen=True, eq=False)
class LossEvaluator:
    """Evaluates the games of learners with optimal play.

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
            SolveError: if the game has other actions, or no player ever has a choice.
        """
        states, arrays, seats = solution.optimal_play.states, solution.optimal_play, solution.kind.seats
        regrets = np.empty((actions, states.size), np.float32)
        choices = np.zeros(states.size, np.int16)
        kernels = GraphKernels(solution.compiled)
        if not kernels[fill_regrets](solution.rules, states, _optimal_values(solution), regrets, choices):
            raise SolveError(later_actions_refusal(solution.game.name, seats))
        if choices.max(initial=0) < 2:
            raise SolveError(f"no player of {solution.game.name} ever has a choice: there is no strategy to find.")
        policies = np.stack([np.full(states.size, ActionCode.FREE, np.int16), *[arrays.choices] * (seats - 1)])
        order = order_play(solution.compiled, solution.rules, states, policies, first_roles=seats)
        return cls(solution, regrets, choices, order)

    @property
    def scale(self) -> float:
        """The scale of losses: 1 for probabilities and payoffs mapped to 0 to 1, else the largest of the values."""
        return self.solution.scale / self.solution.kind.payoffs.width

    def visits(self, actions: I16, exploration_rate: float = 0.0, truncation: float = TRUNCATION) -> F64:
        """Compute float64[states], how often the learner moves there in a game, averaged over all seats.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
            exploration_rate: the probability of a random legal action instead.
            truncation: the share of the mass in a component that can be left unfinished.

        Raises:
            SolveError: if the games last too long.
        """
        solution, states = self.solution, self.solution.optimal_play.states
        seats = solution.kind.seats
        mass, visits = np.zeros((seats, states.size)), np.zeros(states.size)
        mass[:, states.index_of(solution.game.part("start")(solution.rules))] = 1.0 / seats
        policies = PolicyPair(actions, np.asarray(solution.optimal_play.choices), exploration_rate)
        kernel = GraphKernels(solution.compiled)[propagate_mass]
        if not kernel(solution.rules, states, self._order, policies, truncation, mass, visits):
            raise SolveError(f"games of {solution.game.name} with this strategy take too long.")
        return visits

    def exploratory_visits(self, truncation: float = TRUNCATION) -> F64:
        """Compute float64[states], the visits of optimal play, half of them with exploration.

        Exploration visits states that optimal play avoids.
        """
        optimal = self.solution.optimal_play.choices
        return (self.visits(optimal, 0.0, truncation) + self.visits(optimal, EXPLORATION_RATE, truncation)) / 2

    def values(self, actions: I16) -> F64:
        """Compute float64[roles, states], the expected gain of a learner; see `LearnerValues`.

        Args:
            actions: int16[states], the learner's actions; one that is not legal denotes the first legal one.
        """
        solution, states = self.solution, self.solution.optimal_play.states
        learner = _optimal_values(solution)
        policies = PolicyPair(actions, np.asarray(solution.optimal_play.choices), 0.0)
        kernel = GraphKernels(solution.compiled)[evaluate_policies]
        kernel(solution.rules, states, self._order, policies, TOLERANCE * self.scale, learner)
        return learner.values

    def deviation_regrets(self, values: F64, indices: I64) -> F64:
        """Compute float64[actions, indices], the regret of a single deviation to each action in a learner's games.

        Args:
            values: float64[roles, states], the values in the games of the learner.
            indices: the indices of the states, in ascending order.
        """
        solution, states = self.solution, self.solution.optimal_play.states
        regrets = np.empty((len(self.regrets), len(indices)))
        learner = LearnerValues(values, objective_of(solution.kind).sign)
        GraphKernels(solution.compiled)[fill_deviation_regrets](solution.rules, states, learner, indices, regrets)
        return regrets

    def legalize(self, actions: I16) -> I16:
        """Return int16[states], the actions that are played: the first legal one if the given one is not legal.

        At chance nodes it is CHANCE.
        """
        solution, legal_actions = self.solution, actions.copy()
        GraphKernels(solution.compiled)[legalize](solution.rules, solution.optimal_play.states, legal_actions)
        return legal_actions

    def action_regrets(self, actions: I16) -> F32:
        """Return float32[states], the regret of the action in each state."""
        action_regrets = np.zeros(len(actions), np.float32)
        for action, regrets in enumerate(self.regrets):
            np.copyto(action_regrets, regrets, where=actions == action)
        return action_regrets

    def loss(self, actions: I16) -> float:
        """Compute the expected loss per game of these actions against optimal play, averaged over all seats."""
        return float(self.visits(actions) @ self.action_regrets(actions))


def later_actions_refusal(game: str, seats: int) -> str:
    """Say why no strategies are evaluated in a game whose first decision lacks some actions, and what to do instead."""
    other = (
        "'komi value' shows optimal play in any state."
        if seats == 1
        else "'komi teach' finds some by simulation, with '--against' and the policies to win against."
    )
    return (
        f"komi evaluates strategies exactly in games whose first decision has all actions; {game} has others later on: "
        f"{other}"
    )


def _optimal_values(solution: Solution[Any]) -> LearnerValues:
    """Return the expected gain of a player in each role if all play optimally, as new arrays."""
    sign, seats = objective_of(solution.kind).sign, solution.kind.seats
    if seats > 2:
        return LearnerValues(solution.data.values.T.copy(), sign)
    return LearnerValues(np.stack([sign * np.asarray(solution.optimal_play.values)] * seats), sign)
