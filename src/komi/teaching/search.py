"""What a search for strategies of few numbers may put together, and one search in the decisions of a sample."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from komi.teaching.anneal import anneal
from komi.teaching.features import Feature, Quantity
from komi.teaching.plan import World
from komi.teaching.sample import Sample
from komi.teaching.strategy import WHOLE, Strategy, Term, Test

PLAIN = (Fraction(1), Fraction(-1))
OTHERS = tuple(
    sign * part
    for part in (*(Fraction(1, n) for n in range(2, 13)), *(Fraction(n) for n in range(2, 7)))
    for sign in (1, -1)
)
MULTIPLES = tuple(sign * Fraction(n) for n in range(7, 13) for sign in (1, -1))  # of the subject alone
SHARES = tuple(sign * Fraction(1, n) for n in (15, 20, 25, 30, 40, 50, 60, 80) for sign in (1, -1))  # of what is scaled
NOTHING = (0.3, 0.1)  # of searches side by side by turns: much finds more of many numbers, little of few
COEFFICIENTS = (*PLAIN, *OTHERS, *MULTIPLES, *SHARES)


class Search:
    """Looks for strategies.

    Args:
        features: what a person sees.
        subject: the field that is compared with what all others add up to, or their part; None for no field.
        random: where chance comes from.
        counted: whether actions are numbers to remember.
        nothing: how likely a constant that is settled becomes 0 if that gains, too.

    Attributes:
        allowed: bool[features, coefficients], which may stand together.
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
        self, sample: Sample, start: Strategy, numbers: int, moves: int, heat: tuple[float, float]
    ) -> list[Strategy]:
        """The best strategies met of each number of numbers up to so many; see `komi.teaching.anneal`."""
        coefficients = np.array(COEFFICIENTS, np.float64)
        world = World(
            sample.values,
            sample.costs,
            coefficients,
            len(PLAIN),
            self.allowed,
            self._apart,
            self._counted,
            self._nothing,
        )
        return [whole(found) for found in anneal(world, COEFFICIENTS, start, numbers, moves, heat, self._random)]

    def exchanges(self, sample: Sample, strategy: Strategy) -> Iterator[Strategy]:
        """The strategy with another feature in place of one, and the constant that is best with it to first order."""
        for place, clause in enumerate(strategy.clauses):
            for number, test in enumerate(clause.tests):
                change = _cost_of_passing(sample, strategy, place, number)
                for which, term in enumerate(test.terms):
                    others = [other.feature for other in test.terms if other != term]
                    for feature in np.flatnonzero(self.allowed[:, COEFFICIENTS.index(term.coefficient)]):
                        if feature != term.feature and not self._apart[feature, others].any():
                            replaced = Term(int(feature), term.coefficient)
                            terms = (*test.terms[:which], replaced, *test.terms[which + 1 :])
                            constant = _best_constant(terms, sample, change)
                            yield strategy.with_test(place, number, Test(terms, constant))


def _cost_of_passing(sample: Sample, strategy: Strategy, place: int, number: int) -> NDArray[np.float64]:
    """float64[decisions], what is given away more where a test is passed than where it is not."""
    always, never = (strategy.with_test(place, number, Test((), constant)) for constant in (0, 1))
    return sample.costs_of(always) - sample.costs_of(never)


def _best_constant(terms: tuple[Term, ...], sample: Sample, change: NDArray[np.float64]) -> int:
    """The constant with which a test of these terms gives away least."""
    sums = np.floor(Test(terms, 0).total(sample.values) + WHOLE).astype(np.int64)
    least = int(sums.min())
    passing = np.cumsum(np.bincount(sums - least, weights=change)[::-1])[::-1]
    return least + int(np.append(passing, 0.0).argmin())


def whole(strategy: Strategy) -> Strategy:
    """The strategy with tests of whole numbers where these are not more to remember: their constants are finer."""
    for place, clause in enumerate(strategy.clauses):
        for number, test in enumerate(clause.tests):
            known = all(term.coefficient in COEFFICIENTS for term in test.whole.terms)
            if known and test.whole.numbers <= test.numbers:
                strategy = strategy.with_test(place, number, test.whole)
    return strategy


def _allowed(features: Sequence[Feature], subject: str | None) -> NDArray[np.bool_]:
    """bool[features, coefficients]: the subject is never divided, and what it is a part of is taken once.

    Of what is scaled a small part is taken, of all else none so small.
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
    """bool[features, features]: no field stands twice in a test, and no more than one ratio does.

    What scales a difference may stand there beside it: it is taken a little more, or less, than once.
    """
    return np.array(
        [[bool(_shared(one, two)) or one.form == two.form == "ratio" for two in features] for one in features]
    )


def _shared(one: Feature, two: Feature) -> frozenset[Quantity]:
    """What stands in both, unless it scales the one and stands alone in the other."""
    scaling = {each.times for each, other in ((one, two), (two, one)) if other.form == "one"}
    return (one.quantities & two.quantities) - scaling
