"""A strategy in arrays, for changes by compiled code, and its loss in the decisions of a sample.

A strategy ends before its first clause without terms; a clause has those of its tests that have terms.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.teaching.strategy import TOLERANCE, Clause, LinearTest, Strategy, Term

MAX_TERMS, MAX_TESTS, MAX_CLAUSES = 3, 2, 6
COMPARISON_PENALTY = 2e-5  # winning probability that one more comparison must gain
TERMS, CONSTANT, FIRST = range(3)  # columns of a test: number of terms, constant, first term


class SearchData(NamedTuple):
    """The data of a search.

    Attributes:
        values: float64[features, decisions].
        costs: float64[actions, decisions].
        coefficients: float64[.], first those that are not numbers to remember.
        free_count: the number of coefficients that are not numbers to remember.
        is_allowed: bool[features, coefficients], True for pairs that a term can combine.
        is_incompatible: bool[features, features], True for pairs that cannot be in the same test.
        action_numbers: int64[actions], the number of numbers to remember of each action.
        zero_probability: the probability that an optimized constant becomes 0, which need not be remembered, if this
            reduces the loss, too.
    """

    values: F64
    costs: F64
    coefficients: F64
    free_count: int
    is_allowed: Flags
    is_incompatible: Flags
    action_numbers: I64
    zero_probability: float


class StrategyArrays(NamedTuple):
    """A strategy in arrays.

    Attributes:
        tests: int64[clauses, tests, 2 + 2 * terms]: number of terms, constant, each feature and coefficient.
        actions: int64[clauses + 1], the action of each clause; the last one if no clause applies.
        applies: bool[clauses, decisions], True where a clause applies, whatever the clauses before it do.
    """

    tests: I64
    actions: I64
    applies: Flags


def empty_arrays(decisions: int) -> StrategyArrays:
    """Allocate a strategy without clauses."""
    return StrategyArrays(
        np.zeros((MAX_CLAUSES, MAX_TESTS, FIRST + 2 * MAX_TERMS), np.int64),
        np.zeros(MAX_CLAUSES + 1, np.int64),
        np.zeros((MAX_CLAUSES, decisions), np.bool_),
    )


def encode_strategy(strategy: Strategy, coefficients: Sequence[Fraction], decisions: int) -> StrategyArrays:
    """Convert a strategy to arrays; `applies` is not filled in."""
    arrays = empty_arrays(decisions)
    arrays.actions[:] = strategy.default
    for clause_index, clause in enumerate(strategy.clauses):
        arrays.actions[clause_index] = clause.action
        for test_index, test in enumerate(clause.tests):
            terms = [(term.feature, coefficients.index(term.coefficient)) for term in test.terms]
            row = [len(terms), test.constant, *(number for term in terms for number in term)]
            arrays.tests[clause_index, test_index, : len(row)] = row
    return arrays


def decode_strategy(tests: I64, actions: I64, coefficients: Sequence[Fraction], action_numbers: I64) -> Strategy:
    """Convert arrays to a strategy."""
    clauses = tuple(
        Clause(tuple(decode_tests(rows, coefficients)), int(action))
        for rows, action in zip(tests, actions[:MAX_CLAUSES], strict=True)
        if rows[0, TERMS]
    )
    numbers = tuple(action_numbers.tolist()) if action_numbers.any() else ()
    return Strategy(clauses, int(actions[MAX_CLAUSES]), numbers)


def decode_tests(rows: Iterable[I64], coefficients: Sequence[Fraction]) -> Iterator[LinearTest]:
    """Convert the rows of a clause to tests."""
    for row in rows:
        if row[TERMS]:
            pairs = row[FIRST : FIRST + 2 * row[TERMS]].reshape(-1, 2)
            terms = tuple(Term(int(feature), coefficients[int(coefficient)]) for feature, coefficient in pairs)
            yield LinearTest(terms, int(row[CONSTANT]))


def count_clauses(arrays: StrategyArrays) -> int:
    """Count the clauses of a strategy."""
    size = 0
    while size < MAX_CLAUSES and arrays.tests[size, 0, TERMS] > 0:
        size += 1
    return size


def count_tests(arrays: StrategyArrays, clause: int) -> int:
    """Count the tests of a clause."""
    count = 0
    while count < MAX_TESTS and arrays.tests[clause, count, TERMS] > 0:
        count += 1
    return count


def count_numbers(data: SearchData, arrays: StrategyArrays) -> int:
    """Count the numbers that a person must remember."""
    size = count_clauses(arrays)
    numbers = data.action_numbers[arrays.actions[MAX_CLAUSES]]
    for clause in range(size):
        numbers += data.action_numbers[arrays.actions[clause]]
        for test in range(count_tests(arrays, clause)):
            if arrays.tests[clause, test, CONSTANT] != 0:
                numbers += 1
            for term in range(arrays.tests[clause, test, TERMS]):
                if arrays.tests[clause, test, FIRST + 2 * term + 1] >= data.free_count:
                    numbers += 1
    return numbers  # type: ignore[no-any-return]


def copy_arrays(source: StrategyArrays, target: StrategyArrays) -> None:
    """Copy a strategy to other arrays."""
    target.tests[:] = source.tests
    target.actions[:] = source.actions
    for clause in range(count_clauses(source)):
        target.applies[clause] = source.applies[clause]


def penalized_loss(data: SearchData, arrays: StrategyArrays) -> float:
    """Compute the first-order loss of a strategy, plus a small penalty for its length."""
    size = count_clauses(arrays)
    total = 0.0
    for i in range(data.values.shape[1]):
        total += data.costs[action_in(arrays, size, 0, i), i]
    for clause in range(size):
        for test in range(count_tests(arrays, clause)):
            total += COMPARISON_PENALTY * (1 + arrays.tests[clause, test, TERMS])
    return total


def action_in(arrays: StrategyArrays, size: int, first: int, decision: int) -> int:
    """Return the action in a decision, by the clauses from `first` on."""
    clause = first
    while clause < size and not arrays.applies[clause, decision]:
        clause += 1
    return arrays.actions[clause if clause < size else MAX_CLAUSES]  # type: ignore[no-any-return]


def update_applies(data: SearchData, arrays: StrategyArrays, clause: int, skipped: int, sums: F64) -> None:
    """Fill in where a clause applies if one of its tests is skipped; a negative index skips none."""
    applies = arrays.applies[clause]
    applies[:] = True
    for test in range(count_tests(arrays, clause)):
        if test != skipped:
            row = arrays.tests[clause, test]
            sum_terms(data, row, sums)
            threshold = row[CONSTANT] - TOLERANCE
            for i in range(len(applies)):
                applies[i] &= sums[i] >= threshold


def sum_terms(data: SearchData, row: I64, sums: F64) -> None:
    """Fill in float64[decisions], the sum of the terms of a test: term by term, each in one vectorized pass."""
    coefficient, values = data.coefficients[row[FIRST + 1]], data.values[row[FIRST]]
    for i in range(len(sums)):
        sums[i] = coefficient * values[i]
    for term in range(1, row[TERMS]):
        coefficient, values = data.coefficients[row[FIRST + 2 * term + 1]], data.values[row[FIRST + 2 * term]]
        for i in range(len(sums)):
            sums[i] += coefficient * values[i]
