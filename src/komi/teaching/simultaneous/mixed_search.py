"""The search for mixed strategies to remember, with their exact exploitability.

A strategy is a decision list whose actions are mixtures of actions (`mixes`). Annealing over a sample of decisions,
with the costs of `mixed_decisions`, proposes strategies for each number of numbers to remember. The exploitability of
each proposal is computed exactly, by its best response, as is that of its neighbors with a number or a mixture changed.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from komi.arrays import F64, I16
from komi.errors import SolveError
from komi.evaluation.mixed import BestResponseValues, best_response_values
from komi.evaluation.strength import format_loss
from komi.jit.kernels import Kernels
from komi.policies.mixed import MixedPolicy
from komi.progress import Progress
from komi.teaching.annealing import Schedule
from komi.teaching.decision_sample import DecisionSample, sample_by_stakes
from komi.teaching.features import Feature, compute_features
from komi.teaching.neighborhood import neighbors, simplifications
from komi.teaching.sample_search import SampleSearch
from komi.teaching.simultaneous.mixed_decisions import MixedGames
from komi.teaching.simultaneous.mixes import Mix, list_mixes, mix_probabilities
from komi.teaching.strategy import Strategy, strategy_actions
from komi.teaching.strategy_search import STAGE, EvaluatedStrategy, pareto_front

MOVES = 20_000  # of annealing between two exact evaluations
HOT, COLD = 3e-3, 5e-5  # initial and final temperature, in winning probability
EXPLORATION = 0.2  # probability of a random action in the games of the first sample
MAX_DECISIONS = 10_000  # in a sample
MAX_NEIGHBORS = 24  # of a strategy that are evaluated
OPTIMAL_SHARE = 0.2  # probability with which the opponent plays optimally in a state, not the best response
DIGITS = 8  # of losses that are compared: error bounds and rounding are smaller
LEAST_STAKE = 1e-3  # winning probability at stake in a decision where actions guarantee the same, but mixtures more


class MixedSearch:
    """The search for mixed strategies of up to a number of numbers.

    Args:
        games: the games of the solution.
        features: the features that a person sees.
        mixes: the mixtures of actions.
        actions: the number of actions.
        numbers: the greatest number of numbers to remember.
        subject: the field with integer coefficients; None for no field.
        seed: the seed of the search.
    """

    def __init__(
        self,
        games: MixedGames,
        features: Sequence[Feature],
        mixes: Sequence[Mix],
        actions: int,
        numbers: int,
        subject: str | None,
        seed: int,
    ) -> None:
        self._games, self._features, self._mixes = games, features, mixes
        self._actions, self._numbers, self._seed = actions, numbers, seed
        self._random = np.random.default_rng(seed)
        self.action_numbers = tuple(mix.numbers for mix in mixes)
        self._search = SampleSearch(features, subject, self._random, self.action_numbers)
        self._losses: dict[Strategy, float] = {}
        self._polished: set[Strategy] = set()
        self._seeds = count(seed)

    def run(self, seconds: float, progress: Progress) -> None:
        """Search for `seconds` seconds, not counting compilation; at least one step for each number of numbers."""
        begin, spent, longest = time.perf_counter() - Kernels.total_seconds, 0.0, 0.0
        for is_required in self._steps():
            before, spent = spent, time.perf_counter() - Kernels.total_seconds - begin
            longest = max(longest, spent - before)
            best = format_loss(self._games.solution.kind, self._best_loss())
            progress(STAGE, min(int(spent), int(seconds)), int(seconds), f"loss {best}")
            is_perfect = self._best_loss() <= self._games.solution.error_bound
            if is_perfect or (not is_required and spent + longest > seconds):
                break
        for evaluated in self.front():
            self._prune(evaluated.strategy)

    def front(self) -> list[EvaluatedStrategy]:
        """Return the best strategy for each number of numbers that has a smaller loss than all with fewer numbers."""
        return pareto_front(EvaluatedStrategy(each, round(loss, DIGITS)) for each, loss in self._losses.items())

    def probabilities(self, strategy: Strategy) -> F64:
        """Compute float64[states, ranks], the probability of each legal action."""
        legal_actions = self._games.legal_actions
        chosen, probabilities = self._leaves(strategy), np.zeros(legal_actions.shape)
        for leaf in np.unique(chosen):
            rows = chosen == leaf
            probabilities[rows] = mix_probabilities([self._mixes[leaf]], self._actions, legal_actions[rows])[0]
        return probabilities

    def _leaves(self, strategy: Strategy) -> I16:
        return strategy_actions(strategy, self._features, self._games.states)

    def _steps(self) -> Iterator[bool]:
        """Run the steps of the search; yield after each whether it is one of those that any time limit includes."""
        optimal = np.asarray(self._games.solution.data.mixes)
        ranks = self._games.legal_actions >= 0
        uniform = ranks / np.maximum(ranks.sum(axis=1, keepdims=True), 1)
        exploring = (1.0 - EXPLORATION) * optimal + EXPLORATION * uniform
        for leaf, mix in enumerate(self._mixes):
            if mix.numbers == 0:
                self._evaluate(Strategy((), leaf, self.action_numbers))
        yield True
        if not self._features:
            for leaf in range(len(self._mixes) * min(self._numbers, 1)):
                self._evaluate(Strategy((), leaf, self.action_numbers))
                yield True
            return
        sample = self._sample(exploring, exploring, self._games.optimal_values)
        for numbers in range(self._numbers + 1):
            self._anneal(sample, self._best(numbers), numbers)
            yield True
        for turn in count():
            for numbers in reversed(range(self._numbers + 1)):
                best = self._best(numbers)
                sample = self._sample_exploited(best, is_near=turn % 2 == 1)
                self._anneal(sample, best, numbers)
                yield False
                yield from self._polish(sample, numbers)

    def _anneal(self, sample: DecisionSample, start: Strategy, numbers: int) -> None:
        """Anneal a strategy in a sample, and evaluate the best new one for each number of numbers."""
        for found in self._search.anneal(sample, start, Schedule(numbers, MOVES, HOT, COLD)):
            self._evaluate(found)

    def _polish(self, sample: DecisionSample, numbers: int) -> Iterator[bool]:
        """Improve the best strategy by exact evaluation of the most promising of its neighbors."""
        best = self._best(numbers)
        while best not in self._polished:
            self._polished.add(best)
            near = [each for each in self._neighbors(best) if each.numbers <= numbers and each not in self._losses]
            for other in sorted(near, key=sample.loss)[:MAX_NEIGHBORS]:
                if self._evaluate(other) < self._losses[best]:
                    best = other
                yield False

    def _neighbors(self, strategy: Strategy) -> Iterator[Strategy]:
        """Yield the strategy with one or two numbers changed, or with another mixture in one place."""
        for leaf in range(len(self._mixes)):
            yield replace(strategy, default=leaf)
            for index, clause in enumerate(strategy.clauses):
                clauses = (*strategy.clauses[:index], replace(clause, action=leaf), *strategy.clauses[index + 1 :])
                yield replace(strategy, clauses=clauses)
        yield from neighbors(strategy, self._search.is_allowed)

    def _best(self, numbers: int) -> Strategy:
        """Return the best strategy with up to this number of numbers."""
        return next(each.strategy for each in reversed(self.front()) if each.strategy.numbers <= numbers)

    def _best_loss(self) -> float:
        return self.front()[-1].loss

    def _evaluate(self, strategy: Strategy) -> float:
        """Compute the exploitability of a strategy, averaged over both seats; infinite if there is no proof of it."""
        if strategy not in self._losses:
            try:
                self._losses[strategy] = self._respond(strategy)[0].average - self._games.solution.kind.payoffs.even
            except SolveError:  # play with it may never end
                self._losses[strategy] = np.inf
        return self._losses[strategy]

    def _respond(self, strategy: Strategy) -> tuple[BestResponseValues, F64]:
        """Compute the best response to a strategy, and its values."""
        policy = MixedPolicy("strategy", self._games.states, self.probabilities(strategy))
        return best_response_values(self._games.solution, policy)

    def _prune(self, strategy: Strategy) -> None:
        """Remove the parts that change no decision: the loss stays the same."""
        is_decision = self._games.choices > 1
        leaves = self._leaves(strategy)[is_decision]
        for shorter in simplifications(strategy):
            if np.array_equal(self._leaves(shorter)[is_decision], leaves):
                self._losses[shorter] = self._losses[strategy]
                self._prune(shorter)
                return

    def _sample_exploited(self, strategy: Strategy, is_near: bool) -> DecisionSample:
        """Sample decisions from games of a strategy with its best response, and from games with optimal play.

        Args:
            strategy: the strategy.
            is_near: True for costs by the values of these games; False for those of optimal play.
        """
        games, learner = self._games, self.probabilities(strategy)
        _, responses = self._respond(strategy)
        own_values = 1.0 - responses[:, ::-1]
        other = (1.0 - OPTIMAL_SHARE) * games.best_response(
            learner, own_values
        ) + OPTIMAL_SHARE * games.solution.data.mixes
        return self._sample(learner, other, own_values if is_near else games.optimal_values)

    def _sample(self, learner: F64, other: F64, values: F64) -> DecisionSample:
        """Sample decisions from games of a learner."""
        decisions = self._games.decisions(learner, other, values, next(self._seeds))
        legal_actions = self._games.legal_actions[decisions.indices]
        pure = mix_probabilities(list_mixes(self._actions)[: self._actions], self._actions, legal_actions)
        guaranteed = decisions.guaranteed(pure)
        stakes = (guaranteed.max(axis=0) - guaranteed.min(axis=0) + LEAST_STAKE) * decisions.visits
        rows, weights = sample_by_stakes(stakes, MAX_DECISIONS, self._random)
        decisions = decisions.at(rows)
        guaranteed = decisions.guaranteed(mix_probabilities(self._mixes, self._actions, legal_actions[rows]))
        costs = (guaranteed.max(axis=0) - guaranteed) * decisions.visits * weights
        return DecisionSample(compute_features(self._features, self._games.states, decisions.indices), costs)
