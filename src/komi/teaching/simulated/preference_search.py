"""The search for preferences: changes of the best ones so far, each compared with these in the same deals.

A worse change is rejected as soon as the difference is clear, so that most changes cost few games. A better one must
also win more in new deals, since the best of many changes looks better by chance (a sequential test with common random
numbers; S.-H. Kim and B. Nelson, A fully sequential procedure for indifference-zone selection in simulation, ACM
TOMACS 11, 2001). When few untried changes are left, more games are played before a change is rejected.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np

from komi.arrays import F64
from komi.progress import Progress
from komi.teaching.features import Quantity
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import MAX_CRITERIA, Criterion, Order, Preferences
from komi.teaching.strategy import Clause, LinearTest, Term

Range = tuple[int, int]
Payoffs = Callable[[Preferences, Range], F64]
"""The payoffs of a strategy in a range of deals."""

FIRST_DEALS = 64  # then twice as many, and so on
DEALS = 1024  # initial number of deals for an undecided change
MAX_DEALS = 1 << 15  # for an undecided change: standard error of a share of at most 0.003
WORSE, PROMISING, BETTER, CONFIRMED = -0.8, 0.8, 2.5, 1.0  # thresholds, in standard errors of a difference
LONGER = 8  # factor of the deals for a promising change
MAX_FAILURES = 120  # consecutive changes without a gain, after which the number of deals doubles
P_OTHER_BASE = 0.1  # probability of a change of the best of as many numbers or fewer
P_UNCHANGED = 0.5  # probability that these are tried unchanged
P_BORROWED = 0.1  # probability that an order is replaced by one of another strategy
P_NEW_CONDITION = 0.3  # probability that a condition is replaced by a new one
STEPS = (-3, -2, -1, 1, 2, 3)  # of the number in a condition, among the values visited
STAGE = "searching strategies"


class Incumbent:
    """The best preferences for some number of numbers, and the changes that were tried (hill climbing).

    Attributes:
        best: the preferences.
        payoffs: float64[deals], their payoffs in the first deals.
        deals: the number of deals for an undecided change.
    """

    def __init__(self, first: Preferences) -> None:
        self.begin(first)
        self.deals = DEALS

    def begin(self, best: Preferences) -> None:
        """Restart from these preferences."""
        self.best, self.payoffs = best, np.empty(0)
        self._tried = {best}
        self._failures = 0

    def is_new(self, changed: Preferences) -> bool:
        """Return whether this change was not tried before; if it was, count a failure."""
        if changed in self._tried:
            self._fail()
        return changed not in self._tried

    def record_failure(self, changed: Preferences) -> None:
        """Record a change without a gain."""
        self._tried.add(changed)
        self._fail()

    def _fail(self) -> None:
        self._failures += 1
        if self._failures >= MAX_FAILURES * self.deals // DEALS and self.deals < MAX_DEALS:
            self.deals *= 2
            self._failures = 0
            self._tried = {self.best}


class PreferenceSearch:
    """The search for the best preferences for each number of numbers.

    Args:
        table: the quantities that a player reads off the table.
        payoffs: plays a range of deals.
        numbers: the greatest number of numbers to remember.
        seed: the seed of the search.
    """

    def __init__(self, table: ObservedQuantities, payoffs: Payoffs, numbers: int, seed: int) -> None:
        self._table, self._payoffs, self._numbers = table, payoffs, numbers
        self._random = np.random.default_rng(seed)
        self._criteria = [Criterion(quantity, sign) for quantity in table.results for sign in (1, -1)]
        self._incumbents = [Incumbent(Preferences((), ())) for _ in range(numbers + 1)]
        self._next_deal = MAX_DEALS  # the first deal that has not been played yet

    def run(self, seconds: float, progress: Progress) -> None:
        """Search for `seconds` seconds."""
        begin = time.perf_counter()
        for number in self._turns():
            spent = time.perf_counter() - begin
            progress(STAGE, min(int(spent), int(seconds)), int(seconds))
            if spent >= seconds:
                return
            self._step(number)

    @property
    def best(self) -> tuple[Preferences, ...]:
        """The best preferences found for each number of numbers or fewer."""
        return tuple(incumbent.best for incumbent in self._incumbents)

    def _turns(self) -> Iterator[int]:
        """Yield the number of numbers of each step: 0 until gains are small, then 1 and so on, then all in turn."""
        self._incumbents[0].begin(self._best_single())
        yield 0
        for number, incumbent in enumerate(self._incumbents):
            if number > 0:
                incumbent.begin(self._incumbents[number - 1].best)
            while incumbent.deals == DEALS:
                yield number
        while True:
            yield from range(self._numbers + 1)

    def _best_single(self) -> Preferences:
        """Find the single criterion with the highest payoff."""
        singles = [Preferences((), (criterion,)) for criterion in self._criteria]
        return max(singles, key=lambda single: float(self._payoffs(single, (0, 4 * FIRST_DEALS)).mean()))

    def _step(self, number: int) -> None:
        """Try a change of the best preferences for a number of numbers."""
        incumbent = self._incumbents[number]
        changed = self._changed(incumbent.best, number)
        if self._random.random() < P_OTHER_BASE:
            base = self._incumbents[self._random.integers(number + 1)].best
            changed = base if self._random.random() < P_UNCHANGED else self._changed(base, number)
        if incumbent.is_new(changed):
            if self._is_better(incumbent, changed):
                for other in self._incumbents[number:]:
                    if other is incumbent or other.best == incumbent.best:
                        other.begin(changed)
            else:
                incumbent.record_failure(changed)

    def _is_better(self, incumbent: "Incumbent", changed: Preferences) -> bool:
        """Return whether a change wins more than the best preferences, by a sequential test with a limit of deals."""
        gains, deals = np.empty(0), FIRST_DEALS
        while deals <= incumbent.deals or (deals <= LONGER * incumbent.deals and _standard_errors(gains) > PROMISING):
            played = len(gains), deals
            gains = np.append(
                gains, self._payoffs(changed, played) - self._payoffs_of_best(incumbent, deals)[played[0] :]
            )
            if _standard_errors(gains) < WORSE:
                return False
            if _standard_errors(gains) > BETTER:
                new = self._next_deal, self._next_deal + deals
                self._next_deal += deals
                return _standard_errors(self._payoffs(changed, new) - self._payoffs(incumbent.best, new)) > CONFIRMED
            deals *= 2
        return False

    def _payoffs_of_best(self, incumbent: "Incumbent", deals: int) -> F64:
        """Return the payoffs of the best preferences in each of the first deals."""
        if len(incumbent.payoffs) < deals:
            incumbent.payoffs = np.append(
                incumbent.payoffs, self._payoffs(incumbent.best, (len(incumbent.payoffs), deals))
            )
        return incumbent.payoffs[:deals]

    def _changed(self, preferences: Preferences, numbers: int) -> Preferences:
        """Apply a random change to preferences, with at most `numbers` clauses."""
        edits = [self._with_other_order, self._with_other_order]
        if preferences.clauses:
            edits += [self._with_other_condition, self._without_a_clause, self._with_clauses_swapped]
        if len(preferences.clauses) < numbers:
            edits += [self._with_a_clause] * 3
        return edits[self._random.integers(len(edits))](preferences)

    def _with_other_order(self, preferences: Preferences) -> Preferences:
        index = int(self._random.integers(len(preferences.leaves)))
        if self._random.random() < P_BORROWED:
            return preferences.with_action(index, self._known_order())
        return preferences.with_action(index, self._other_order(preferences.leaves[index]))

    def _known_order(self) -> Order:
        """Sample an order of one of the best strategies."""
        orders = [order for incumbent in self._incumbents for order in incumbent.best.leaves]
        return orders[self._random.integers(len(orders))]

    def _other_order(self, order: Order) -> Order:
        """Insert, remove or replace a criterion at random, or permute the order."""
        criterion = self._criteria[self._random.integers(len(self._criteria))]
        index = int(self._random.integers(len(order) + 1))
        kept = tuple(each for each in order if each.quantity != criterion.quantity)
        edits = [(*kept[:index], criterion, *kept[index:])]
        if order:
            removed = index % len(order)
            edits.append((*order[:removed], criterion, *order[removed + 1 :]))
        if len(order) > 1:
            edits.append((*order[:removed], *order[removed + 1 :]))
            swapped = list(permutations(order))
            edits.append(swapped[self._random.integers(1, len(swapped))])
        return _without_repetition(edits[self._random.integers(len(edits))])[:MAX_CRITERIA]

    def _with_other_condition(self, preferences: Preferences) -> Preferences:
        index = int(self._random.integers(len(preferences.clauses)))
        if self._random.random() < P_NEW_CONDITION:
            return preferences.with_test(index, 0, self._condition())
        (test,) = preferences.clauses[index].tests
        (term,) = test.terms
        values, sign = sorted(set(self._table.visited[term.feature])), int(term.coefficient)
        rank = values.index(sign * test.constant) + int(self._random.choice(STEPS))
        number = values[min(max(rank, 0), len(values) - 1)]
        return preferences.with_test(index, 0, replace(test, constant=sign * number))

    def _condition(self) -> LinearTest:
        """Sample a condition that a quantity of the table is at least (sign 1) or at most (sign -1) a number."""
        feature = int(self._random.integers(len(self._table.features)))
        values, sign = self._table.visited[feature], int(self._random.choice((1, -1)))
        candidates = [value for value in values if value != values[0 if sign > 0 else -1]]  # not always true
        number = candidates[self._random.integers(len(candidates))]
        return LinearTest((Term(feature, Fraction(sign)),), sign * number)

    def _with_a_clause(self, preferences: Preferences) -> Preferences:
        """Insert a clause with a random condition and another order."""
        index = int(self._random.integers(len(preferences.leaves)))
        before = preferences.leaves[index]
        first = self._criteria[self._random.integers(len(self._criteria))]
        orders = (_without_repetition((first, *before))[:MAX_CRITERIA], self._other_order(before), self._known_order())
        condition = self._condition()
        return preferences.with_clause(index, Clause((condition,), orders[self._random.integers(len(orders))]))

    def _without_a_clause(self, preferences: Preferences) -> Preferences:
        return preferences.without_clause(int(self._random.integers(len(preferences.clauses))))

    def _with_clauses_swapped(self, preferences: Preferences) -> Preferences:
        index = int(self._random.integers(len(preferences.clauses)))
        other = int(self._random.integers(len(preferences.leaves)))
        orders = preferences.leaves
        return preferences.with_action(index, orders[other]).with_action(other, orders[index])


def _without_repetition(order: Sequence[Criterion]) -> Order:
    """Remove criteria whose quantities occur before them."""
    found: dict[Quantity, Criterion] = {}
    for criterion in order:
        found.setdefault(criterion.quantity, criterion)
    return tuple(found.values())


def _standard_errors(gains: F64) -> float:
    """Compute the mean gain in units of its standard error."""
    spread = float(gains.std())
    return float(gains.mean()) / spread * len(gains) ** 0.5 if spread > 0.0 else WORSE - 1.0
