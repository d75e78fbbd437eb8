"""Strategies that differ a little from a strategy: without a part, or with one or two numbers changed."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

from komi.arrays import Flags
from komi.teaching.sample_search import COEFFICIENTS
from komi.teaching.strategy import LinearTest, Strategy, Term

STEPS = (1, -1, 2, -2, 3, -3, 5, -5)  # of one constant
STEPS_OF_TWO = (1, -1, 2, -2)  # of two constants at once


def simplifications(strategy: Strategy) -> Iterator[Strategy]:
    """Yield the strategy ended by one of its clauses, without that clause, and without one of its tests if it has more.

    The clause that ends a strategy has no tests: its action is the default.
    """
    for index, clause in enumerate(strategy.clauses):
        yield replace(strategy, clauses=strategy.clauses[:index], default=clause.action)
        yield strategy.without_clause(index)
        if len(clause.tests) > 1:
            for removed in range(len(clause.tests)):
                kept = replace(clause, tests=clause.tests[:removed] + clause.tests[removed + 1 :])
                yield strategy.without_clause(index).with_clause(index, kept)


def neighbors(strategy: Strategy, is_allowed: Flags) -> Iterator[Strategy]:
    """Yield the strategy with one number changed, two constants changed, or a coefficient and its constant changed.

    Args:
        strategy: the strategy to change.
        is_allowed: bool[features, coefficients], as in `SampleSearch`.
    """
    tests = [(clause, test) for clause, each in enumerate(strategy.clauses) for test in range(len(each.tests))]
    for step, (clause, test) in product(STEPS[:2], tests):
        yield _with_constant_moved(strategy, clause, test, step)
    for clause, test in tests:
        yield from _with_other_coefficients(strategy, clause, test, is_allowed)
    for step, (clause, test) in product(STEPS[2:], tests):
        yield _with_constant_moved(strategy, clause, test, step)
    for first, second in combinations(tests, 2):
        for step, second_step in product(STEPS_OF_TWO, STEPS_OF_TWO):
            yield _with_constant_moved(_with_constant_moved(strategy, *first, step), *second, second_step)


def _with_constant_moved(strategy: Strategy, clause: int, test: int, step: int) -> Strategy:
    """Add `step` to a constant of the strategy."""
    old = strategy.clauses[clause].tests[test]
    return strategy.with_test(clause, test, replace(old, constant=old.constant + step))


def _with_other_coefficients(strategy: Strategy, clause: int, test: int, is_allowed: Flags) -> Iterator[Strategy]:
    """Yield the strategy with the next larger or smaller coefficient, and the same constant or one in proportion."""
    coefficients = sorted(COEFFICIENTS)
    old = strategy.clauses[clause].tests[test]
    for index, term in enumerate(old.terms):
        if not term.numbers:
            continue
        rank = coefficients.index(term.coefficient)
        for coefficient in coefficients[max(rank - 1, 0) : rank + 2]:
            new = Term(term.feature, coefficient)
            if (
                is_allowed[term.feature, COEFFICIENTS.index(coefficient)]
                and coefficient != term.coefficient
                and new.numbers
            ):
                terms = (*old.terms[:index], new, *old.terms[index + 1 :])
                scaled = round(old.constant * coefficient / term.coefficient)
                for constant in sorted({old.constant, scaled - 1, scaled, scaled + 1}):
                    yield strategy.with_test(clause, test, LinearTest(terms, constant))
