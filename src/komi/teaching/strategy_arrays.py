"""A strategy in arrays, for changes by compiled code, and its loss in the decisions of a sample.

The first clause without terms ends a plan; the tests of a clause are those that have terms.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.teaching.strategy import WHOLE, Clause, LinearTest, Strategy, Term

MAX_TERMS, MAX_TESTS, MAX_CLAUSES = 3, 2, 6
PER_COMPARISON = 2e-5  # winning probability that one more comparison must gain
TERMS, CONSTANT, FIRST = range(3)  # columns of a test: number of terms, constant, first term


class SearchData(NamedTuple):
    """The data of a search.

    Attributes:
        values: float64[features, decisions].
        costs: float64[actions, decisions].
        coefficients: float64[.], first those that are no numbers to remember.
        plain: the number of these.
        allowed: bool[features, coefficients], True for pairs that a term can combine.
        apart: bool[features, features], True for pairs that cannot be in the same test.
        counted: True if actions are numbers to remember.
        nothing: the probability that an optimized constant becomes 0, which is no number to remember, if this reduces
            the loss, too.
    """

    values: Any
    costs: Any
    coefficients: Any
    plain: int
    allowed: Any
    apart: Any
    counted: bool
    nothing: float


class StrategyArrays(NamedTuple):
    """A strategy in arrays.

    Attributes:
        tests: int64[clauses, tests, 2 + 2 * terms]: number of terms, constant, each feature and coefficient.
        actions: int64[clauses + 1], the action of each clause; the last one if no clause applies.
        applies: bool[clauses, decisions], True where a clause applies, whatever the clauses before it do.
    """

    tests: Any
    actions: Any
    applies: Any


def empty_plan(decisions: int) -> StrategyArrays:
    """Allocate a strategy without clauses."""
    return StrategyArrays(
        np.zeros((MAX_CLAUSES, MAX_TESTS, FIRST + 2 * MAX_TERMS), np.int64),
        np.zeros(MAX_CLAUSES + 1, np.int64),
        np.zeros((MAX_CLAUSES, decisions), np.bool_),
    )


def plan_of(strategy: Strategy, coefficients: Sequence[Fraction], decisions: int) -> StrategyArrays:
    """Convert a strategy to a plan; `applies` is not filled in."""
    plan = empty_plan(decisions)
    plan.actions[:] = strategy.default
    for place, clause in enumerate(strategy.clauses):
        plan.actions[place] = clause.action
        for number, test in enumerate(clause.tests):
            terms = [(term.feature, coefficients.index(term.coefficient)) for term in test.terms]
            row = [len(terms), test.constant, *(number for term in terms for number in term)]
            plan.tests[place, number, : len(row)] = row
    return plan


def strategy_of(
    tests: NDArray[np.int64], actions: NDArray[np.int64], coefficients: Sequence[Fraction], counted: bool
) -> Strategy:
    """Convert a plan to a strategy."""
    clauses = tuple(
        Clause(tuple(as_tests(rows, coefficients)), int(action))
        for rows, action in zip(tests, actions[:MAX_CLAUSES], strict=True)
        if rows[0, TERMS]
    )
    return Strategy(clauses, int(actions[MAX_CLAUSES]), counted)


def as_tests(rows: Iterable[NDArray[np.int64]], coefficients: Sequence[Fraction]) -> Iterator[LinearTest]:
    """Convert the rows of a clause to tests."""
    for row in rows:
        if row[TERMS]:
            pairs = row[FIRST : FIRST + 2 * row[TERMS]].reshape(-1, 2)
            terms = tuple(Term(int(feature), coefficients[int(which)]) for feature, which in pairs)
            yield LinearTest(terms, int(row[CONSTANT]))


def size_of(plan: Any) -> int:
    """Count the clauses of a plan."""
    size = 0
    while size < MAX_CLAUSES and plan.tests[size, 0, TERMS] > 0:
        size += 1
    return size


def tests_of(plan: Any, clause: int) -> int:
    """Count the tests of a clause."""
    count = 0
    while count < MAX_TESTS and plan.tests[clause, count, TERMS] > 0:
        count += 1
    return count


def numbers_of(world: Any, plan: Any) -> int:
    """Count the numbers that a person must remember."""
    size = size_of(plan)
    numbers = size + 1 if world.counted else 0
    for clause in range(size):
        for test in range(tests_of(plan, clause)):
            if plan.tests[clause, test, CONSTANT] != 0:
                numbers += 1
            for term in range(plan.tests[clause, test, TERMS]):
                if plan.tests[clause, test, FIRST + 2 * term + 1] >= world.plain:
                    numbers += 1
    return numbers


def copy_plan(plan: Any, other: Any) -> None:
    """Copy a plan to another one."""
    other.tests[:] = plan.tests
    other.actions[:] = plan.actions
    for clause in range(size_of(plan)):
        other.applies[clause] = plan.applies[clause]


def score_of(world: Any, plan: Any) -> float:
    """Compute the first-order loss of a plan, plus a small penalty for its length."""
    size = size_of(plan)
    total = 0.0
    for i in range(world.values.shape[1]):
        total += world.costs[decided(plan, size, 0, i), i]
    for clause in range(size):
        for test in range(tests_of(plan, clause)):
            total += PER_COMPARISON * (1 + plan.tests[clause, test, TERMS])
    return total


def decided(plan: Any, size: int, first: int, decision: int) -> int:
    """Return the action in a decision, by the clauses from `first` on."""
    clause = first
    while clause < size and not plan.applies[clause, decision]:
        clause += 1
    return plan.actions[clause if clause < size else MAX_CLAUSES]  # type: ignore[no-any-return]


def mark(world: Any, plan: Any, clause: int, skipped: int, sums: Any) -> None:
    """Fill in where a clause applies if one of its tests is skipped; a negative index skips none."""
    applies = plan.applies[clause]
    applies[:] = True
    for test in range(tests_of(plan, clause)):
        if test != skipped:
            row = plan.tests[clause, test]
            add_up(world, row, sums)
            constant = row[CONSTANT] - WHOLE
            for i in range(len(applies)):
                applies[i] &= sums[i] >= constant


def add_up(world: Any, row: Any, sums: Any) -> None:
    """Fill in float64[decisions], the sum of the terms of a test: term by term, each in one vectorized pass."""
    coefficient, values = world.coefficients[row[FIRST + 1]], world.values[row[FIRST]]
    for i in range(len(sums)):
        sums[i] = coefficient * values[i]
    for term in range(1, row[TERMS]):
        coefficient, values = world.coefficients[row[FIRST + 2 * term + 1]], world.values[row[FIRST + 2 * term]]
        for i in range(len(sums)):
            sums[i] += coefficient * values[i]
