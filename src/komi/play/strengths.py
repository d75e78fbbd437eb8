"""How strong a game's opponents are against each other: exactly where that can be found, else by playing."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

from komi.evaluation.match import match
from komi.game import Game
from komi.methods.answer import Answer
from komi.play.fairness import fallen
from komi.play.opponents import Opponent, Player, player
from komi.play.table import Table
from komi.policies import named
from komi.progress import Progress, silent

GAMES = 600  # played between two, where there is no exact answer: a multiple of the number of seats
SURE = 1.96  # standard errors to either side that hold the truth 19 times of 20


@dataclass(frozen=True)
class Strength:
    """What one opponent does against another.

    Attributes:
        a, b: their names.
        average: A's share of the wins, the seat drawn by lot; all other seats are B's.
        low, high: where it lies for sure, or, if it was found by playing, 19 times of 20.
        games: how many were played; 0 if it was worked out exactly.
    """

    a: str
    b: str
    average: float
    low: float
    high: float
    games: int


def strengths(
    game: Game, rules: Any, solution: Answer[Any] | None, opponents: Sequence[Opponent], progress: Progress = silent
) -> list[Strength]:
    """Each of the opponents against each that comes before it.

    Args:
        game: the game.
        rules: its rules.
        solution: what `opponents.solved` says of it.
        opponents: from the easiest to the hardest.
        progress: is told how far the work is.
    """
    pairs = [(one, other) for other, one in combinations(opponents, 2)]
    if solution is not None and not solution.counts_plies:
        return [_exact(solution, one, other, progress) for one, other in pairs]
    players = {opponent.name: player(opponent, game, rules, solution) for opponent in opponents}
    return [
        _played(game, rules, (one.name, players[one.name]), (other.name, players[other.name]), progress)
        for one, other in pairs
    ]


def interval(share: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies 19 times of 20, by a share of so many games (Wilson, 1927).

    Shared wins vary less than the wins and losses that they are for: the interval is then wider than it need be.
    """
    spread = SURE * SURE / games
    middle = (share + spread / 2) / (1 + spread)
    width = SURE / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(middle - width, 0.0), min(middle + width, 1.0)


def _exact(solution: Answer[Any], one: Opponent, other: Opponent, progress: Progress) -> Strength:
    found = match(solution, named.find(one.policy, solution), named.find(other.policy, solution), progress=progress)
    low, high = found.average - found.error_bound, found.average + found.error_bound
    return Strength(one.name, other.name, found.average, low, high, 0)


def _played(game: Game, rules: Any, one: tuple[str, Player], other: tuple[str, Player], progress: Progress) -> Strength:
    chance = random.Random(0)
    players = game.players(rules)
    payoffs = []
    for number in range(GAMES):
        progress("playing", number, GAMES)
        seats = [other[1]] * players
        seats[number % players] = one[1]
        payoffs.append(_payoffs(Table(game, rules), seats, chance)[number % players])
    average = sum(payoffs) / GAMES
    low, high = interval(average, GAMES)
    return Strength(one[0], other[0], average, low, high, GAMES)


def _payoffs(table: Table, seats: Sequence[Player], chance: random.Random) -> tuple[float, ...]:
    while table.payoffs is None:
        if table.events:
            table.enter(fallen(table.events, chance.random()).label)
        else:
            assert table.mover is not None
            action = seats[table.mover].choose(table.state, chance.random())
            table.enter(table.game.label(table.rules, table.state, action))
    return table.payoffs
