"""A strategy that ranks moves by their results: as many cards in the hand as possible, and so on.

Criteria are in lexicographic order: the second one breaks the ties of the first; remaining ties are broken at random.
The order can depend on the table: if the hand has at least 4 cards, one order; otherwise another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from komi.arrays import I64, Flags
from komi.teaching.simulated.observed_measures import Measure, ObservedMeasures

RESOLUTION = 256  # expected results are rounded to 1 / RESOLUTION
MAX_CRITERIA = 3  # of an order


@dataclass(frozen=True, order=True)
class Criterion:
    """A measure of the result of a move, to be maximized (sign 1) or minimized (sign -1)."""

    measure: Measure
    sign: int


@dataclass(frozen=True, order=True)
class Condition:
    """The condition that a measure of the table is at least (sign 1) or at most (sign -1) a number."""

    measure: Measure
    sign: int
    number: int

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return int(self.number != 0)


Order = tuple[Criterion, ...]


@dataclass(frozen=True)
class Preferences:
    """A list of conditions, of which the first that holds determines the order by which moves are ranked.

    Attributes:
        clauses: conditions and orders.
        otherwise: the order if no condition holds.
    """

    clauses: tuple[tuple[Condition, Order], ...]
    otherwise: Order

    @property
    def numbers(self) -> int:
        """The number of numbers to remember."""
        return sum(condition.numbers for condition, _ in self.clauses)

    @property
    def orders(self) -> tuple[Order, ...]:
        """All orders, the last one for the case that no condition holds."""
        return (*(order for _, order in self.clauses), self.otherwise)

    def with_order(self, index: int, order: Order) -> "Preferences":
        """Return a copy with one order replaced."""
        if index == len(self.clauses):
            return replace(self, otherwise=order)
        changed = (self.clauses[index][0], order)
        return replace(self, clauses=(*self.clauses[:index], changed, *self.clauses[index + 1 :]))

    def with_condition(self, index: int, condition: Condition) -> "Preferences":
        """Return a copy with one condition replaced."""
        changed = (condition, self.clauses[index][1])
        return replace(self, clauses=(*self.clauses[:index], changed, *self.clauses[index + 1 :]))

    def encode(self, table: ObservedMeasures) -> tuple[I64, I64, Flags]:
        """Encode the conditions and the orders as arrays for compiled code.

        Args:
            table: the measures that a player reads off the table.

        Returns:
            int64[clauses, 4], (form, index, sign, sign * number) of each condition; int64[clauses + 1, criteria, 3],
            (form, index, weight) of each criterion of each order, where a weight of 0 ends the order;
            bool[clauses + 1], True for orders that are the same for all outcomes of an action
        """
        conditions = [(*each.measure.encoding, each.sign, each.sign * each.number) for each, _ in self.clauses]
        orders = np.zeros((len(self.orders), MAX_CRITERIA, 3), np.int64)
        for order, row in zip(self.orders, orders, strict=True):
            for column, (criterion, weight) in enumerate(zip(order, weights(order, table.results), strict=True)):
                row[column] = (*criterion.measure.encoding, weight)
        is_certain = np.array([is_deterministic(order, table) for order in self.orders])
        return np.array(conditions, np.int64).reshape(-1, 4), orders, is_certain


def is_deterministic(order: Order, table: ObservedMeasures) -> bool:
    """Return whether no criterion differs between the outcomes of an action."""
    return table.uncertain.isdisjoint(criterion.measure for criterion in order)


def weights(order: Order, ranges: Mapping[Measure, tuple[int, int]]) -> list[int]:
    """Compute the weights of the criteria with which their sum has lexicographic order."""
    found, weight = list[int](), 1
    for criterion in reversed(order):
        found.insert(0, criterion.sign * weight)
        weight <<= bit_width(criterion.measure, ranges)
    return found


def bit_width(measure: Measure, ranges: Mapping[Measure, tuple[int, int]]) -> int:
    """Compute the number of bits for differences of a measure, in units of 1 / RESOLUTION, with a margin."""
    least, greatest = ranges[measure]
    return (2 * RESOLUTION * (greatest - least + 1)).bit_length() + 1
