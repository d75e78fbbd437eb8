"""The policy that follows preferences, which are data: other preferences need no new compilation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from komi.arrays import I64
from komi.policies.functions import interpreted
from komi.policies.policy import Policy, PolicyCode
from komi.rules.game import Game
from komi.rules.interface import legal, outcomes, turned
from komi.teaching.features import read_field
from komi.teaching.simulated.observed_quantities import ObservedQuantities
from komi.teaching.simulated.orders import RESOLUTION, Preferences, encode_preferences
from komi.teaching.strategy_rendering import NAME
from komi.typing import PolicyData, Rules, State

INITIAL_CAPACITY = 64  # actions


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
    scores = np.empty(INITIAL_CAPACITY, np.int64)
    best = ties = 0
    for index, action in enumerate(legal(rules, state)):
        score = _score_action(rules, state, action, orders[clause], is_certain[clause], swapped, seats)
        if index == 0 or score > best:
            best, ties = score, 0
        ties += score == best
        if index == len(scores):
            scores = np.concatenate((scores, scores))
        scores[index] = score
    skip, chosen = int(luck * ties), 0
    for index, action in enumerate(legal(rules, state)):
        if scores[index] == best:
            chosen = action
            if skip == 0:
                break
            skip -= 1
    return chosen


def _score_action(
    rules: Rules, state: State, action: int, order: I64, is_certain: bool, swapped: I64, seats: int
) -> int:
    """Compute the score of an action: its expected criteria, rounded to 1 / RESOLUTION, times their weights."""
    totals = np.zeros(len(order))
    for probability, next_state, passes in outcomes(rules, state, action):
        after = next_state
        for _ in range(-passes % seats):
            after = turned(rules, after)
        for i in range(len(order)):
            if order[i, 2] == 0:
                break
            index = swapped[order[i, 1]] if passes % seats else order[i, 1]
            totals[i] += (1.0 if is_certain else probability) * read_field(after, order[i, 0], index)
        if is_certain:
            break
    score = 0
    for i in range(len(order)):
        score += order[i, 2] * int(np.floor(RESOLUTION * totals[i] + 0.5))
    return score
