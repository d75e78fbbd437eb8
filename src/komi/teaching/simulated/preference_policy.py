"""The policy that follows preferences, which are data: other preferences need no new compilation."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from komi.game import Game
from komi.policies.functions import interpreted
from komi.policies.policy import Policy, PolicyCode
from komi.rules.interface import legal, outcomes, turned
from komi.teaching.simulated.observed_measures import ObservedMeasures, measured
from komi.teaching.simulated.preferences import PARTS, Preferences

NAME = "by_the_card"
ROOM = 64  # initial capacity, in actions


@dataclass(frozen=True, eq=False)
class PreferencePolicy(Policy):
    """A policy that takes the action that preferences rank highest; ties are broken uniformly at random.

    Attributes:
        preferences: the strategy.
        table: the measures that a player reads off the table.
        game: the game.
        seats: the number of players.
    """

    preferences: Preferences
    table: ObservedMeasures
    game: Game
    seats: int
    name: str = NAME

    @cached_property
    def carried(self) -> tuple[Any, ...]:
        """The strategy as arrays for compiled code."""
        return (*self.preferences.rows(self.table), self.table.swapped(self.game), self.seats)

    def code(self) -> PolicyCode:
        """Return the compiled call, which ranks the actions."""
        return PolicyCode(_follow, self.carried)

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample one of the actions with the highest rank."""
        return int(interpreted(_follow, game)(rules, state, luck, self.carried))


def _follow(rules: Any, state: Any, luck: float, carried: Any) -> int:
    """Sample one of the actions with the highest rank."""
    conditions, orders, sure, swapped, seats = carried
    clause = 0
    while clause < len(conditions) and not (
        conditions[clause, 2] * measured(state, conditions[clause, 0], conditions[clause, 1]) >= conditions[clause, 3]
    ):
        clause += 1
    likings = np.empty(ROOM, np.int64)
    best = ties = 0
    for place, action in enumerate(legal(rules, state)):
        liking = _liking(rules, state, action, orders[clause], sure[clause], swapped, seats)
        if place == 0 or liking > best:
            best, ties = liking, 0
        ties += liking == best
        if place == len(likings):
            likings = np.concatenate((likings, likings))
        likings[place] = liking
    skip, chosen = int(luck * ties), 0
    for place, action in enumerate(legal(rules, state)):
        if likings[place] == best:
            chosen = action
            if skip == 0:
                break
            skip -= 1
    return chosen


def _liking(rules: Any, state: Any, action: int, order: Any, sure: bool, swapped: Any, seats: int) -> int:
    """Compute the rank of an action: its expected criteria, rounded to 1 / PARTS, times their weights."""
    totals = np.zeros(len(order))
    for probability, led, passes in outcomes(rules, state, action):
        after = led
        for _ in range(-passes % seats):
            after = turned(rules, after)
        for i in range(len(order)):
            if order[i, 2] == 0:
                break
            place = swapped[order[i, 1]] if passes % seats else order[i, 1]
            totals[i] += (1.0 if sure else probability) * measured(after, order[i, 0], place)
        if sure:
            break
    liking = 0
    for i in range(len(order)):
        liking += order[i, 2] * int(np.floor(PARTS * totals[i] + 0.5))
    return liking
