"""The best replacement of one test of a strategy, among all tests of up to three features, with all else fixed.

Annealing changes a test part by part, and hardly ever reaches a better one that has nothing in common with it. There
are few enough tests to try each of them at each position of a strategy, and at each position for one more. The best
constant of each is computed from the cumulative costs over the values that it compares, as in annealing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.jit.kernels import engine_kernels
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.edits import MAX_STEPS, best_constant
from komi.teaching.strategy import Clause, LinearTest, Strategy
from komi.teaching.strategy_arrays import (
    CONSTANT,
    FIRST,
    MAX_CLAUSES,
    MAX_TERMS,
    MAX_TESTS,
    PER_COMPARISON,
    TERMS,
    SearchData,
    add_up,
    as_tests,
)

MAX_LISTED = 50_000  # tests that are tried at a position
FEW = 2000  # decisions in which all of them are tried
LIKELY = 20  # one of this many tests is tried in all decisions
KEPT = 4  # of the best tests at a position with different results
ALWAYS, NEVER = LinearTest((), 0), LinearTest((), 1)


@dataclass(frozen=True)
class TestPosition:
    """A position for a test: an existing test of a clause, the one after these, or a new clause with an action."""

    clause: int
    test: int
    action: int | None = None

    def filled(self, strategy: Strategy, test: LinearTest) -> Strategy:
        """Return the strategy with a test at this position."""
        before, after = strategy.clauses[: self.clause], strategy.clauses[self.clause :]
        if self.action is not None:
            return replace(strategy, clauses=(*before, Clause((test,), self.action), *after))
        here, *after_it = after
        tests = (*here.tests[: self.test], test, *here.tests[self.test + 1 :])
        return replace(strategy, clauses=(*before, replace(here, tests=tests), *after_it))


def places(strategy: Strategy, actions: int) -> Iterator[TestPosition]:
    """Yield all positions for a test in a strategy whose actions are numbered below `actions`."""
    for number, clause in enumerate(strategy.clauses):
        for test in range(min(len(clause.tests) + 1, MAX_TESTS)):
            yield TestPosition(number, test)
    if len(strategy.clauses) < MAX_CLAUSES:
        for number, action in product(range(len(strategy.clauses) + 1), range(actions)):
            yield TestPosition(number, 0, action)


def every_test(
    allowed: NDArray[np.bool_], apart: NDArray[np.bool_], plain: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """List all tests with at most one coefficient to remember, and 0 as constant: int64[tests, 2 + 2 * terms].

    Args:
        allowed: bool[features, coefficients], True for pairs that a term can combine.
        apart: bool[features, features], True for pairs that cannot be in the same test.
        plain: the number of coefficients, the first ones, that are no numbers to remember.
        random: the random number generator that samples the tests where there are too many.
    """
    may_have = [np.flatnonzero(row).tolist() for row in allowed]
    groups = [
        group
        for size in range(1, MAX_TERMS + 1)
        for group in combinations(range(len(allowed)), size)
        if not any(apart[one, other] for one, other in combinations(group, 2))
    ]
    rows: list[list[int]] = []
    for which in random.permutation(len(groups)):
        group = groups[which]
        if len(rows) >= MAX_LISTED:
            break
        ones = [[each for each in may_have[feature] if each < plain] for feature in group]
        numbers = [[each for each in may_have[feature] if each >= plain] for feature in group]
        choices = [ones]
        if len(group) > 1:
            choices += [[*ones[:place], numbers[place], *ones[place + 1 :]] for place in range(len(group))]
        for coefficients in chain.from_iterable(product(*each) for each in choices):
            terms = chain.from_iterable(zip(group, coefficients, strict=True))
            rows.append([len(group), 0, *terms, *[0] * (2 * (MAX_TERMS - len(group)))])
    return np.array(rows, np.int64).reshape(-1, FIRST + 2 * MAX_TERMS)


def rewritten(
    world: SearchData,
    coefficients: Sequence[Fraction],
    tests: NDArray[np.int64],
    sample: DecisionSample,
    strategy: Strategy,
    numbers: int,
) -> list[Strategy]:
    """Return the strategy with one test replaced or added, in ascending order of the first-order loss.

    Args:
        world: the data of the search in the sample.
        coefficients: the coefficients of the world.
        tests: the tests to try; see `every_test`.
        sample: decisions from the games of the strategy.
        strategy: the strategy to change.
        numbers: the greatest number of numbers to remember.
    """
    found: dict[Strategy, float] = {}
    for place in places(strategy, len(sample.costs)):
        free = numbers - place.filled(strategy, ALWAYS).numbers
        if free < 0:
            continue
        never = sample.costs_of(place.filled(strategy, NEVER))
        change = sample.costs_of(place.filled(strategy, ALWAYS)) - never
        for row, cost in _best_at(world, tests, change, free):
            (test,) = as_tests([row], coefficients)
            found[place.filled(strategy, test)] = float(never.sum()) + cost
    found.pop(strategy, None)
    return sorted(found, key=lambda each: found[each])


def _best_at(
    world: SearchData, tests: NDArray[np.int64], change: NDArray[np.float64], free: int
) -> Iterator[tuple[NDArray[np.int64], float]]:
    """Yield the best tests at a position, with their constants, and the change of the loss where they are passed.

    If many decisions matter, all tests are tried in a subset, and the best of these in all decisions.

    Args:
        world: the data of the search in the sample.
        tests: the tests to try.
        change: float64[decisions], the change of the loss where a test is passed.
        free: the greatest number of numbers of a test.
    """
    matters = np.flatnonzero(change)
    if not len(matters):
        return
    some = matters[:: len(matters) // FEW or 1]
    if len(some) < len(matters):
        rows, costs = _rated(world, tests, change, some, free)
        likely = np.argsort(costs, kind="stable")[: 2 * len(tests) // LIKELY]
        tests = tests[np.unique(likely // 2)]
    rows, costs = _rated(world, tests, change, matters, free)
    scores = np.where(costs < 0.0, costs + PER_COMPARISON * rows[:, TERMS], np.inf)
    told: set[float] = set()
    for which in np.argsort(scores, kind="stable"):
        if len(told) == KEPT or scores[which] == np.inf:
            return
        if costs[which] not in told:  # else it is very likely equivalent to another one
            told.add(float(costs[which]))
            yield rows[which], float(costs[which])


def _rated(
    world: SearchData, tests: NDArray[np.int64], change: NDArray[np.float64], decisions: NDArray[np.int64], free: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return each test twice, with the best constant and with 0, and float64[.], the changes of the loss.

    A test with too many numbers has the change 0.
    """
    rows, costs = np.repeat(tests, 2, axis=0), np.zeros(2 * len(tests))
    seen = world._replace(values=np.ascontiguousarray(world.values[:, decisions]))
    engine_kernels()[_rate](seen, rows, change[decisions], np.empty(len(decisions)), np.empty(MAX_STEPS), costs)
    coefficients = rows[:, FIRST + 1 :: 2]
    numbers = (rows[:, CONSTANT] != 0) + (coefficients >= world.plain).sum(axis=1)
    costs[numbers > free] = 0.0
    return rows, costs


def _rate(world: Any, rows: Any, change: Any, sums: Any, bins: Any, costs: Any) -> None:
    """Fill in the change of the loss by each test: even rows get the best constant, odd rows keep 0."""
    for row in range(0, len(rows), 2):
        add_up(world, rows[row], sums)
        constant, cost, at_nothing = best_constant(sums, change, len(sums), bins)
        rows[row, CONSTANT] = constant
        costs[row] = cost
        costs[row + 1] = at_nothing
