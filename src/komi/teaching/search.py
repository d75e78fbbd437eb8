"""Search for strategies of few numbers: iterated local search, from one budget of numbers to the next.

A step takes a strategy that was good with as many numbers or fewer, changes it at random, adds what gains most until
its numbers are used up, and then improves one test after the other, with all others as they are, until none gains
(coordinate descent). For every feature and coefficient the best constant of a test is found at once, by adding up costs
over the values that the test compares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from komi.teaching.features import Feature
from komi.teaching.sample import Cuts, Sample, best_cuts
from komi.teaching.strategy import Clause, Strategy, Term, Test

PLAIN = (Fraction(1), Fraction(-1))
OTHERS = tuple(
    sign * part
    for part in (*(Fraction(1, n) for n in range(2, 13)), *(Fraction(n) for n in range(2, 7)))
    for sign in (1, -1)
)
MULTIPLES = tuple(sign * Fraction(n) for n in range(7, 13) for sign in (1, -1))  # of the subject alone
COEFFICIENTS = (*PLAIN, *OTHERS, *MULTIPLES)
MOST_TERMS, MOST_TESTS, MOST_CLAUSES = 3, 2, 8
PER_COMPARISON = 2e-5  # of winning, that must be gained by comparing one thing more
KEPT = 8  # strategies of each budget
CHOICES = 4  # of the best additions, one of which is made
ROUNDS = 6  # of improvements
GAIN = 1e-9


@dataclass
class Archive:
    """The best strategies found for each number of numbers, by their first-order loss."""

    sample: Sample
    found: dict[int, dict[Strategy, float]] = field(default_factory=dict)

    def add(self, strategy: Strategy) -> None:
        """Keep a strategy, if it is among the best."""
        kept = self.found.setdefault(strategy.numbers, {})
        kept[strategy] = score(self.sample, strategy)
        if len(kept) > KEPT:
            del kept[max(kept, key=lambda each: kept[each])]

    def best(self, numbers: int) -> list[Strategy]:
        """Those with so many numbers, best first."""
        kept = self.found.get(numbers, {})
        return sorted(kept, key=lambda each: kept[each])

    def weigh_again(self, sample: Sample) -> None:
        """Compare all strategies by another sample."""
        self.sample = sample
        self.found = {
            numbers: {strategy: score(sample, strategy) for strategy in kept} for numbers, kept in self.found.items()
        }


def score(sample: Sample, strategy: Strategy) -> float:
    """What a strategy gives away, and a little for its length."""
    return sample.loss(strategy) + PER_COMPARISON * strategy.length


@dataclass(frozen=True)
class Spot:
    """A place in a strategy where a term is looked for.

    Attributes:
        strategy: with the clause that the term is for, which has at least the test that the term is for.
        clause, test, term: where; a term of -1 is one more.
    """

    strategy: Strategy
    clause: int
    test: int
    term: int

    def cuts(self, sample: Sample, coefficients: Sequence[Fraction]) -> Cuts:
        """What each term would gain against the clause never applying."""
        clause = self.strategy.clauses[self.clause]
        asked = np.ones(sample.values.shape[1], np.bool_)
        for earlier in self.strategy.clauses[: self.clause]:
            asked &= ~_applies(earlier, sample.values)
        for place, test in enumerate(clause.tests):
            if place != self.test:
                asked &= test.passed(sample.values)
        remaining = sample.costs_of(replace(self.strategy, clauses=self.strategy.clauses[self.clause + 1 :]))
        base = clause.tests[self.test].total(sample.values, self.term)
        return best_cuts(
            sample, asked, base, sample.costs[clause.action] - remaining, np.array(coefficients, np.float64)
        )

    def filled(self, term: Term, constant: int) -> Strategy:
        """The strategy with this term there, in a test of whole numbers if these are not more to remember."""
        test = self.strategy.clauses[self.clause].tests[self.test]
        place = len(test.terms) if self.term < 0 else self.term
        terms = (*test.terms[:place], term, *test.terms[place + 1 :])
        filled = Test(terms, constant)
        whole = filled.whole
        is_shorter = whole.numbers <= filled.numbers and all(each.coefficient in COEFFICIENTS for each in whole.terms)
        return self.strategy.with_test(self.clause, self.test, whole if is_shorter else filled)


class Search:
    """Looks for strategies of up to so many numbers.

    Args:
        features: what a person sees.
        actions: how many actions there are.
        numbers: how many numbers to remember at most.
        subject: the field that is compared with what all others add up to, or their part; None for no field.
        sample: the decisions to look at first.
        random: where chance comes from.
        counted: whether actions are numbers to remember.
    """

    def __init__(
        self,
        features: Sequence[Feature],
        actions: int,
        numbers: int,
        subject: str | None,
        sample: Sample,
        random: np.random.Generator,
        counted: bool = False,
    ) -> None:
        self._features, self._actions, self._numbers, self._random = features, actions, numbers, random
        with_subject = np.array([subject in {each.field for each in feature.quantities} for feature in features])
        self._subjects = with_subject & np.array([feature.form == "one" for feature in features])
        self._joined = with_subject & ~self._subjects
        self.archive = Archive(sample)
        for action in range(actions):
            self.archive.add(Strategy((), action, counted))

    @property
    def _sample(self) -> Sample:
        return self.archive.sample

    def grow(self, wanted: int) -> None:
        """Add what gains most to the best strategies of one number less."""
        for parent in self.archive.best(wanted - 1)[:3]:
            self._improve(self._grown(parent, wanted))

    def step(self, wanted: int) -> None:
        """Change a strategy of about so many numbers at random, and improve it."""
        budgets = sorted((numbers for numbers in self.archive.found if numbers <= wanted), reverse=True)[:3]
        parents = [
            each for less, numbers in enumerate(budgets) for each in self.archive.best(numbers)[: KEPT - 2 * less]
        ]
        parent = parents[int(self._random.integers(len(parents)))]
        self._improve(self._grown(self._shaken(parent, wanted), wanted))

    def _improve(self, strategy: Strategy) -> None:
        for _ in range(ROUNDS):
            before = score(self._sample, strategy)
            strategy = self._descended(strategy)
            if score(self._sample, strategy) > before - GAIN:
                break
        self.archive.add(strategy)

    def _shaken(self, strategy: Strategy, wanted: int) -> Strategy:
        """The strategy without some of its parts, drawn by lot: with fewer numbers than wanted."""
        while strategy.clauses and (strategy.numbers >= wanted or self._random.random() < 0.3):
            place = int(self._random.integers(len(strategy.clauses)))
            clause = strategy.clauses[place]
            test = int(self._random.integers(len(clause.tests)))
            terms = clause.tests[test].terms
            if len(terms) > 1 and self._random.random() < 0.6:
                dropped = int(self._random.integers(len(terms)))
                kept = (*terms[:dropped], *terms[dropped + 1 :])
                strategy = strategy.with_test(place, test, Test(kept, clause.tests[test].constant))
            elif len(clause.tests) > 1:
                tests = (*clause.tests[:test], *clause.tests[test + 1 :])
                strategy = strategy.with_clause(place, replace(clause, tests=tests))
            else:
                strategy = strategy.without_clause(place)
        return strategy

    def _grown(self, strategy: Strategy, wanted: int) -> Strategy:
        """The strategy with additions that gain much, until it has as many numbers as wanted, or none gains."""
        while strategy.numbers <= wanted:
            before = score(self._sample, strategy)
            found = [
                (score(self._sample, each), place, each)
                for place, each in enumerate(self._additions(strategy, wanted - strategy.numbers))
            ]
            good = sorted(each for each in found if each[0] < before - GAIN)[:CHOICES]
            if not good:
                break
            strategy = good[int(self._random.integers(len(good)))][2]
        return strategy

    def _additions(self, strategy: Strategy, more: int) -> Iterator[Strategy]:
        """The strategy with one thing more, at most so many numbers longer: the best of each kind."""
        if more > strategy.counted and len(strategy.clauses) < MOST_CLAUSES:
            for place in range(len(strategy.clauses) + 1):
                for action in self._drawn_actions():
                    clause = Clause((Test((), 0),), action)
                    longer = replace(strategy, clauses=(*strategy.clauses[:place], clause, *strategy.clauses[place:]))
                    yield from self._filled(Spot(longer, place, 0, -1), PLAIN)
        for place, clause in enumerate(strategy.clauses):
            if more > 0 and len(clause.tests) < MOST_TESTS:
                longer = strategy.with_clause(place, replace(clause, tests=(*clause.tests, Test((), 0))))
                yield from self._filled(Spot(longer, place, len(clause.tests), -1), PLAIN)
            for number, test in enumerate(clause.tests):
                if len(test.terms) < MOST_TERMS:
                    coefficients = COEFFICIENTS if more > 0 else PLAIN
                    yield from self._filled(Spot(strategy, place, number, -1), coefficients)

    def _drawn_actions(self) -> list[int]:
        """The actions that a clause more may be for: all of few, some of many."""
        actions = list(range(self._actions))
        if len(actions) <= 3:
            return actions
        return sorted(int(action) for action in self._random.choice(actions, 3, replace=False))

    def _filled(self, spot: Spot, coefficients: Sequence[Fraction]) -> Iterator[Strategy]:
        """The strategy with the two best terms there."""
        cuts = spot.cuts(self._sample, coefficients)
        cuts.gains[~self._fitting(spot)] = 0.0
        cuts.gains[np.ix_(self._joined, np.array([abs(each) != 1 for each in coefficients]))] = 0.0
        cuts.gains[np.ix_(self._subjects, np.array([each.denominator != 1 for each in coefficients]))] = 0.0
        cuts.gains[np.ix_(~self._subjects, np.array([each in MULTIPLES for each in coefficients]))] = 0.0
        for place in np.argsort(-cuts.gains, axis=None, kind="stable")[:2]:
            feature, which = np.unravel_index(place, cuts.gains.shape)
            if cuts.gains[feature, which] > 0.0:
                term = Term(int(feature), coefficients[int(which)])
                yield spot.filled(term, int(cuts.constants[feature, which]))

    def _fitting(self, spot: Spot) -> NDArray[np.bool_]:
        """bool[features], which may stand there: nothing stands twice in a test, and no more than one ratio does."""
        terms = spot.strategy.clauses[spot.clause].tests[spot.test].terms
        others = [self._features[term.feature] for place, term in enumerate(terms) if place != spot.term]
        taken = {each.field for other in others for each in other.quantities}
        divides = any(other.form == "ratio" for other in others)
        return np.array(
            [
                not (taken & {each.field for each in feature.quantities} or (divides and feature.form == "ratio"))
                for feature in self._features
            ]
        )

    def _descended(self, strategy: Strategy) -> Strategy:
        """The strategy with each part in turn replaced by the best one."""
        best, least = strategy, score(self._sample, strategy)
        budget = strategy.numbers
        for place in range(len(strategy.clauses)):
            for test in range(len(best.clauses[place].tests)):
                for term in range(len(best.clauses[place].tests[test].terms)):
                    old = best.clauses[place].tests[test].terms[term]
                    alone = len(best.clauses[place].tests[test].terms) == 1
                    spare = budget - best.numbers + old.numbers
                    coefficients = PLAIN if alone or spare < 1 else COEFFICIENTS
                    for other in self._filled(Spot(best, place, test, term), coefficients):
                        if (cost := score(self._sample, other)) < least - GAIN:
                            best, least = other, cost
        for other in self._with_other_actions(best):
            if (cost := score(self._sample, other)) < least - GAIN:
                best, least = other, cost
        return best

    def _with_other_actions(self, strategy: Strategy) -> Iterator[Strategy]:
        for action in range(self._actions):
            yield replace(strategy, default=action)
            for place, clause in enumerate(strategy.clauses):
                yield strategy.with_clause(place, replace(clause, action=action))


def _applies(clause: Clause, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    applies = np.ones(values.shape[1], np.bool_)
    for test in clause.tests:
        applies &= test.passed(values)
    return applies
