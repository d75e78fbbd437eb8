"""The parts from which a search builds strategies of few numbers, and searches over the decisions of a sample."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from komi.arrays import I64, Flags
from komi.teaching.annealing import Schedule, anneal
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.features import Feature, Quantity
from komi.teaching.replacement import enumerate_tests, replace_tests
from komi.teaching.strategy import Strategy
from komi.teaching.strategy_arrays import SearchData

UNIT_COEFFICIENTS = (Fraction(1), Fraction(-1))
COMMON_COEFFICIENTS = tuple(
    sign * part
    for part in (*(Fraction(1, n) for n in range(2, 13)), *(Fraction(n) for n in range(2, 7)))
    for sign in (1, -1)
)
LARGE_COEFFICIENTS = tuple(sign * Fraction(n) for n in range(7, 13) for sign in (1, -1))  # of the subject
SMALL_COEFFICIENTS = tuple(
    sign * Fraction(1, n) for n in (15, 20, 25, 30, 40, 50, 60, 80) for sign in (1, -1)
)  # of scaled differences
# Parallel searches alternate: the larger is better for many numbers to remember, the smaller for few.
ZERO_PROBABILITIES = (0.3, 0.1)
COEFFICIENTS = (*UNIT_COEFFICIENTS, *COMMON_COEFFICIENTS, *LARGE_COEFFICIENTS, *SMALL_COEFFICIENTS)


class SampleSearch:
    """Searches for strategies in the decisions of a sample.

    Args:
        features: the features that a person sees.
        subject: the field on one side of a comparison, with an integer coefficient; None for no field.
        random: the random number generator.
        action_numbers: the number of numbers to remember of each action; empty if actions are not numbers.
        zero_probability: the probability that an optimized constant becomes 0 if this reduces the loss, too.

    Attributes:
        is_allowed: bool[features, coefficients], True for pairs that a term can combine.
    """

    def __init__(
        self,
        features: Sequence[Feature],
        subject: str | None,
        random: np.random.Generator,
        action_numbers: tuple[int, ...] = (),
        zero_probability: float = ZERO_PROBABILITIES[0],
    ) -> None:
        self._random, self._action_numbers, self._zero_probability = random, action_numbers, zero_probability
        self.is_allowed, self._is_incompatible = _allowed_coefficients(features, subject), _incompatible_pairs(features)

    def anneal(self, sample: DecisionSample, start: Strategy, schedule: Schedule) -> list[Strategy]:
        """Anneal a strategy; return the best one visited for each number of numbers. See `komi.teaching.annealing`."""
        found = anneal(self._data(sample), COEFFICIENTS, start, schedule, self._random)
        return [with_integer_coefficients(strategy) for strategy in found]

    def replace_tests(self, sample: DecisionSample, strategy: Strategy, numbers: int) -> list[Strategy]:
        """Return the strategy with one test replaced or added, the best first. See `komi.teaching.replacement`."""
        found = replace_tests(self._data(sample), COEFFICIENTS, self._tests, sample, strategy, numbers)
        return [with_integer_coefficients(changed) for changed in found]

    @cached_property
    def _tests(self) -> I64:
        return enumerate_tests(self.is_allowed, self._is_incompatible, len(UNIT_COEFFICIENTS), self._random)

    def _data(self, sample: DecisionSample) -> SearchData:
        return SearchData(
            values=sample.values,
            costs=sample.costs,
            coefficients=np.array(COEFFICIENTS, np.float64),
            free_count=len(UNIT_COEFFICIENTS),
            is_allowed=self.is_allowed,
            is_incompatible=self._is_incompatible,
            action_numbers=np.array(self._action_numbers or (0,) * len(sample.costs), np.int64),
            zero_probability=self._zero_probability,
        )


def with_integer_coefficients(strategy: Strategy) -> Strategy:
    """Convert tests to integer coefficients where this adds no numbers to remember: their constants are finer."""
    for clause_index, clause in enumerate(strategy.clauses):
        for test_index, test in enumerate(clause.tests):
            scaled = test.with_integer_coefficients
            is_known = all(term.coefficient in COEFFICIENTS for term in scaled.terms)
            if is_known and scaled.numbers <= test.numbers:
                strategy = strategy.with_test(clause_index, test_index, scaled)
    return strategy


def _allowed_coefficients(features: Sequence[Feature], subject: str | None) -> Flags:
    """Compute bool[features, coefficients], the coefficients that each feature can have.

    The subject has integer coefficients, features that contain it only 1 and -1. A scaled difference has the small
    coefficients, which no other feature has.
    """
    allowed = np.ones((len(features), len(COEFFICIENTS)), np.bool_)
    for row, feature in zip(allowed, features, strict=True):
        has_subject = subject in {quantity.field for quantity in feature.quantities}
        is_subject = has_subject and feature.form == "identity"
        for column, coefficient in enumerate(COEFFICIENTS):
            if feature.form == "scaled" or coefficient in SMALL_COEFFICIENTS:
                row[column] = feature.form == "scaled" and coefficient in SMALL_COEFFICIENTS
            elif is_subject:
                row[column] = coefficient.denominator == 1
            else:
                row[column] = coefficient in UNIT_COEFFICIENTS if has_subject else coefficient not in LARGE_COEFFICIENTS
    return allowed


def _incompatible_pairs(features: Sequence[Feature]) -> Flags:
    """Compute bool[features, features], the pairs that cannot be in the same test: with a shared field, or two ratios.

    The factor of a scaled difference can be in the same test: the term then changes its coefficient a little.
    """
    return np.array(
        [[bool(_shared(row, column)) or row.form == column.form == "ratio" for column in features] for row in features]
    )


def _shared(first: Feature, second: Feature) -> frozenset[Quantity]:
    """Return the quantities in both features, except one that scales a feature and is the whole of the other."""
    factors = {feature.factor for feature, other in ((first, second), (second, first)) if other.form == "identity"}
    return (first.quantities & second.quantities) - factors
