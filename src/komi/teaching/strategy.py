"""A strategy as a decision list: the first clause whose tests a state passes determines the action.

A test checks whether a linear combination of features is at least a constant. The numbers that a person must remember
are the constant unless it is 0, and each coefficient that is not 1 or -1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Generic, Self, TypeVar

import numpy as np

from komi.arrays import F64, I16, I64, Flags
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.teaching.features import ENCODING_WIDTH, RATIO, Feature, packed_integer, packed_quantity

Action = TypeVar("Action")
TOLERANCE = 1e-6  # more than rounding errors, less than the least difference of two sums


@dataclass(frozen=True, order=True)
class Term:
    """A feature, by its index, times a coefficient."""

    feature: int
    coefficient: Fraction

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return int(abs(self.coefficient) != 1)


@dataclass(frozen=True)
class LinearTest:
    """The condition that the sum of the terms is at least a constant."""

    terms: tuple[Term, ...]
    constant: int

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return int(self.constant != 0) + sum(term.numbers for term in self.terms)

    @property
    def with_integer_coefficients(self) -> "LinearTest":
        """The equivalent test with integer coefficients."""
        factor = lcm(*(term.coefficient.denominator for term in self.terms))
        terms = (replace(term, coefficient=factor * term.coefficient) for term in self.terms)
        return LinearTest(tuple(terms), factor * self.constant)

    def is_passed(self, values: F64) -> Flags:
        """Compute bool[states], True where the test is passed, given float64[features, states]."""
        total = self.total(values)
        return np.asarray(total >= self.constant - TOLERANCE, np.bool_)

    def total(self, values: F64) -> F64:
        """Compute float64[states], the sum of the terms."""
        total = np.zeros(values.shape[1])
        for term in self.terms:
            total += float(term.coefficient) * values[term.feature]
        return total


@dataclass(frozen=True)
class Clause(Generic[Action]):
    """An action for the states that pass all tests."""

    tests: tuple[LinearTest, ...]
    action: Action


@dataclass(frozen=True)
class DecisionList(Generic[Action]):
    """A list of clauses, of which the first that applies determines the action, and a default.

    Attributes:
        clauses: the clauses, in their order.
        default: the action if no clause applies.
    """

    clauses: tuple[Clause[Action], ...]
    default: Action

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return sum(test.numbers for clause in self.clauses for test in clause.tests)

    @property
    def leaves(self) -> tuple[Action, ...]:
        """The action of each clause, and the default."""
        return (*(clause.action for clause in self.clauses), self.default)

    @property
    def numbered(self) -> "Strategy":
        """The strategy whose actions are the numbers of its clauses, and after the last one of its default."""
        clauses = (Clause(clause.tests, number) for number, clause in enumerate(self.clauses))
        return Strategy(tuple(clauses), len(self.clauses))

    def with_action(self, index: int, action: Action) -> Self:
        """Return a copy with one of the leaves replaced."""
        if index == len(self.clauses):
            return replace(self, default=action)
        changed = replace(self.clauses[index], action=action)
        return replace(self, clauses=(*self.clauses[:index], changed, *self.clauses[index + 1 :]))

    def with_test(self, clause: int, index: int, test: LinearTest) -> Self:
        """Return a copy with one test replaced, or added after the last one of a clause."""
        old = self.clauses[clause]
        changed = replace(old, tests=(*old.tests[:index], test, *old.tests[index + 1 :]))
        return replace(self, clauses=(*self.clauses[:clause], changed, *self.clauses[clause + 1 :]))

    def with_clause(self, index: int, clause: Clause[Action]) -> Self:
        """Return a copy with a clause inserted."""
        return replace(self, clauses=(*self.clauses[:index], clause, *self.clauses[index:]))

    def without_clause(self, index: int) -> Self:
        """Return a copy without a clause."""
        return replace(self, clauses=self.clauses[:index] + self.clauses[index + 1 :])


@dataclass(frozen=True)
class Strategy(DecisionList[int]):
    """A decision list whose actions are numbered.

    Attributes:
        action_numbers: the number of numbers to remember of each action: 1 for a number of dice to roll, or for a
            probability; empty if actions are not numbers.
    """

    action_numbers: tuple[int, ...] = ()

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return super().numbers + sum(self.action_numbers[leaf] for leaf in self.leaves if self.action_numbers)

    @property
    def length(self) -> int:
        """The number of terms and constants in all tests."""
        return sum(1 + len(test.terms) for clause in self.clauses for test in clause.tests)

    @property
    def shape(self) -> tuple[object, ...]:
        """The strategy without its numbers: strategies of one shape differ only in these."""
        clauses = (
            (clause.action, *(tuple(term.feature for term in test.terms) for test in clause.tests))
            for clause in self.clauses
        )
        return (*clauses, self.default)

    def actions(self, values: F64) -> I64:
        """Compute int64[states], the action in each state, given float64[features, states]."""
        actions = np.full(values.shape[1], self.default, np.int64)
        for clause in reversed(self.clauses):
            applies = np.ones(values.shape[1], np.bool_)
            for test in clause.tests:
                applies &= test.is_passed(values)
            actions[applies] = clause.action
        return actions


def integer_scaling(test: LinearTest, features: Sequence[Feature]) -> tuple[int, int]:
    """Compute the factor that makes a test's coefficients integers, and the ratio in it: (factor, feature or -1)."""
    ratios = [term.feature for term in test.terms if features[term.feature].form == "ratio"]
    return lcm(*(term.coefficient.denominator for term in test.terms)), ratios[0] if ratios else -1


def strategy_actions(strategy: Strategy, features: Sequence[Feature], states: StateSet) -> I16:
    """Compute int16[states], the strategy's action in each state, legal or not, in exact integer arithmetic."""
    clauses, tests, terms = [], [], []
    for clause in strategy.clauses:
        for test in clause.tests:
            scale, ratio = integer_scaling(test, features)
            terms += [(int(term.coefficient * scale), *features[term.feature].encoding) for term in test.terms]
            divisor = features[ratio].b.encoding if ratio >= 0 else (-1, 0, 0)
            tests.append((len(terms), test.constant * scale, *divisor))
        clauses.append((len(tests), clause.action))
    actions = np.empty(states.size, np.int16)
    widths = ((clauses, 2), (tests, 5), (terms, 1 + ENCODING_WIDTH))
    encoded = [np.array(rows, np.int64).reshape(-1, width) for rows, width in widths]
    engine_kernels()[_fill_actions](states, *encoded, strategy.default, actions)
    return actions


def _fill_actions(states: StateIndex, clauses: I64, tests: I64, terms: I64, default: int, actions: I16) -> None:
    """Fill in int16[states], the strategy's action in each state."""
    for index, handle in members(states.keys):
        high, low = packed_at(states, handle)
        actions[index] = default
        test = 0
        term = 0
        for clause in range(len(clauses)):
            applies = True
            while test < clauses[clause, 0]:
                divisor = 1
                if tests[test, 2] >= 0:
                    divisor = packed_quantity(states.layout, high, low, tests[test], 2)
                total = 0
                while term < tests[test, 0]:
                    row = terms[term]
                    total += (
                        row[0] * packed_integer(states.layout, high, low, row, 1) * (1 if row[1] == RATIO else divisor)
                    )
                    term += 1
                applies = applies and total >= tests[test, 1] * divisor
                test += 1
            if applies:
                actions[index] = clauses[clause, 1]
                break
