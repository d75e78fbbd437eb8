"""A strategy that ranks moves by what they lead to: as many cards in the hand as possible, and so on.

Criteria stand in an order: of moves that are equal by the first the second decides, and what is equal by all is left to
chance. Which order it is may depend on the table: if the hand has at least 4, this one; otherwise another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from komi.teaching.simulated.measures import Measure, Table

PARTS = 256  # what an action leads to on average is told apart to this part of one
MOST_CRITERIA = 3  # of an order


@dataclass(frozen=True, order=True)
class Criterion:
    """A measure of what a move leads to, of which much (sign 1) or little (-1) is wanted."""

    measure: Measure
    sign: int


@dataclass(frozen=True, order=True)
class Condition:
    """Whether a measure of the table is at least (sign 1) or at most (-1) a number."""

    measure: Measure
    sign: int
    number: int

    @property
    def numbers(self) -> int:
        """How many numbers a person must remember of it."""
        return int(self.number != 0)


Order = tuple[Criterion, ...]


@dataclass(frozen=True)
class Preferences:
    """A list of conditions, the first of which that holds says by which order moves are ranked.

    Attributes:
        clauses: conditions and orders.
        otherwise: the order if no condition holds.
    """

    clauses: tuple[tuple[Condition, Order], ...]
    otherwise: Order

    @property
    def numbers(self) -> int:
        """How many numbers a person must remember."""
        return sum(condition.numbers for condition, _ in self.clauses)

    @property
    def orders(self) -> tuple[Order, ...]:
        """All orders, the last for where no condition holds."""
        return (*(order for _, order in self.clauses), self.otherwise)

    def with_order(self, place: int, order: Order) -> "Preferences":
        """The same with one order in place of another."""
        if place == len(self.clauses):
            return replace(self, otherwise=order)
        changed = (self.clauses[place][0], order)
        return replace(self, clauses=(*self.clauses[:place], changed, *self.clauses[place + 1 :]))

    def with_condition(self, place: int, condition: Condition) -> "Preferences":
        """The same with one condition in place of another."""
        changed = (condition, self.clauses[place][1])
        return replace(self, clauses=(*self.clauses[:place], changed, *self.clauses[place + 1 :]))

    def rows(self, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """For compiled code: int64[clauses, 4] conditions, int64[clauses + 1, criteria, 3] orders, and which are sure.

        Args:
            table: what is read off the table.

        Returns:
            (form, place, sign, number) of each condition, (form, place, weight) of each criterion, where a weight of 0
            ends an order, and whether the first outcome tells of each order what all do.
        """
        conditions = [(*each.measure.row, each.sign, each.sign * each.number) for each, _ in self.clauses]
        orders = np.zeros((len(self.orders), MOST_CRITERIA, 3), np.int64)
        for order, row in zip(self.orders, orders, strict=True):
            for place, (criterion, weight) in enumerate(zip(order, weights(order, table.results), strict=True)):
                row[place] = (*criterion.measure.row, weight)
        sure = np.array([is_sure(order, table) for order in self.orders])
        return np.array(conditions, np.int64).reshape(-1, 4), orders, sure


def is_sure(order: Order, table: Table) -> bool:
    """Whether no criterion differs between the outcomes of an action."""
    return table.uncertain.isdisjoint(criterion.measure for criterion in order)


def weights(order: Order, ranges: Mapping[Measure, tuple[int, int]]) -> list[int]:
    """What to multiply each criterion by, so that in the sum the first counts for more than all those after it."""
    found, weight = list[int](), 1
    for criterion in reversed(order):
        found.insert(0, criterion.sign * weight)
        weight <<= width(criterion.measure, ranges)
    return found


def width(measure: Measure, ranges: Mapping[Measure, tuple[int, int]]) -> int:
    """How many bits the differences of a measure take, in parts, with room to spare."""
    least, greatest = ranges[measure]
    return (2 * PARTS * (greatest - least + 1)).bit_length() + 1
