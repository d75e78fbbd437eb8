"""Random changes of a plan, in compiled code.

The constant of a changed test is not random: it is the best one with all else fixed, computed from the cumulative costs
over the values that the test compares.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.teaching.strategy import WHOLE
from komi.teaching.strategy_arrays import (
    CONSTANT,
    FIRST,
    MAX_CLAUSES,
    MAX_TERMS,
    MAX_TESTS,
    TERMS,
    add_up,
    decided,
    mark,
    size_of,
    tests_of,
)

MAX_STEPS = 4096  # between the least and the greatest sum of a test
# The probability of each kind of change.
A_CLAUSE, A_TEST, LESS, ORDER, ACTION, CONSTANTS, LONGER = 0.15, 0.10, 0.10, 0.05, 0.05, 0.10, 0.20
PLAIN = 0.5  # probability that a new coefficient is 1 or -1
DRAWS = 12  # of a coefficient, until one is permitted for the feature
SAME = 0.4  # probability that a term keeps its feature
TERM_ONLY = 0.6  # probability that a term is removed where there are several
NOTHING = 0.3  # probability that a changed constant becomes 0, which is no number to remember
FAR = 3  # greatest change of a constant


class Buffers(NamedTuple):
    """Buffers for cumulative costs: float64[decisions] twice, float64[MAX_STEPS]."""

    sums: Any
    changes: Any
    bins: Any


def edit(world: Any, plan: Any, room: Any) -> bool:
    """Change a random part of a plan; return whether this succeeded. If not, the plan is invalid."""
    size = size_of(plan)
    kind = np.random.random()
    if size == 0 or kind < A_CLAUSE:
        return size < MAX_CLAUSES and _insert(world, plan, np.random.randint(size + 1), room)
    kind -= A_CLAUSE
    if kind < LESS:
        return drop(world, plan, room)
    kind -= LESS
    clause = np.random.randint(size)
    if kind < ORDER:
        return _exchange(plan, clause, clause + 1)
    kind -= ORDER
    if kind < ACTION:
        place = np.random.randint(size + 1)
        plan.actions[place if place < size else MAX_CLAUSES] = np.random.randint(len(world.costs))
        return True
    return _edit_clause(world, plan, clause, kind - ACTION, room)


def _edit_clause(world: Any, plan: Any, clause: int, kind: float, room: Any) -> bool:
    """Change a test of a clause, or add a test; return whether this succeeded."""
    count = tests_of(plan, clause)
    test = np.random.randint(count)
    if kind < A_TEST:
        return count < MAX_TESTS and _put_term(world, plan, clause, count, 0, room)
    kind -= A_TEST
    if kind < CONSTANTS:
        if np.random.random() < NOTHING:
            plan.tests[clause, test, CONSTANT] = 0
        else:
            plan.tests[clause, test, CONSTANT] += np.random.randint(-FAR, FAR + 1)
        mark(world, plan, clause, -1, room.sums)
        return True
    terms = plan.tests[clause, test, TERMS]
    if kind - CONSTANTS < LONGER:
        return terms < MAX_TERMS and _put_term(world, plan, clause, test, terms, room)
    return _put_term(world, plan, clause, test, np.random.randint(terms), room)


def drop(world: Any, plan: Any, room: Any) -> bool:
    """Remove a random term, test or clause; return whether this succeeded."""
    size = size_of(plan)
    if size == 0:
        return False
    clause = np.random.randint(size)
    count = tests_of(plan, clause)
    test = np.random.randint(count)
    if plan.tests[clause, test, TERMS] > 1 and np.random.random() < TERM_ONLY:
        _drop_term(world, plan.tests[clause, test])
        return settle(world, plan, clause, test, room)
    if count > 1:
        for other in range(test, count - 1):
            plan.tests[clause, other] = plan.tests[clause, other + 1]
        plan.tests[clause, count - 1] = 0
        mark(world, plan, clause, -1, room.sums)
        return True
    for other in range(clause, size - 1):
        _exchange(plan, other, other + 1)
    plan.tests[size - 1] = 0
    return True


def _drop_term(world: Any, row: Any) -> None:
    """Remove a random term of a test; if one term is left, its coefficient becomes 1 or -1."""
    for place in range(FIRST + 2 * np.random.randint(row[TERMS]), FIRST + 2 * row[TERMS] - 2):
        row[place] = row[place + 2]
    row[TERMS] -= 1
    if row[TERMS] == 1:
        row[FIRST + 1] = 0 if world.coefficients[row[FIRST + 1]] > 0.0 else 1


def _insert(world: Any, plan: Any, place: int, room: Any) -> bool:
    """Insert a clause with one random term before another clause, or at the end; return whether this succeeded."""
    size = size_of(plan)
    plan.tests[size] = 0
    plan.actions[size] = np.random.randint(len(world.costs))
    plan.tests[size, 0, TERMS] = 1
    plan.tests[size, 0, FIRST] = np.random.randint(len(world.values))
    for clause in range(size, place, -1):
        _exchange(plan, clause - 1, clause)
    return _put_term(world, plan, place, 0, 0, room)


def _exchange(plan: Any, clause: int, other: int) -> bool:
    """Swap two clauses; return whether the second one exists."""
    if other >= size_of(plan):
        return False
    for place in range(MAX_TESTS):
        for i in range(plan.tests.shape[2]):
            number = plan.tests[clause, place, i]
            plan.tests[clause, place, i] = plan.tests[other, place, i]
            plan.tests[other, place, i] = number
    action = plan.actions[clause]
    plan.actions[clause] = plan.actions[other]
    plan.actions[other] = action
    for i in range(plan.applies.shape[1]):
        applies = plan.applies[clause, i]
        plan.applies[clause, i] = plan.applies[other, i]
        plan.applies[other, i] = applies
    return True


def _put_term(world: Any, plan: Any, clause: int, test: int, term: int, room: Any) -> bool:
    """Put a random term at an index of a test; return whether it is permitted there, and reduces the loss."""
    row = plan.tests[clause, test]
    feature = np.random.randint(len(world.values))
    if term < row[TERMS] and np.random.random() < SAME:
        feature = row[FIRST + 2 * term]
    for other in range(row[TERMS]):
        if other != term and world.apart[feature, row[FIRST + 2 * other]]:
            return False
    terms = max(row[TERMS], term + 1)
    coefficient = _coefficient(world, feature, terms == 1)
    if coefficient < 0:
        return False
    row[TERMS] = terms
    row[FIRST + 2 * term] = feature
    row[FIRST + 2 * term + 1] = coefficient
    return settle(world, plan, clause, test, room)


def _coefficient(world: Any, feature: int, alone: bool) -> int:
    """Sample a coefficient that is permitted for a feature; -1 if none was found."""
    for _ in range(DRAWS):
        coefficient = int(np.random.randint(world.plain))
        if not alone and np.random.random() >= PLAIN:
            coefficient = int(np.random.randint(world.plain, len(world.coefficients)))
        if world.allowed[feature, coefficient]:
            return coefficient
    return -1


def settle(world: Any, plan: Any, clause: int, test: int, room: Any) -> bool:
    """Set the constant of a test to the best one, with all else fixed; return whether one reduces the loss."""
    asked = _asked(world, plan, clause, test, room)
    gains = _choose_constant(plan.tests[clause, test], asked, world.nothing, room)
    mark(world, plan, clause, -1, room.sums)
    return gains


def _choose_constant(row: Any, count: int, nothing: float, room: Any) -> bool:
    """Set the constant of a test to the best one for the first `count` sums; return whether one reduces the loss.

    With probability `nothing`, 0 is taken if it reduces the loss at all: it is no number to remember.
    """
    constant, cost, at_nothing = best_constant(room.sums, room.changes, count, room.bins)
    if cost < 0.0:
        row[CONSTANT] = constant
    if at_nothing < 0.0 and np.random.random() < nothing:
        row[CONSTANT] = 0
    return cost < 0.0


def best_constant(sums: Any, changes: Any, count: int, bins: Any) -> tuple[int, float, float]:
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
    constant, best, at_nothing = 0, 0.0, 0.0
    if count == 0:
        return constant, best, at_nothing
    low, high = sums[0], sums[0]
    for i in range(count):
        low = min(low, sums[i])
        high = max(high, sums[i])
    lowest = int(np.floor(low)) - 1
    steps = int(np.floor(high)) + 2 - lowest
    if steps > len(bins):
        return constant, best, at_nothing
    bins[:steps] = 0.0
    for i in range(count):
        bins[int(sums[i] + WHOLE - lowest)] += changes[i]
    total = 0.0
    for step in range(steps - 1, 0, -1):
        total += bins[step]
        if total < best:
            best = total
            constant = lowest + step
        if lowest + step == 0:
            at_nothing = total
    return constant, best, total if lowest >= 0 else at_nothing  # all of them are positive


def _asked(world: Any, plan: Any, clause: int, test: int, room: Any) -> int:
    """Fill in the sums of a test and the changes of the loss if it is passed, where it matters; return their number.

    The row of `applies` of the clause is overwritten.
    """
    size = size_of(plan)
    asked = plan.applies[clause]
    mark(world, plan, clause, test, room.sums)
    for earlier in range(clause):
        for i in range(len(asked)):
            asked[i] &= not plan.applies[earlier, i]
    add_up(world, plan.tests[clause, test], room.sums)
    own = world.costs[plan.actions[clause]]
    count = 0
    for i in range(len(asked)):
        if asked[i]:
            change = own[i] - world.costs[decided(plan, size, clause + 1, i), i]
            if change != 0.0:
                room.sums[count] = room.sums[i]
                room.changes[count] = change
                count += 1
    return count
