"""Random edits of a strategy, in compiled code.

The constant of an edited test is not random: it is the best one with all else fixed, computed from the cumulative costs
over the sums that the test compares.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.teaching.strategy import TOLERANCE
from komi.teaching.strategy_arrays import (
    CONSTANT,
    FIRST,
    MAX_CLAUSES,
    MAX_TERMS,
    MAX_TESTS,
    TERMS,
    SearchData,
    StrategyArrays,
    action_in,
    count_clauses,
    count_tests,
    sum_terms,
    update_applies,
)

MAX_STEPS = 4096  # between the least and the greatest sum of a test
# The probability of each kind of change.
P_CLAUSE, P_TEST, P_REMOVAL, P_ORDER, P_ACTION, P_CONSTANT, P_TERM = 0.15, 0.10, 0.10, 0.05, 0.05, 0.10, 0.20
P_UNIT_COEFFICIENT = 0.5  # probability that a new coefficient is 1 or -1
MAX_DRAWS = 12  # of a coefficient, until one is permitted for the feature
P_SAME_FEATURE = 0.4  # probability that a term keeps its feature
P_TERM_REMOVAL = 0.6  # probability that a term is removed where there are several
P_ZERO_CONSTANT = 0.3  # probability that a changed constant becomes 0, which is not a number to remember
MAX_CONSTANT_STEP = 3  # greatest change of a constant


class EditBuffers(NamedTuple):
    """Buffers for cumulative costs: float64[decisions] twice, float64[MAX_STEPS]."""

    sums: F64
    changes: F64
    bins: F64


def edit_randomly(data: SearchData, arrays: StrategyArrays, buffers: EditBuffers) -> bool:
    """Change a random part of a strategy; return whether this succeeded. If not, the strategy is invalid."""
    size = count_clauses(arrays)
    kind = np.random.random()
    if size == 0 or kind < P_CLAUSE:
        return size < MAX_CLAUSES and _insert_clause(data, arrays, np.random.randint(size + 1), buffers)
    kind -= P_CLAUSE
    if kind < P_REMOVAL:
        return remove_random_part(data, arrays, buffers)
    kind -= P_REMOVAL
    clause = np.random.randint(size)
    if kind < P_ORDER:
        return _swap_clauses(arrays, clause, clause + 1)
    kind -= P_ORDER
    if kind < P_ACTION:
        edited = np.random.randint(size + 1)
        arrays.actions[edited if edited < size else MAX_CLAUSES] = np.random.randint(len(data.costs))
        return True
    return _edit_clause(data, arrays, clause, kind - P_ACTION, buffers)


def _edit_clause(data: SearchData, arrays: StrategyArrays, clause: int, kind: float, buffers: EditBuffers) -> bool:
    """Change a test of a clause, or add a test; return whether this succeeded."""
    count = count_tests(arrays, clause)
    test = np.random.randint(count)
    if kind < P_TEST:
        return count < MAX_TESTS and _insert_term(data, arrays, clause, count, 0, buffers)
    kind -= P_TEST
    if kind < P_CONSTANT:
        if np.random.random() < P_ZERO_CONSTANT:
            arrays.tests[clause, test, CONSTANT] = 0
        else:
            arrays.tests[clause, test, CONSTANT] += np.random.randint(-MAX_CONSTANT_STEP, MAX_CONSTANT_STEP + 1)
        update_applies(data, arrays, clause, -1, buffers.sums)
        return True
    terms = arrays.tests[clause, test, TERMS]
    if kind - P_CONSTANT < P_TERM:
        return terms < MAX_TERMS and _insert_term(data, arrays, clause, test, terms, buffers)
    return _insert_term(data, arrays, clause, test, np.random.randint(terms), buffers)


def remove_random_part(data: SearchData, arrays: StrategyArrays, buffers: EditBuffers) -> bool:
    """Remove a random term, test or clause; return whether this succeeded."""
    size = count_clauses(arrays)
    if size == 0:
        return False
    clause = np.random.randint(size)
    count = count_tests(arrays, clause)
    test = np.random.randint(count)
    if arrays.tests[clause, test, TERMS] > 1 and np.random.random() < P_TERM_REMOVAL:
        _remove_random_term(data, arrays.tests[clause, test])
        return optimize_constant(data, arrays, clause, test, buffers)
    if count > 1:
        for other in range(test, count - 1):
            arrays.tests[clause, other] = arrays.tests[clause, other + 1]
        arrays.tests[clause, count - 1] = 0
        update_applies(data, arrays, clause, -1, buffers.sums)
        return True
    for other in range(clause, size - 1):
        _swap_clauses(arrays, other, other + 1)
    arrays.tests[size - 1] = 0
    return True


def _remove_random_term(data: SearchData, row: I64) -> None:
    """Remove a random term of a test; if one term is left, its coefficient becomes 1 or -1."""
    for column in range(FIRST + 2 * np.random.randint(row[TERMS]), FIRST + 2 * row[TERMS] - 2):
        row[column] = row[column + 2]
    row[TERMS] -= 1
    if row[TERMS] == 1:
        row[FIRST + 1] = 0 if data.coefficients[row[FIRST + 1]] > 0.0 else 1


def _insert_clause(data: SearchData, arrays: StrategyArrays, position: int, buffers: EditBuffers) -> bool:
    """Insert a clause with one random term before another clause, or at the end; return whether this succeeded."""
    size = count_clauses(arrays)
    arrays.tests[size] = 0
    arrays.actions[size] = np.random.randint(len(data.costs))
    arrays.tests[size, 0, TERMS] = 1
    arrays.tests[size, 0, FIRST] = np.random.randint(len(data.values))
    for clause in range(size, position, -1):
        _swap_clauses(arrays, clause - 1, clause)
    return _insert_term(data, arrays, position, 0, 0, buffers)


def _swap_clauses(arrays: StrategyArrays, clause: int, other: int) -> bool:
    """Swap two clauses; return whether the second one exists."""
    if other >= count_clauses(arrays):
        return False
    for test in range(MAX_TESTS):
        for i in range(arrays.tests.shape[2]):
            number = arrays.tests[clause, test, i]
            arrays.tests[clause, test, i] = arrays.tests[other, test, i]
            arrays.tests[other, test, i] = number
    action = arrays.actions[clause]
    arrays.actions[clause] = arrays.actions[other]
    arrays.actions[other] = action
    for i in range(arrays.applies.shape[1]):
        applies = arrays.applies[clause, i]
        arrays.applies[clause, i] = arrays.applies[other, i]
        arrays.applies[other, i] = applies
    return True


def _insert_term(
    data: SearchData, arrays: StrategyArrays, clause: int, test: int, term: int, buffers: EditBuffers
) -> bool:
    """Put a random term at an index of a test; return whether it is permitted there and reduces the loss."""
    row = arrays.tests[clause, test]
    feature = np.random.randint(len(data.values))
    if term < row[TERMS] and np.random.random() < P_SAME_FEATURE:
        feature = row[FIRST + 2 * term]
    for other in range(row[TERMS]):
        if other != term and data.is_incompatible[feature, row[FIRST + 2 * other]]:
            return False
    terms = max(row[TERMS], term + 1)
    coefficient = _sample_coefficient(data, feature, terms == 1)
    if coefficient < 0:
        return False
    row[TERMS] = terms
    row[FIRST + 2 * term] = feature
    row[FIRST + 2 * term + 1] = coefficient
    return optimize_constant(data, arrays, clause, test, buffers)


def _sample_coefficient(data: SearchData, feature: int, is_single: bool) -> int:
    """Sample a coefficient that is permitted for a feature; -1 if none was found."""
    for _ in range(MAX_DRAWS):
        coefficient = int(np.random.randint(data.free_count))
        if not is_single and np.random.random() >= P_UNIT_COEFFICIENT:
            coefficient = int(np.random.randint(data.free_count, len(data.coefficients)))
        if data.is_allowed[feature, coefficient]:
            return coefficient
    return -1


def optimize_constant(data: SearchData, arrays: StrategyArrays, clause: int, test: int, buffers: EditBuffers) -> bool:
    """Set the constant of a test to the best one, with all else fixed; return whether one reduces the loss."""
    count = _collect_changes(data, arrays, clause, test, buffers)
    is_better = _set_best_constant(arrays.tests[clause, test], count, data.zero_probability, buffers)
    update_applies(data, arrays, clause, -1, buffers.sums)
    return is_better


def _set_best_constant(row: I64, count: int, zero_probability: float, buffers: EditBuffers) -> bool:
    """Set the constant of a test to the best one for the first `count` sums; return whether one reduces the loss.

    With probability `zero_probability`, 0 is taken if it reduces the loss at all: it is not a number to remember.
    """
    constant, cost, cost_at_zero = find_best_constant(buffers.sums, buffers.changes, count, buffers.bins)
    if cost < 0.0:
        row[CONSTANT] = constant
    if cost_at_zero < 0.0 and np.random.random() < zero_probability:
        row[CONSTANT] = 0
    return cost < 0.0


def find_best_constant(sums: F64, changes: F64, count: int, bins: F64) -> tuple[int, float, float]:
    """Compute the best constant to compare sums with, given the changes of the loss where the test is passed.

    Args:
        sums: float64[.], the sums of the test.
        changes: float64[.], the change of the loss at each sum if the test is passed there.
        count: the number of sums to use, the first ones.
        bins: a buffer, float64[.].

    Returns:
        (the constant, the change of the loss with it, the change with the constant 0). The first two are 0 if no
        constant reduces the loss; all are 0 if there are no sums, or their range is larger than the buffer
    """
    constant, best, cost_at_zero = 0, 0.0, 0.0
    if count == 0:
        return constant, best, cost_at_zero
    low, high = sums[0], sums[0]
    for i in range(count):
        low = min(low, sums[i])
        high = max(high, sums[i])
    lowest = int(np.floor(low)) - 1
    steps = int(np.floor(high)) + 2 - lowest
    if steps > len(bins):
        return constant, best, cost_at_zero
    bins[:steps] = 0.0
    for i in range(count):
        bins[int(sums[i] + TOLERANCE - lowest)] += changes[i]
    total = 0.0
    for step in range(steps - 1, 0, -1):
        total += bins[step]
        if total < best:
            best = total
            constant = lowest + step
        if lowest + step == 0:
            cost_at_zero = total
    return constant, best, total if lowest >= 0 else cost_at_zero  # all of them are positive


def _collect_changes(data: SearchData, arrays: StrategyArrays, clause: int, test: int, buffers: EditBuffers) -> int:
    """Fill in the sums of a test and the changes of the loss if it is passed, where it matters; return their number.

    The row of `applies` of the clause is overwritten.
    """
    size = count_clauses(arrays)
    is_relevant = arrays.applies[clause]
    update_applies(data, arrays, clause, test, buffers.sums)
    for earlier in range(clause):
        for i in range(len(is_relevant)):
            is_relevant[i] &= not arrays.applies[earlier, i]
    sum_terms(data, arrays.tests[clause, test], buffers.sums)
    passed_costs = data.costs[arrays.actions[clause]]
    count = 0
    for i in range(len(is_relevant)):
        if is_relevant[i]:
            change = passed_costs[i] - data.costs[action_in(arrays, size, clause + 1, i), i]
            if change != 0.0:
                buffers.sums[count] = buffers.sums[i]
                buffers.changes[count] = change
                count += 1
    return count
