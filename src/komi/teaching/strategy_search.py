"""The search for the best strategies for each number of numbers to remember, with exact losses (`komi.teach`).

A search minimizes first-order losses: the regret of each decision, times how often games reach it. The frequencies
depend on the strategy. The search for each number of numbers therefore uses the games of the best strategy so far,
mixed with those of others visited before (as in S. Ross, G. Gordon and D. Bagnell, AISTATS 2011).

Far from a strategy, the regret of a decision is that in optimal play. Near a strategy it is the regret in the games of
that strategy, which repeats its mistakes: first-order losses then have the gradient of the exact loss (R. Sutton,
D. McAllester, S. Singh and Y. Mansour, NIPS 1999). The results are evaluated exactly in their own games, and so are
their neighbors with one or two numbers changed: first-order losses hardly distinguish these.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, cycle, product
from math import inf

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.jit.kernels import Kernels
from komi.parallel import cores, spread
from komi.progress import Progress
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.features import Feature
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.sample_search import COEFFICIENTS, NOTHING, SampleSearch
from komi.teaching.strategy import Clause, LinearTest, Strategy, Term, follow

NOISE = 0.1  # exploration rate of optimal play, to visit states that it avoids
MOVES = 8_000  # of annealing between two exact evaluations
MOVES_IN_LARGE = 20_000  # in large games, times their size in units of LARGE: evaluations take longer there
LARGE = 2_000_000  # states
FEWER = 0.1  # of the moves, in the steps that any time limit includes
HEATS = ((3e-4, 5e-5), (1e-3, 5e-5), (1e-4, 2e-5))  # initial and final temperature, in winning probability
STARTS = 4  # the best strategies, one of which is the initial one
STEPS = (1, -1, 2, -2, 3, -3, 5, -5)  # of constants
STEPS_OF_TWO = (1, -1, 2, -2)
THRESHOLDS = 7  # initial values of the subject
LOOKS = 2  # annealing runs per round, each in the games of the best strategy so far
NEIGHBOURS = 12  # of a strategy that are evaluated in large games
REWRITTEN = 8  # strategies with one test replaced that are evaluated
OF_NEW = 0.25  # weight of the strategy evaluated last in the games of the search
FAR, NEAR = 0.5, 0.75  # weights of the best strategy in the games of the search
REST = 1e-4  # share of all games that is cut off when strategies are compared
COUNTING = "searching strategies"


@dataclass(frozen=True)
class EvaluatedStrategy:
    """A strategy, and its loss against optimal play, averaged over both seats."""

    strategy: Strategy
    loss: float


@dataclass(frozen=True, eq=False)
class StrategyOccupancy:
    """The action of a strategy in each state, and how often its games visit each state."""

    strategy: Strategy
    actions: NDArray[np.int16]
    visits: NDArray[np.float64]


class StrategySearch:
    """The search for strategies of up to a number of numbers.

    Args:
        games: the games of learners against optimal play.
        features: the features that a person sees.
        numbers: the greatest number of numbers to remember.
        subject: the field with integer coefficients; None for no field.
        seed: the seed of the search.
        counted: True if actions are numbers to remember.
        nothing: the probability that an optimized constant becomes 0 if this reduces the loss, too.
    """

    def __init__(
        self,
        games: LossEvaluator,
        features: Sequence[Feature],
        numbers: int,
        subject: str | None,
        seed: int,
        counted: bool = False,
        nothing: float = NOTHING[0],
    ) -> None:
        self._games, self._features, self._numbers = games, features, numbers
        self._subject, self._counted = subject, counted
        self._random = np.random.default_rng(seed)
        self._losses: dict[Strategy, float] = {}
        self._polished: set[Strategy] = set()
        self._rewritten: set[tuple[Strategy, int]] = set()
        self._latest: StrategyOccupancy | None = None
        optimal = games.solution.arrays.choices
        self._met = (games.visits(optimal, rest=REST) + games.visits(optimal, NOISE, REST)) / 2
        self._is_large = games.solution.states > LARGE
        self._moves = MOVES_IN_LARGE * (games.solution.states // LARGE) if self._is_large else MOVES
        self._search = SampleSearch(features, subject, self._random, counted, nothing)

    def look(self, seconds: float, progress: Progress) -> None:
        """Search for `seconds` seconds. The sequence of steps is fixed; more time makes more of them.

        Each number of numbers is searched at least once. The time for compilation does not count.
        """
        begin = time.perf_counter() - Kernels.total_seconds
        for is_needed in self._steps():
            spent = time.perf_counter() - Kernels.total_seconds - begin
            best = min(self.front(), key=lambda each: each.loss)
            progress(COUNTING, min(int(spent), int(seconds)), int(seconds), f"{100 * best.loss:.3f} % given away")
            if spent >= seconds and not is_needed:
                break
        for taught in self.front():
            self._prune(taught.strategy)

    def front(self) -> list[EvaluatedStrategy]:
        """Return the best strategy for each number of numbers that has a smaller loss than all with fewer numbers."""
        return front_of(EvaluatedStrategy(each, loss) for each, loss in self._losses.items())

    def _steps(self) -> Iterator[bool]:
        """Run the steps of the search; yield after each whether it is one of those that any time limit includes."""
        for action in range(len(self._games.regrets)):
            self._measure(Strategy((), action, self._counted))
        for numbers in range(1, self._numbers + 1):
            self._look(self._best(numbers).strategy, numbers, int(FEWER * self._moves), HEATS[0])
            yield True
        for _ in self._thresholds():
            yield False
        searches = [self._rounds(numbers) for numbers in range(int(self._counted), self._numbers + 1)]
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
            if each.form == "one" and each.a.field == self._subject
            for power in range(THRESHOLDS)
            for action in range(2)
        ]
        if not begun:
            return
        best = min(begun, key=self._sample(self._met).loss)
        self._measure(best)
        clause = best.clauses[0]
        (test,) = clause.tests
        step = abs(test.constant) // 2
        while step:
            for other in (abs(test.constant) - step, abs(test.constant) + step):
                near = self._threshold(test.terms[0].feature, other, clause.action)
                if self._measure(near) < self._losses[best]:
                    best = near
                yield
            (test,) = best.clauses[0].tests
            step //= 2

    def _threshold(self, feature: int, most: int, action: int) -> Strategy:
        """Create the strategy that takes an action while a feature is at most a constant, and the other one later."""
        test = LinearTest((Term(feature, Fraction(-1)),), -most)
        return Strategy((Clause((test,), action),), 1 - action, self._counted)

    def _rounds(self, numbers: int) -> Iterator[None]:
        for turn, heat in enumerate(cycle(HEATS)):
            yield from self._round(numbers, heat, polishes=turn > 0 or not self._is_large)

    def _round(self, numbers: int, heat: tuple[float, float], *, polishes: bool) -> Iterator[None]:
        """Run one round: anneal, then improve the results locally."""
        starts = self._starts(numbers)
        for look in range(LOOKS):
            self._look(starts[int(self._random.integers(len(starts)))], numbers, self._moves, heat, look % 2 == 1)
            yield
        if not polishes:
            return
        other = starts[int(self._random.integers(len(starts)))]
        more = [other] if self._is_large else self._starts(numbers)
        for strategy in [self._best(numbers).strategy, self._best(numbers - 1).strategy, *more]:
            yield from self._rewrite(strategy, numbers)
        for strategy in [self._best(numbers).strategy, other]:
            if strategy not in self._polished:
                yield from self._polish(strategy)

    def _starts(self, numbers: int) -> list[Strategy]:
        """Return good strategies with this number of numbers, and the best ones with fewer."""
        ending = [each for each, loss in self._losses.items() if each.numbers == numbers and loss < inf]
        known = sorted(ending, key=lambda each: -self._losses[each])
        shapes = {each.shape: each for each in known}  # the best comes last
        best = sorted(shapes.values(), key=lambda each: self._losses[each])[:STARTS]
        return [*best, *(self._best(fewer).strategy for fewer in range(max(numbers - 2, 0), numbers))]

    def _look(self, start: Strategy, numbers: int, moves: int, heat: tuple[float, float], near: bool = False) -> None:
        """Anneal in the games of the best strategy with up to `numbers` numbers; evaluate promising results exactly."""
        met = self._games_of(self._best(numbers).strategy)
        own, values = (NEAR, self._games.values(met.actions)) if near else (FAR, None)
        sample = self._sample(own * met.visits + (1.0 - own) * self._met, values)
        for found in self._search.anneal(sample, start, numbers, moves, heat):
            if sample.loss(found) < sample.loss(self._best(found.numbers).strategy):
                self._measure(found, OF_NEW)

    def _polish(self, best: Strategy) -> Iterator[None]:
        """Improve the numbers of a strategy by local search.

        Each neighbor is evaluated exactly: first-order losses say little about such small changes.
        """
        improving = True
        while improving:
            improving = False
            self._polished.add(best)
            for other in self._neighbours(best):
                improving = self._measure(other) < self._losses[best]
                yield
                if improving:
                    best = other
                    break

    def _rewrite(self, best: Strategy, numbers: int) -> Iterator[None]:
        """Replace or add one test of a strategy, up to a number of numbers, as long as this reduces the loss."""
        while (best, numbers) not in self._rewritten:
            self._rewritten.add((best, numbers))
            others = self._search.rewritten(self._near(best), best, numbers)
            yield
            for other in [other for other in others if other not in self._losses][:REWRITTEN]:
                if self._measure(other) < self._losses[best]:
                    best = other
                yield

    def _neighbours(self, strategy: Strategy) -> list[Strategy]:
        """Return the neighbors not yet evaluated, the most promising first: all, or in large games a few."""
        near = [
            other
            for other in neighbours(strategy, self._search.allowed)
            if other not in self._losses and other.numbers <= self._numbers
        ]
        promising = sorted(near, key=self._near(strategy).loss)
        return promising[:NEIGHBOURS] if self._is_large else promising

    def _near(self, strategy: Strategy) -> DecisionSample:
        """Sample decisions from the games of a strategy, with the regrets in these games."""
        met = self._games_of(strategy)
        return self._sample(met.visits, self._games.values(met.actions))

    def _prune(self, strategy: Strategy) -> None:
        """Remove the parts that change no action in the strategy's own games: the loss stays the same."""
        met = self._games_of(strategy)
        comes = met.visits > 0.0
        for lesser in without_a_part(strategy):
            actions = follow(lesser, self._features, self._games.solution.arrays.states)
            if np.array_equal(actions[comes], met.actions[comes]):
                self._losses[lesser] = self._losses[strategy]
                self._prune(lesser)
                return

    def _best(self, numbers: int) -> EvaluatedStrategy:
        """Return the best strategy with up to this number of numbers, or the best one of the fewest."""
        front = self.front()
        return next((each for each in reversed(front) if each.strategy.numbers <= numbers), front[0])

    def _measure(self, strategy: Strategy, share: float = 0.0) -> float:
        """Compute the exact loss of a strategy; mix its games into those of the search with weight `share`."""
        if strategy not in self._losses:
            try:
                met = self._games_of(strategy)
            except SolveError:  # games that do not end are of no use
                self._losses[strategy] = inf
                return inf
            self._losses[strategy] = float(met.visits @ self._games.costs(met.actions))
            if share:
                self._met = (1.0 - share) * self._met + share * met.visits
        return self._losses[strategy]

    def _games_of(self, strategy: Strategy) -> "StrategyOccupancy":
        """Compute the actions and the state frequencies of a strategy; the latest result is cached."""
        if self._latest is None or self._latest.strategy != strategy:
            actions = follow(strategy, self._features, self._games.solution.arrays.states)
            self._latest = StrategyOccupancy(strategy, actions, self._games.visits(actions, rest=REST))
        return self._latest

    def _sample(self, visits: NDArray[np.float64], values: NDArray[np.float64] | None = None) -> DecisionSample:
        return DecisionSample.of(self._games, self._features, visits, self._random, values)


