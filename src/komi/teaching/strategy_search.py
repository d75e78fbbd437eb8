"""The search for the best strategies for each number of numbers to remember, with exact losses (`komi.teach`).

A search minimizes first-order losses: the regret of each decision, times how often games reach it. The frequencies
depend on the strategy. The search for each number of numbers therefore uses the games of the best strategy so far,
mixed with those of earlier strategies (as in S. Ross, G. Gordon and D. Bagnell, AISTATS 2011).

Far from a strategy, the regret of a decision is that in optimal play. Near a strategy it is the regret in the games of
that strategy, which repeats its mistakes: first-order losses then have the gradient of the exact loss (R. Sutton,
D. McAllester, S. Singh and Y. Mansour, NIPS 1999). The results are evaluated exactly in their own games, and so are
their neighbors with one or two numbers changed: first-order losses hardly distinguish these.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from math import inf

import numpy as np

from komi.arrays import F64, I16
from komi.errors import SolveError
from komi.evaluation.strength import format_loss
from komi.jit.kernels import Kernels
from komi.progress import Progress
from komi.teaching.annealing import Schedule
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.features import Feature
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.neighborhood import neighbors, simplifications
from komi.teaching.sample_search import ZERO_PROBABILITIES, SampleSearch
from komi.teaching.strategy import Clause, LinearTest, Strategy, Term, strategy_actions

MOVES = 8_000  # of annealing between two exact evaluations
MOVES_IN_LARGE = 20_000  # in large games, times their size in units of LARGE: evaluations take longer there
LARGE = 2_000_000  # states
REQUIRED_SHARE = 0.1  # of the moves, in the steps that any time limit includes
TEMPERATURES = ((3e-4, 5e-5), (1e-3, 5e-5), (1e-4, 2e-5))  # initial and final temperature, times the scale of losses
STARTS = 4  # best strategies, one of which is the initial one
THRESHOLDS = 7  # powers of two that are tried as the first threshold of the subject
RUNS = 2  # annealing runs in a round, each in the games of the best strategy so far
MAX_NEIGHBORS = 12  # of a strategy that are evaluated in large games
MAX_REPLACEMENTS = 8  # strategies with one test replaced that are evaluated
LATEST_WEIGHT = 0.25  # weight of the strategy evaluated last in the games of the search
FAR_WEIGHT, NEAR_WEIGHT = 0.5, 0.75  # weights of the best strategy in the games of the search
MAX_EXCESS = 1.0  # seconds by which the next step may exceed the time limit, if it takes as long as the longest one
TRUNCATION = 1e-4  # share of all games that is cut off when strategies are compared
STAGE = "searching strategies"


@dataclass(frozen=True)
class EvaluatedStrategy:
    """A strategy, and its loss against optimal play, averaged over all seats, in the unit of payoffs."""

    strategy: Strategy
    loss: float


@dataclass(frozen=True, eq=False)
class StrategyOccupancy:
    """The action of a strategy in each state, and how often its games visit each state."""

    strategy: Strategy
    actions: I16
    visits: F64


class StrategySearch:
    """The search for strategies of up to a number of numbers.

    Args:
        evaluator: evaluates strategies against optimal play.
        features: the features that a person sees.
        numbers: the greatest number of numbers to remember.
        subject: the field with integer coefficients; None for no field.
        seed: the seed of the search.
        action_numbers: the number of numbers to remember of each action; empty if actions are not numbers.
        zero_probability: the probability that an optimized constant becomes 0 if this reduces the loss, too.
    """

    def __init__(
        self,
        evaluator: LossEvaluator,
        features: Sequence[Feature],
        numbers: int,
        subject: str | None,
        seed: int,
        action_numbers: tuple[int, ...] = (),
        zero_probability: float = ZERO_PROBABILITIES[0],
    ) -> None:
        self._evaluator, self._features, self._numbers = evaluator, features, numbers
        self._subject, self._action_numbers = subject, action_numbers
        self._random = np.random.default_rng(seed)
        self._losses: dict[Strategy, float] = {}
        self._polished: set[Strategy] = set()
        self._replaced: set[tuple[Strategy, int]] = set()
        self._latest: StrategyOccupancy | None = None
        self._visits = evaluator.exploratory_visits(TRUNCATION)
        self._is_large = evaluator.solution.states > LARGE
        self._moves = MOVES_IN_LARGE * (evaluator.solution.states // LARGE) if self._is_large else MOVES
        self._search = SampleSearch(features, subject, self._random, self._action_numbers, zero_probability)

    def run(self, seconds: float, progress: Progress) -> None:
        """Search for `seconds` seconds. The sequence of steps is fixed; more time allows more of them.

        Each number of numbers is searched at least once, briefly; then the search ends before a step that would
        probably exceed the time by a second. The time for compilation does not count.
        """
        begin, spent, longest = time.perf_counter() - Kernels.total_seconds, 0.0, 0.0
        for is_required in self._steps():
            before, spent = spent, time.perf_counter() - Kernels.total_seconds - begin
            longest = max(longest, spent - before)
            best = min(self.front(), key=lambda each: each.loss)
            progress(STAGE, min(int(spent), int(seconds)), int(seconds), f"loss {self._format(best.loss)}")
            if not is_required and (spent >= seconds or spent + longest > seconds + MAX_EXCESS):
                break
        self._losses = {strategy: loss for strategy, loss in self._losses.items() if loss < inf}  # its games end
        for evaluated in self.front():
            self._prune(evaluated.strategy)
        kept = [self._as_played(evaluated.strategy) for evaluated in self.front()]
        self._losses = {strategy: self._losses[strategy] for strategy in kept}

    def front(self) -> list[EvaluatedStrategy]:
        """Return the best strategy for each number of numbers that has a smaller loss than all with fewer numbers."""
        payoff_loss = self._evaluator.solution.kind.payoffs.difference
        known = [each for each in self._losses if each.numbers <= self._numbers]
        return pareto_front(EvaluatedStrategy(each, payoff_loss(self._losses[each])) for each in known)

    def _steps(self) -> Iterator[bool]:
        """Run the steps of the search; yield after each whether it is one of those that any time limit includes."""
        for action in range(len(self._evaluator.regrets)):
            self._evaluate(Strategy((), action, self._action_numbers))
        for numbers in range(1, self._numbers + 1):
            schedule = self._schedule(numbers, int(REQUIRED_SHARE * self._moves), TEMPERATURES[0])
            self._anneal(self._best(numbers).strategy, schedule)
            yield True
        if self._best(self._numbers).loss == inf:
            name = self._evaluator.solution.game.name
            raise SolveError(f"no strategy with {self._numbers} numbers was found whose games of {name} end: more may.")
        for _ in self._thresholds():
            yield False
        searches = [self._rounds(numbers) for numbers in range(min(self._action_numbers, default=0), self._numbers + 1)]
        fewer = cycle(searches[:-1])
        while True:  # alternate between the greatest number of numbers and all smaller ones
            next(searches[-1])
            yield False
            if len(searches) > 1:
                next(next(fewer))
                yield False

    def _thresholds(self) -> Iterator[None]:
        """Search the initial strategies: continue up to a threshold of the subject, refined by ever smaller steps."""
        begun = [
            self._threshold(feature, 2**power, action)
            for feature, each in enumerate(self._features)
            if each.form == "identity" and each.a.field == self._subject
            for power in range(THRESHOLDS)
            for action in range(2)
        ]
        if not begun:
            return
        best = min(begun, key=self._sample(self._visits).loss)
        self._evaluate(best)
        clause = best.clauses[0]
        (test,) = clause.tests
        step = abs(test.constant) // 2
        while step:
            for other in (abs(test.constant) - step, abs(test.constant) + step):
                near = self._threshold(test.terms[0].feature, other, clause.action)
                if self._evaluate(near) < self._losses[best]:
                    best = near
                yield
            (test,) = best.clauses[0].tests
            step //= 2

    def _threshold(self, feature: int, most: int, action: int) -> Strategy:
        """Create the strategy that takes an action while a feature is at most a constant, and the other one later."""
        test = LinearTest((Term(feature, Fraction(-1)),), -most)
        return Strategy((Clause((test,), action),), 1 - action, self._action_numbers)

    def _rounds(self, numbers: int) -> Iterator[None]:
        for turn, temperatures in enumerate(cycle(TEMPERATURES)):
            yield from self._round(numbers, temperatures, has_local_search=turn > 0 or not self._is_large)

    def _round(self, numbers: int, temperatures: tuple[float, float], *, has_local_search: bool) -> Iterator[None]:
        """Run one round: anneal, then improve the results locally."""
        starts = self._starts(numbers)
        for run in range(RUNS):
            start = starts[int(self._random.integers(len(starts)))]
            self._anneal(start, self._schedule(numbers, self._moves, temperatures), near=run % 2 == 1)
            yield
        if not has_local_search:
            return
        other = starts[int(self._random.integers(len(starts)))]
        more = [other] if self._is_large else self._starts(numbers)
        for strategy in [self._best(numbers).strategy, self._best(numbers - 1).strategy, *more]:
            yield from self._improve_tests(strategy, numbers)
        for strategy in [self._best(numbers).strategy, other]:
            if strategy not in self._polished:
                yield from self._polish(strategy)

    def _schedule(self, numbers: int, moves: int, temperatures: tuple[float, float]) -> Schedule:
        """Return the limits of an annealing run, with temperatures in the unit of losses."""
        hot, cold = temperatures
        return Schedule(numbers, moves, hot * self._evaluator.scale, cold * self._evaluator.scale)

    def _format(self, loss: float) -> str:
        return format_loss(self._evaluator.solution.kind, loss)

    def _starts(self, numbers: int) -> list[Strategy]:
        """Return good strategies with this number of numbers, and the best ones with fewer."""
        ending = [each for each, loss in self._losses.items() if each.numbers == numbers and loss < inf]
        known = sorted(ending, key=lambda each: -self._losses[each])
        shapes = {each.shape: each for each in known}  # the best comes last
        best = sorted(shapes.values(), key=lambda each: self._losses[each])[:STARTS]
        return [*best, *(self._best(fewer).strategy for fewer in range(max(numbers - 2, 0), numbers))]

    def _anneal(self, start: Strategy, schedule: Schedule, near: bool = False) -> None:
        """Anneal in the games of the best strategy with as many numbers or fewer; evaluate promising results exactly.

        Args:
            start: the initial strategy.
            schedule: the limits of the annealing run.
            near: True for the regrets in the games of the best strategy; False for those of optimal play.
        """
        best = self._best(schedule.numbers)
        if best.loss < inf:
            occupancy = self._occupancy_of(best.strategy)
            weight, values = (NEAR_WEIGHT, self._evaluator.values(occupancy.actions)) if near else (FAR_WEIGHT, None)
            sample = self._sample(weight * occupancy.visits + (1.0 - weight) * self._visits, values)
        else:  # games of the best strategy do not end, so far
            sample = self._sample(self._visits)
        for found in self._search.anneal(sample, start, schedule):
            if sample.loss(found) < sample.loss(self._best(found.numbers).strategy):
                self._evaluate(found, LATEST_WEIGHT)

    def _polish(self, best: Strategy) -> Iterator[None]:
        """Improve the numbers of a strategy by local search.

        Each neighbor is evaluated exactly: first-order losses say little about such small changes.
        """
        improving = True
        while improving:
            improving = False
            self._polished.add(best)
            for other in self._neighbors(best):
                improving = self._evaluate(other) < self._losses[best]
                yield
                if improving:
                    best = other
                    break

    def _improve_tests(self, best: Strategy, numbers: int) -> Iterator[None]:
        """Replace or add one test of a strategy, up to a number of numbers, as long as this reduces the loss."""
        while (best, numbers) not in self._replaced:
            self._replaced.add((best, numbers))
            others = self._search.replace_tests(self._near(best), best, numbers)
            yield
            for other in [other for other in others if other not in self._losses][:MAX_REPLACEMENTS]:
                if self._evaluate(other) < self._losses[best]:
                    best = other
                yield

    def _neighbors(self, strategy: Strategy) -> list[Strategy]:
        """Return the neighbors not yet evaluated, the most promising first: all, or in large games a few."""
        near = [
            other
            for other in neighbors(strategy, self._search.is_allowed)
            if other not in self._losses and other.numbers <= self._numbers
        ]
        promising = sorted(near, key=self._near(strategy).loss)
        return promising[:MAX_NEIGHBORS] if self._is_large else promising

    def _near(self, strategy: Strategy) -> DecisionSample:
        """Sample decisions from the games of a strategy, with the regrets in these games."""
        occupancy = self._occupancy_of(strategy)
        return self._sample(occupancy.visits, self._evaluator.values(occupancy.actions))

    def _as_played(self, strategy: Strategy) -> Strategy:
        """Replace each action that is legal nowhere where its clause decides by one that is played there."""
        occupancy = self._occupancy_of(strategy)
        states = self._evaluator.solution.optimal_play.states
        leaves = strategy_actions(strategy.numbered, self._features, states)
        is_decision = (occupancy.visits > 0.0) & (self._evaluator.choices > 1)
        for leaf, action in enumerate(strategy.leaves):
            played = np.unique(occupancy.actions[is_decision & (leaves == leaf)])
            if action in played:
                continue
            others = [strategy.with_action(leaf, int(each)) for each in played]
            strategy = min((strategy, *others), key=lambda each: (self._evaluate(each), each == strategy))
        return strategy

    def _prune(self, strategy: Strategy) -> None:
        """Remove the parts that change no action in the strategy's own games: the loss stays the same."""
        occupancy = self._occupancy_of(strategy)
        is_visited = occupancy.visits > 0.0
        for shorter in simplifications(strategy):
            actions = self._actions(shorter)
            if np.array_equal(actions[is_visited], occupancy.actions[is_visited]):
                self._losses[shorter] = self._losses[strategy]
                self._prune(shorter)
                return

    def _best(self, numbers: int) -> EvaluatedStrategy:
        """Return the best strategy with up to this number of numbers, or the best one of the fewest."""
        front = self.front()
        return next((each for each in reversed(front) if each.strategy.numbers <= numbers), front[0])

    def _evaluate(self, strategy: Strategy, weight: float = 0.0) -> float:
        """Compute the exact loss of a strategy; mix its games into those of the search with this weight."""
        if strategy not in self._losses:
            try:
                occupancy = self._occupancy_of(strategy)
            except SolveError:  # games that do not end are of no use
                self._losses[strategy] = inf
                return inf
            self._losses[strategy] = float(occupancy.visits @ self._evaluator.action_regrets(occupancy.actions))
            if weight:
                self._visits = (1.0 - weight) * self._visits + weight * occupancy.visits
        return self._losses[strategy]

    def _occupancy_of(self, strategy: Strategy) -> "StrategyOccupancy":
        """Compute the actions and the state frequencies of a strategy; the latest result is cached."""
        if self._latest is None or self._latest.strategy != strategy:
            actions = self._actions(strategy)
            self._latest = StrategyOccupancy(strategy, actions, self._evaluator.visits(actions, truncation=TRUNCATION))
        return self._latest

    def _actions(self, strategy: Strategy) -> I16:
        """Compute int16[states], the action that is played: the first legal one where the strategy's is not legal."""
        states = self._evaluator.solution.optimal_play.states
        return self._evaluator.legalize(strategy_actions(strategy, self._features, states))

    def _sample(self, visits: F64, values: F64 | None = None) -> DecisionSample:
        return DecisionSample.of(self._evaluator, self._features, visits, self._random, values)


def pareto_front(evaluated: Iterable[EvaluatedStrategy]) -> list[EvaluatedStrategy]:
    """Return the best strategy for each number of numbers that has a smaller loss than all with fewer numbers."""
    best: dict[int, EvaluatedStrategy] = {}
    for each in evaluated:
        known = best.get(each.strategy.numbers)
        if known is None or (each.loss, each.strategy.length) < (known.loss, known.strategy.length):
            best[each.strategy.numbers] = each
    front: list[EvaluatedStrategy] = []
    for numbers in sorted(best):
        if not front or best[numbers].loss < front[-1].loss:
            front.append(best[numbers])
    return front
