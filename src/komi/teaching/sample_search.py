"""The parts from which a search builds strategies of few numbers, and searches over the decisions of a sample."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from komi.teaching.annealing import anneal
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.features import Feature, Quantity
from komi.teaching.replacement import every_test, rewritten
from komi.teaching.strategy import Strategy
from komi.teaching.strategy_arrays import SearchData

PLAIN = (Fraction(1), Fraction(-1))
OTHERS = tuple(
    sign * part
    for part in (*(Fraction(1, n) for n in range(2, 13)), *(Fraction(n) for n in range(2, 7)))
    for sign in (1, -1)
)
MULTIPLES = tuple(sign * Fraction(n) for n in range(7, 13) for sign in (1, -1))  # only of the subject
SHARES = tuple(sign * Fraction(1, n) for n in (15, 20, 25, 30, 40, 50, 60, 80) for sign in (1, -1))  # of scaled ones
NOTHING = (0.3, 0.1)  # parallel searches alternate: the larger is better for many numbers, the smaller for few
COEFFICIENTS = (*PLAIN, *OTHERS, *MULTIPLES, *SHARES)


class SampleSearch:
    """Searches for strategies in the decisions of a sample.

    Args:
        features: the features that a person sees.
        subject: the field on one side of a comparison, with an integer coefficient; None for no field.
        random: the random number generator.
        counted: True if actions are numbers to remember.
        nothing: the probability that an optimized constant becomes 0 if this reduces the loss, too.

    Attributes:
        allowed: bool[features, coefficients], True for pairs that a term can combine.
    """

    def __init__(
        self,
        features: Sequence[Feature],
        subject: str | None,
        random: np.random.Generator,
        counted: bool = False,
        nothing: float = NOTHING[0],
    ) -> None:
        self._random, self._counted, self._nothing = random, counted, nothing
        self.allowed, self._apart = _allowed(features, subject), _apart(features)

    def anneal(
        self, sample: DecisionSample, start: Strategy, numbers: int, moves: int, heat: tuple[float, float]
    ) -> list[Strategy]:
        """Anneal a strategy; return the best one visited for each number of numbers. See `komi.teaching.annealing`."""
        return [
            whole(found)
            for found in anneal(self._world(sample), COEFFICIENTS, start, numbers, moves, heat, self._random)
        ]

    def rewritten(self, sample: DecisionSample, strategy: Strategy, numbers: int) -> list[Strategy]:
        """Return the strategy with one test replaced or added, the best first. See `komi.teaching.replacement`."""
        world = self._world(sample)
        return [whole(each) for each in rewritten(world, COEFFICIENTS, self._tests, sample, strategy, numbers)]

    @cached_property
    def _tests(self) -> NDArray[np.int64]:
        return every_test(self.allowed, self._apart, len(PLAIN), self._random)

    def _world(self, sample: DecisionSample) -> SearchData:
        coefficients = np.array(COEFFICIENTS, np.float64)
        plain, allowed, apart = len(PLAIN), self.allowed, self._apart
        return SearchData(
            sample.values, sample.costs, coefficients, plain, allowed, apart, self._counted, self._nothing
        )


def whole(strategy: Strategy) -> Strategy:
    """Convert tests to integer coefficients where this adds no numbers to remember: their constants are finer."""
    for place, clause in enumerate(strategy.clauses):
        for number, test in enumerate(clause.tests):
            known = all(term.coefficient in COEFFICIENTS for term in test.whole.terms)
            if known and test.whole.numbers <= test.numbers:
                strategy = strategy.with_test(place, number, test.whole)
    return strategy


def _allowed(features: Sequence[Feature], subject: str | None) -> NDArray[np.bool_]:
    """Compute bool[features, coefficients], the coefficients that each feature can have.

    The subject has integer coefficients, features that contain it only 1 and -1. A scaled difference has the small
    coefficients, which no other feature has.
    """
    allowed = np.ones((len(features), len(COEFFICIENTS)), np.bool_)
    for row, feature in zip(allowed, features, strict=True):
        has_subject = subject in {each.field for each in feature.quantities}
        is_subject = has_subject and feature.form == "one"
        for which, coefficient in enumerate(COEFFICIENTS):
            if feature.form == "scaled" or coefficient in SHARES:
                row[which] = feature.form == "scaled" and coefficient in SHARES
            elif is_subject:
                row[which] = coefficient.denominator == 1
            else:
                row[which] = coefficient in PLAIN if has_subject else coefficient not in MULTIPLES
    return allowed


def _apart(features: Sequence[Feature]) -> NDArray[np.bool_]:
    """Compute bool[features, features], the pairs that cannot be in the same test: with a shared field, or two ratios.

    The factor of a scaled difference can be in the same test: the term then changes its coefficient a little.
    """
    return np.array(
        [[bool(_shared(one, two)) or one.form == two.form == "ratio" for two in features] for one in features]
    )


def _shared(one: Feature, two: Feature) -> frozenset[Quantity]:
    """Return the quantities in both features, except one that scales the one and is the whole of the other."""
    scaling = {each.times for each, other in ((one, two), (two, one)) if other.form == "one"}
    return (one.quantities & two.quantities) - scaling