def front_of(taught: Iterable[EvaluatedStrategy]) -> list[EvaluatedStrategy]:
    """Return the best strategy for each number of numbers that has a smaller loss than all with fewer numbers."""
    best: dict[int, EvaluatedStrategy] = {}
    for each in taught:
        known = best.get(each.strategy.numbers)
        if known is None or (each.loss, each.strategy.length) < (known.loss, known.strategy.length):
            best[each.strategy.numbers] = each
    front: list[EvaluatedStrategy] = []
    for numbers in sorted(best):
        if not front or best[numbers].loss < front[-1].loss:
            front.append(best[numbers])
    return front


def side_by_side(
    games: LossEvaluator, features: Sequence[Feature], numbers: int, subject: str | None, seed: int
) -> list[StrategySearch]:
    """Create a search for each core, each with a seed of its own."""
    counted = not games.solution.game.has("actions")
    return [
        StrategySearch(games, features, numbers, subject, seed + number, counted, NOTHING[number % len(NOTHING)])
        for number in range(cores())
    ]


def learn(searches: Sequence[StrategySearch], seconds: float, progress: Progress) -> list[EvaluatedStrategy]:
    """Run several searches in parallel for `seconds` seconds; return the front of all results."""

    def look(lessons: StrategySearch, going_on: Progress) -> None:
        def told(stage: str, done: int, total: int, note: str = "") -> None:
            going_on(stage, done, total, note)
            if lessons is searches[0]:
                progress(stage, done, total, note)

        lessons.look(seconds, told)

    for _, problem in spread(look, searches):
        if problem is not None:
            raise problem
    return front_of(taught for lessons in searches for taught in lessons.front())


