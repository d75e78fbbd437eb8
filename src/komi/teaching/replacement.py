"""The best replacement of one test of a strategy, among all tests of up to three features, with all else fixed.

Annealing edits a test part by part, and hardly ever reaches a better one that has nothing in common with it. There are
few enough tests to try each of them in place of each test of a strategy, and at each position for one more. The best
constant of each is computed from the cumulative costs over the sums that it compares, as in annealing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.jit.kernels import engine_kernels
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.edits import MAX_STEPS, find_best_constant
from komi.teaching.strategy import Clause, LinearTest, Strategy
from komi.teaching.strategy_arrays import (
    COMPARISON_PENALTY,
    CONSTANT,
    FIRST,
    MAX_CLAUSES,
    MAX_TERMS,
    MAX_TESTS,
    TERMS,
    SearchData,
    decode_tests,
    sum_terms,
)

MAX_LISTED = 50_000  # tests tried at a position
SUBSET_SIZE = 2000  # decisions in which all tests are tried
FINALIST_RATIO = 20  # one in this many tests is tried in all decisions
MAX_RESULTS = 4  # of the best tests at a position, with different results
ALWAYS, NEVER = LinearTest((), 0), LinearTest((), 1)


@dataclass(frozen=True)
class InsertionPoint:
    """A position for a test: an existing test of a clause, the one after these, or a new clause with an action."""

    clause: int
    test: int
    action: int | None = None

    def with_test(self, strategy: Strategy, test: LinearTest) -> Strategy:
        """Return the strategy with a test at this position."""
        if self.action is not None:
            return strategy.with_clause(self.clause, Clause((test,), self.action))
        return strategy.with_test(self.clause, self.test, test)


def insertion_points(strategy: Strategy, actions: int) -> Iterator[InsertionPoint]:
    """Yield all positions for a test in a strategy whose actions are numbered below `actions`."""
    for clause_index, clause in enumerate(strategy.clauses):
        for test in range(min(len(clause.tests) + 1, MAX_TESTS)):
            yield InsertionPoint(clause_index, test)
    if len(strategy.clauses) < MAX_CLAUSES:
        for clause_index, action in product(range(len(strategy.clauses) + 1), range(actions)):
            yield InsertionPoint(clause_index, 0, action)


def enumerate_tests(is_allowed: Flags, is_incompatible: Flags, free_count: int, random: np.random.Generator) -> I64:
    """List all tests with at most one coefficient to remember, and 0 as constant: int64[tests, 2 + 2 * terms].

    Args:
        is_allowed: bool[features, coefficients], True for pairs that a term can combine.
        is_incompatible: bool[features, features], True for pairs that cannot be in the same test.
        free_count: the number of coefficients, the first ones, that are not numbers to remember.
        random: the random number generator that samples the tests where there are too many.
    """
    coefficients_of = [np.flatnonzero(row).tolist() for row in is_allowed]
    groups = [
        group
        for size in range(1, MAX_TERMS + 1)
        for group in combinations(range(len(is_allowed)), size)
        if not any(is_incompatible[one, other] for one, other in combinations(group, 2))
    ]
    rows: list[list[int]] = []
    for drawn in random.permutation(len(groups)):
        group = groups[drawn]
        if len(rows) >= MAX_LISTED:
            break
        free = [[each for each in coefficients_of[feature] if each < free_count] for feature in group]
        counted = [[each for each in coefficients_of[feature] if each >= free_count] for feature in group]
        choices = [free]
        if len(group) > 1:
            choices += [[*free[:i], counted[i], *free[i + 1 :]] for i in range(len(group))]
        for coefficients in chain.from_iterable(product(*each) for each in choices):
            terms = chain.from_iterable(zip(group, coefficients, strict=True))
            rows.append([len(group), 0, *terms, *[0] * (2 * (MAX_TERMS - len(group)))])
    return np.array(rows, np.int64).reshape(-1, FIRST + 2 * MAX_TERMS)


def replace_tests(
    data: SearchData,
    coefficients: Sequence[Fraction],
    tests: I64,
    sample: DecisionSample,
    strategy: Strategy,
    numbers: int,
) -> list[Strategy]:
    """Return the strategy with one test replaced or added, in ascending order of the first-order loss.

    Args:
        data: the data of the search in the sample.
        coefficients: the coefficients of the data.
        tests: the tests to try; see `enumerate_tests`.
        sample: decisions from the games of the strategy.
        strategy: the strategy to change.
        numbers: the greatest number of numbers to remember.
    """
    costs: dict[Strategy, float] = {}
    for point in insertion_points(strategy, len(sample.costs)):
        budget = numbers - point.with_test(strategy, ALWAYS).numbers
        if budget < 0:
            continue
        never = sample.costs_of(point.with_test(strategy, NEVER))
        change = sample.costs_of(point.with_test(strategy, ALWAYS)) - never
        for row, cost in _best_tests_at(data, tests, change, budget):
            (test,) = decode_tests([row], coefficients)
            costs[point.with_test(strategy, test)] = float(never.sum()) + cost
    costs.pop(strategy, None)
    return sorted(costs, key=lambda each: costs[each])


def _best_tests_at(data: SearchData, tests: I64, change: F64, budget: int) -> Iterator[tuple[I64, float]]:
    """Yield the best tests at a position, with their constants, and the change of the loss where they are passed.

    If many decisions matter, all tests are tried in a subset, and the best of these in all decisions.

    Args:
        data: the data of the search in the sample.
        tests: the tests to try.
        change: float64[decisions], the change of the loss where a test is passed.
        budget: the greatest number of numbers to remember of a test.
    """
    relevant = np.flatnonzero(change)
    if not len(relevant):
        return
    subset = relevant[:: len(relevant) // SUBSET_SIZE or 1]
    if len(subset) < len(relevant):
        rows, costs = _evaluate_tests(data, tests, change, subset, budget)
        likely = np.argsort(costs, kind="stable")[: 2 * len(tests) // FINALIST_RATIO]
        tests = tests[np.unique(likely // 2)]
    rows, costs = _evaluate_tests(data, tests, change, relevant, budget)
    scores = np.where(costs < 0.0, costs + COMPARISON_PENALTY * rows[:, TERMS], np.inf)
    yielded_costs: set[float] = set()
    for i in np.argsort(scores, kind="stable"):
        if len(yielded_costs) == MAX_RESULTS or scores[i] == np.inf:
            return
        if costs[i] not in yielded_costs:  # else it is very likely equivalent to another one
            yielded_costs.add(float(costs[i]))
            yield rows[i], float(costs[i])


def _evaluate_tests(data: SearchData, tests: I64, change: F64, decisions: I64, budget: int) -> tuple[I64, F64]:
    """Return each test twice, with the best constant and with 0, and float64[.], the changes of the loss.

    A test with too many numbers has the change 0.
    """
    rows, costs = np.repeat(tests, 2, axis=0), np.zeros(2 * len(tests))
    subset = data._replace(values=np.ascontiguousarray(data.values[:, decisions]))
    engine_kernels()[_fill_costs](subset, rows, change[decisions], np.empty(len(decisions)), np.empty(MAX_STEPS), costs)
    coefficients = rows[:, FIRST + 1 :: 2]
    numbers = (rows[:, CONSTANT] != 0) + (coefficients >= data.free_count).sum(axis=1)
    costs[numbers > budget] = 0.0
    return rows, costs


def _fill_costs(data: SearchData, rows: I64, change: F64, sums: F64, bins: F64, costs: F64) -> None:
    """Fill in the change of the loss by each test: even rows get the best constant, odd rows keep 0."""
    for row in range(0, len(rows), 2):
        sum_terms(data, rows[row], sums)
        constant, cost, cost_at_zero = find_best_constant(sums, change, len(sums), bins)
        rows[row, CONSTANT] = constant
        costs[row] = cost
        costs[row + 1] = cost_at_zero
