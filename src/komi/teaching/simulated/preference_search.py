"""The search for preferences: changes of the best ones so far, each compared with these in the same deals.

A worse change is rejected as soon as the difference is clear, so that most changes cost few games. A better one must
also win more in new deals, since the best of many changes looks better by chance (a sequential test with common random
numbers; S.-H. Kim and B. Nelson, A fully sequential procedure for indifference-zone selection in simulation, ACM
TOMACS 11, 2001). When few untried changes are left, more games are played before a change is rejected.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from komi.progress import Progress
from komi.teaching.simulated.observed_measures import Measure, ObservedMeasures
from komi.teaching.simulated.preferences import MAX_CRITERIA, Condition, Criterion, Order, Preferences

Range = tuple[int, int]
Rates = Callable[[Preferences, Range], NDArray[np.float64]]
"""The payoffs of a strategy in a range of deals."""

FIRST_DEALS = 64  # then twice as many, and so on
DEALS = 1024  # initial number of deals for an undecided change
MAX_DEALS = 1 << 15
WORSE, PROMISING, BETTER, CONFIRMED = -0.8, 0.8, 2.5, 1.0  # standard errors of a difference
LONGER = 8  # factor of the deals for a promising change
PATIENCE = 120  # consecutive changes without a gain, after which the number of deals doubles
FROM_FEWER = 0.1  # probability of a change of the best of as many numbers or fewer
AS_IT_IS = 0.5  # probability that these are tried unchanged
BORROWED = 0.1  # probability that an order is replaced by one of another strategy
ANOTHER = 0.3  # probability that a condition is replaced by a new one
STEPS = (-3, -2, -1, 1, 2, 3)  # of the number in a condition, among the values visited
COUNTING = "searching strategies"


class Incumbent:
    """The best preferences for some number of numbers, and the changes that were tried (hill climbing).

    Attributes:
        best: the preferences.
        won: float64[deals], their payoffs in the first deals.
        deals: the number of deals for an undecided change.
    """

    def __init__(self, first: Preferences) -> None:
        self.begin(first)
        self.deals = DEALS

    def begin(self, best: Preferences) -> None:
        """Restart from these preferences."""
        self.best, self.won = best, np.empty(0)
        self._tried = {best}
        self._failures = 0

    def is_new(self, changed: Preferences) -> bool:
        """Return whether this change was not tried before; if it was, count a failure."""
        if changed in self._tried:
            self._fail()
        return changed not in self._tried

    def failed(self, changed: Preferences) -> None:
        """Record a change without a gain."""
        self._tried.add(changed)
        self._fail()

    def _fail(self) -> None:
        self._failures += 1
        if self._failures >= PATIENCE * self.deals // DEALS and self.deals < MAX_DEALS:
            self.deals *= 2
            self._failures = 0
            self._tried = {self.best}


class PreferenceSearch:
    """The search for the best preferences for each number of numbers.

    Args:
        table: the measures that a player reads off the table.
        rates: plays a range of deals.
        numbers: the greatest number of numbers to remember.
        seed: the seed of the search.
    """

    def __init__(self, table: ObservedMeasures, rates: Rates, numbers: int, seed: int) -> None:
        self._table, self._rates, self._numbers = table, rates, numbers
        self._random = np.random.default_rng(seed)
        self._criteria = [Criterion(measure, sign) for measure in table.results for sign in (1, -1)]
        self._climbs = [Incumbent(Preferences((), ())) for _ in range(numbers + 1)]
        self._fresh = MAX_DEALS  # the first deal that is not played yet

    def look(self, seconds: float, progress: Progress) -> None:
        """Search for `seconds` seconds."""
        begin = time.perf_counter()
        for number in self._turns():
            taken = time.perf_counter() - begin
            progress(COUNTING, min(int(taken), int(seconds)), int(seconds))
            if taken >= seconds:
                return
            self._step(number)

    @property
    def best(self) -> tuple[Preferences, ...]:
        """The best preferences found for each number of numbers or fewer."""
        return tuple(climb.best for climb in self._climbs)

    def _turns(self) -> Iterator[int]:
        """Yield the number of numbers of each step: 0 until gains are small, then 1 and so on, then all in turn."""
        self._climbs[0].begin(self._best_single())
        yield 0
        for number, climb in enumerate(self._climbs):
            if number > 0:
                climb.begin(self._climbs[number - 1].best)
            while climb.deals == DEALS:
                yield number
        while True:
            yield from range(self._numbers + 1)

    def _best_single(self) -> Preferences:
        """Find the single criterion with the highest payoff."""
        singles = [Preferences((), (criterion,)) for criterion in self._criteria]
        return max(singles, key=lambda single: float(self._rates(single, (0, 4 * FIRST_DEALS)).mean()))

    def _step(self, number: int) -> None:
        """Try a change of the best preferences for a number of numbers."""
        climb = self._climbs[number]
        changed = self._changed(climb.best, number)
        if self._random.random() < FROM_FEWER:
            base = self._climbs[self._random.integers(number + 1)].best
            changed = base if self._random.random() < AS_IT_IS else self._changed(base, number)
        if climb.is_new(changed):
            if self._is_better(climb, changed):
                for other in self._climbs[number:]:
                    if other is climb or other.best == climb.best:
                        other.begin(changed)
            else:
                climb.failed(changed)

    def _is_better(self, climb: "Incumbent", changed: Preferences) -> bool:
        """Return whether a change wins more than the best preferences, by a sequential test with a limit of deals."""
        gains, deals = np.empty(0), FIRST_DEALS
        while deals <= climb.deals or (deals <= LONGER * climb.deals and _errors(gains) > PROMISING):
            played = len(gains), deals
            gains = np.append(gains, self._rates(changed, played) - self._won(climb, deals)[played[0] :])
            if _errors(gains) < WORSE:
                return False
            if _errors(gains) > BETTER:
                new = self._fresh, self._fresh + deals
                self._fresh += deals
                return _errors(self._rates(changed, new) - self._rates(climb.best, new)) > CONFIRMED
            deals *= 2
        return False

    def _won(self, climb: "Incumbent", deals: int) -> NDArray[np.float64]:
        """Return the payoffs of the best preferences in each of the first deals."""
        if len(climb.won) < deals:
            climb.won = np.append(climb.won, self._rates(climb.best, (len(climb.won), deals)))
        return climb.won[:deals]

    def _changed(self, preferences: Preferences, numbers: int) -> Preferences:
        """Apply a random change to preferences, with at most `numbers` clauses."""
        edits = [self._with_other_order, self._with_other_order]
        if preferences.clauses:
            edits += [self._with_other_condition, self._without_a_clause, self._with_clauses_swapped]
        if len(preferences.clauses) < numbers:
            edits += [self._with_a_clause] * 3
        return edits[self._random.integers(len(edits))](preferences)

    def _with_other_order(self, preferences: Preferences) -> Preferences:
        place = int(self._random.integers(len(preferences.orders)))
        if self._random.random() < BORROWED:
            return preferences.with_order(place, self._known_order())
        return preferences.with_order(place, self._other_order(preferences.orders[place]))

    def _known_order(self) -> Order:
        """Sample an order of one of the best strategies."""
        orders = [order for climb in self._climbs for order in climb.best.orders]
        return orders[self._random.integers(len(orders))]

    def _other_order(self, order: Order) -> Order:
        """Insert, remove or replace a criterion at random, or permute the order."""
        criterion = self._criteria[self._random.integers(len(self._criteria))]
        place = int(self._random.integers(len(order) + 1))
        kept = tuple(each for each in order if each.measure != criterion.measure)
        edits = [(*kept[:place], criterion, *kept[place:])]
        if order:
            which = place % len(order)
            edits.append((*order[:which], criterion, *order[which + 1 :]))
        if len(order) > 1:
            edits.append((*order[:which], *order[which + 1 :]))
            swapped = list(permutations(order))
            edits.append(swapped[self._random.integers(1, len(swapped))])
        return _plain(edits[self._random.integers(len(edits))])[:MAX_CRITERIA]

    def _with_other_condition(self, preferences: Preferences) -> Preferences:
        place = int(self._random.integers(len(preferences.clauses)))
        condition = preferences.clauses[place][0]
        if self._random.random() < ANOTHER:
            return preferences.with_condition(place, self._condition())
        values = sorted(set(self._table.situations[condition.measure]))
        rank = values.index(condition.number) + int(self._random.choice(STEPS))
        return preferences.with_condition(place, replace(condition, number=values[min(max(rank, 0), len(values) - 1)]))

    def _condition(self) -> Condition:
        measures = list(self._table.situations)
        measure = measures[self._random.integers(len(measures))]
        values, sign = self._table.situations[measure], int(self._random.choice((1, -1)))
        telling = [value for value in values if value != values[0 if sign > 0 else -1]]  # not always true
        return Condition(measure, sign, telling[self._random.integers(len(telling))])

    def _with_a_clause(self, preferences: Preferences) -> Preferences:
        """Insert a clause with a random condition and another order."""
        place = int(self._random.integers(len(preferences.orders)))
        before = preferences.orders[place]
        first = self._criteria[self._random.integers(len(self._criteria))]
        orders = (_plain((first, *before))[:MAX_CRITERIA], self._other_order(before), self._known_order())
        clause = self._condition(), orders[self._random.integers(len(orders))]
        return replace(preferences, clauses=(*preferences.clauses[:place], clause, *preferences.clauses[place:]))

    def _without_a_clause(self, preferences: Preferences) -> Preferences:
        place = int(self._random.integers(len(preferences.clauses)))
        return replace(preferences, clauses=preferences.clauses[:place] + preferences.clauses[place + 1 :])

    def _with_clauses_swapped(self, preferences: Preferences) -> Preferences:
        place = int(self._random.integers(len(preferences.clauses)))
        other = int(self._random.integers(len(preferences.orders)))
        orders = preferences.orders
        return preferences.with_order(place, orders[other]).with_order(other, orders[place])


def _plain(order: Sequence[Criterion]) -> Order:
    """Remove criteria whose measures occur before them."""
    found: dict[Measure, Criterion] = {}
    for criterion in order:
        found.setdefault(criterion.measure, criterion)
    return tuple(found.values())


def _errors(gains: NDArray[np.float64]) -> float:
    """Compute the mean gain in units of its standard error."""
    spread = float(gains.std())
    return float(gains.mean()) / spread * len(gains) ** 0.5 if spread > 0.0 else WORSE - 1.0