def without_a_part(strategy: Strategy) -> Iterator[Strategy]:
    """Yield the strategy without one of its clauses, or without one of several tests of a clause."""
    for place, clause in enumerate(strategy.clauses):
        before, after = strategy.clauses[:place], strategy.clauses[place + 1 :]
        yield replace(strategy, clauses=before + after)
        for number in range(len(clause.tests)):
            if len(clause.tests) > 1:
                tests = clause.tests[:number] + clause.tests[number + 1 :]
                yield replace(strategy, clauses=(*before, replace(clause, tests=tests), *after))


def neighbours(strategy: Strategy, allowed: NDArray[np.bool_]) -> Iterator[Strategy]:
    """Yield the strategy with one number changed, two constants changed, or a coefficient and its constant changed.

    Args:
        strategy: the strategy to change.
        allowed: bool[features, coefficients], as in `Search`.
    """
    places = [(place, number) for place, clause in enumerate(strategy.clauses) for number in range(len(clause.tests))]
    for step, (place, number) in product(STEPS[:2], places):
        yield _moved(strategy, place, number, step)
    for place, number in places:
        yield from _with_other_coefficients(strategy, place, number, allowed)
    for step, (place, number) in product(STEPS[2:], places):
        yield _moved(strategy, place, number, step)
    for one, other in combinations(places, 2):
        for step, more in product(STEPS_OF_TWO, STEPS_OF_TWO):
            yield _moved(_moved(strategy, *one, step), *other, more)


def _moved(strategy: Strategy, place: int, number: int, step: int) -> Strategy:
    """Add `step` to a constant of the strategy."""
    test = strategy.clauses[place].tests[number]
    return strategy.with_test(place, number, replace(test, constant=test.constant + step))


def _with_other_coefficients(
    strategy: Strategy, place: int, number: int, allowed: NDArray[np.bool_]
) -> Iterator[Strategy]:
    """Yield the strategy with the next larger or smaller coefficient, and the same constant or one in proportion."""
    coefficients = sorted(COEFFICIENTS)
    test = strategy.clauses[place].tests[number]
    for which, term in enumerate(test.terms):
        if not term.numbers:
            continue
        rank = coefficients.index(term.coefficient)
        for near in coefficients[max(rank - 1, 0) : rank + 2]:
            other = Term(term.feature, near)
            is_allowed = allowed[term.feature, COEFFICIENTS.index(near)]
            if is_allowed and near != term.coefficient and other.numbers:
                terms = (*test.terms[:which], other, *test.terms[which + 1 :])
                scaled = round(test.constant * near / term.coefficient)
                for constant in sorted({test.constant, scaled - 1, scaled, scaled + 1}):
                    yield strategy.with_test(place, number, LinearTest(terms, constant))
