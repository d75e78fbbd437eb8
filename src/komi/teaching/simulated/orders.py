"""A strategy that ranks moves by their results: as many cards in the hand as possible, and so on.

Criteria are in lexicographic order: the second one breaks the ties of the first; remaining ties are broken at random.
The order can depend on the table: if the hand has at least 4 cards, one order; otherwise another.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from komi.arrays import I64, Flags
from komi.teaching.features import Quantity
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.strategy import DecisionList

RESOLUTION = 256  # expected results are rounded to 1 / RESOLUTION
MAX_CRITERIA = 3  # of an order


@dataclass(frozen=True, order=True)
class Criterion:
    """A quantity of the result of a move, to be maximized (sign 1) or minimized (sign -1)."""

    quantity: Quantity
    sign: int


Order = tuple[Criterion, ...]
Preferences = DecisionList[Order]
"""Each test of a clause compares one quantity with a number."""


def encode_preferences(preferences: Preferences, table: ObservedQuantities) -> tuple[I64, I64, Flags]:
    """Encode the conditions and the orders as arrays for compiled code.

    Args:
        preferences: the strategy; each clause has one test.
        table: the quantities that a player reads off the table.

    Returns:
        int64[clauses, 4], (reading, index, sign, constant) of each condition; int64[clauses + 1, criteria, 3],
        (reading, index, weight) of each criterion of each order, where a weight of 0 ends the order;
        bool[clauses + 1], True for orders that are the same for all outcomes of an action
    """
    tests = [test for clause in preferences.clauses for test in clause.tests]
    conditions = [
        (*table.features[term.feature].a.reading_code, int(term.coefficient), test.constant)
        for test in tests
        for term in test.terms
    ]
    orders = np.zeros((len(preferences.leaves), MAX_CRITERIA, 3), np.int64)
    for order, row in zip(preferences.leaves, orders, strict=True):
        for column, (criterion, weight) in enumerate(zip(order, weights(order, table.results), strict=True)):
            row[column] = (*criterion.quantity.reading_code, weight)
    is_certain = np.array([is_deterministic(order, table) for order in preferences.leaves])
    return np.array(conditions, np.int64).reshape(-1, 4), orders, is_certain


def is_deterministic(order: Order, table: ObservedQuantities) -> bool:
    """Return whether no criterion differs between the outcomes of an action."""
    return table.uncertain.isdisjoint(criterion.quantity for criterion in order)


def weights(order: Order, ranges: Mapping[Quantity, tuple[int, int]]) -> list[int]:
    """Compute the weights of the criteria with which their sum has lexicographic order."""
    found, weight = list[int](), 1
    for criterion in reversed(order):
        found.insert(0, criterion.sign * weight)
        weight <<= bit_width(criterion.quantity, ranges)
    return found


def bit_width(quantity: Quantity, ranges: Mapping[Quantity, tuple[int, int]]) -> int:
    """Compute the number of bits for differences of a quantity, in units of 1 / RESOLUTION, with a margin."""
    least, greatest = ranges[quantity]
    return (2 * RESOLUTION * (greatest - least + 1)).bit_length() + 1
