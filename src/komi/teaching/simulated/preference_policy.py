"""The policy that follows preferences, which are data: other preferences need no new compilation."""

import math
from dataclasses import dataclass
from functools import cached_property

from komi.arrays import I64
from komi.jit.specialization import always_inline
from komi.policies.functions import interpreted
from komi.policies.policy import Policy, PolicyCode
from komi.rules.game import Game
from komi.rules.interface import legal, outcomes, turned
from komi.teaching.features import read_field
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import RESOLUTION, Preferences, encode_preferences
from komi.teaching.strategy_rendering import NAME
from komi.typing import PolicyData, Rules, State

REMEMBERED = 63  # actions, whose scores are computed once


@dataclass(frozen=True, eq=False)
class RankingPolicy(Policy):
    """A policy that takes the action that preferences rank highest; ties are broken uniformly at random.

    Attributes:
        preferences: the strategy.
        table: the quantities that a player reads off the table.
        game: the game.
        seats: the number of players.
    """

    preferences: Preferences
    table: ObservedQuantities
    game: Game
    seats: int
    name: str = NAME

    @cached_property
    def data(self) -> PolicyData:
        """The strategy as arrays for compiled code."""
        return (*encode_preferences(self.preferences, self.table), self.table.swapped_fields(self.game), self.seats)

    def code(self) -> PolicyCode:
        """Return the compiled call, which scores the actions."""
        return PolicyCode(_follow, self.data)

    def choose(self, game: Game, rules: Rules, state: State, luck: float) -> int:
        """Sample one of the actions with the highest score."""
        return int(interpreted(_follow, game)(rules, state, luck, self.data))


def _follow(rules: Rules, state: State, luck: float, data: PolicyData) -> int:
    """Sample one of the actions with the highest score."""
    conditions, orders, is_certain, swapped, seats = data
    clause = 0
    while clause < len(conditions) and not (
        conditions[clause, 2] * read_field(state, conditions[clause, 0], conditions[clause, 1]) >= conditions[clause, 3]
    ):
        clause += 1
    best = ties = are_best = 0
    for index, action in enumerate(legal(rules, state)):
        score = _score_action(rules, state, action, orders[clause], is_certain[clause], swapped, seats)
        if index == 0 or score > best:
            best, ties, are_best = score, 0, 0
        if score == best:
            ties += 1
            are_best |= 1 << index if index < REMEMBERED else 0
    skip, chosen = int(luck * ties), 0
    for index, action in enumerate(legal(rules, state)):
        if index < REMEMBERED:
            is_best = are_best >> index & 1 > 0
        else:
            score = _score_action(rules, state, action, orders[clause], is_certain[clause], swapped, seats)
            is_best = score == best
        if is_best:
            chosen = action
            if skip == 0:
                break
            skip -= 1
    return chosen


def _score_action(
    rules: Rules, state: State, action: int, order: I64, is_certain: bool, swapped: I64, seats: int
) -> int:
    """Compute the score of an action: its expected criteria, rounded to 1 / RESOLUTION, times their weights."""
    first = second = third = 0.0
    for probability, next_state, passes in outcomes(rules, state, action):
        after = next_state
        for _ in range(-passes % seats):
            after = turned(rules, after)
        weight = 1.0 if is_certain else probability
        is_other = passes % seats > 0
        first += weight * _result(after, order[0], swapped, is_other)
        if order[1, 2] != 0:
            second += weight * _result(after, order[1], swapped, is_other)
        if order[2, 2] != 0:
            third += weight * _result(after, order[2], swapped, is_other)
        if is_certain:
            break
    return _weighted(first, order[0]) + _weighted(second, order[1]) + _weighted(third, order[2])


@always_inline
def _result(after: State, criterion: I64, swapped: I64, is_other: bool) -> int:
    """Return the quantity of a criterion in the state after an action."""
    return read_field(after, criterion[0], swapped[criterion[1]] if is_other else criterion[1])


@always_inline
def _weighted(total: float, criterion: I64) -> int:
    """Return the expected result of a criterion, rounded to 1 / RESOLUTION, times its weight."""
    return int(criterion[2]) * math.floor(RESOLUTION * total + 0.5)
