"""How strong a game's opponents are against each other: exactly where that can be found, else by playing."""

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

from komi.errors import GameError, InputError, SolveError
from komi.evaluation.match import match
from komi.game import Game
from komi.methods.answer import Answer
from komi.play import ranking
from komi.play.fairness import fallen
from komi.play.opponents import BEST, Opponent, Player, levels, player
from komi.play.table import Table
from komi.progress import Progress, silent
from komi.simulation.simulation import simulate

MANY = 2_000_000  # states: a match of more takes too long
SIMULATED = 20_000  # games between two, compiled, where there is no exact answer
PLAYED = 600  # games between two, interpreted, where they cannot be simulated: a multiple of the number of seats
SET = 60  # after so many, a multiple again, they are enough if they say it within
CLOSE = 0.1  # of winning: an interval so narrow tells who is stronger
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
        solution: what `opponents.played_by` says of it.
        opponents: from the easiest to the hardest.
        progress: called during long work; see `komi.progress`.
    """
    players = {opponent.name: player(opponent, game, rules, solution) for opponent in opponents}
    return [
        _strength((one.name, players[one.name]), (other.name, players[other.name]), solution, progress)
        for other, one in combinations(opponents, 2)
    ]


def rank(game: Game, rules: Any, solution: Answer[Any] | None, progress: Progress = silent) -> None:
    """Put the opponents of a game that is met for the first time in the order of how strong they are.

    That is kept, and `opponents.levels` has them in this order from then on. Optimal play need not be tried.

    Raises:
        StorageError: if the cache folder cannot be written to.
    """
    expected = levels(game, rules)
    policies = tuple(opponent.policy for opponent in expected)
    if len(policies) < 2 or ranking.is_kept(game, rules, policies):
        return
    by_policy = {opponent.policy: opponent for opponent in expected}

    @cache
    def seated(policy: str) -> tuple[str, Player]:
        return policy, player(by_policy[policy], game, rules, solution)

    def beats(one: str, other: str) -> bool:
        if BEST in (one, other):
            return one == BEST
        return _strength(seated(one), seated(other), solution, progress).average > 1.0 / game.players(rules)

    try:
        order = ranking.ranked(policies, beats)
    except (InputError, SolveError):  # one of them needs the game solved, and it is not, or a list of all its states
        return
    ranking.keep(game, rules, policies, order)


def interval(share: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies 19 times of 20, by a share of so many games (Wilson, 1927).

    Shared wins vary less than the wins and losses that they are for: the interval is then wider than it need be.
    """
    spread = SURE * SURE / games
    middle = (share + spread / 2) / (1 + spread)
    width = SURE / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(middle - width, 0.0), min(middle + width, 1.0)


Named = tuple[str, Player]


def _strength(one: Named, other: Named, solution: Answer[Any] | None, progress: Progress) -> Strength:
    """One against the other, in the surest way there is."""
    if solution is not None and solution.kind.seats == 2 and not solution.counts_plies and solution.states <= MANY:
        with suppress(SolveError):  # they can go on for ever, or pick by chance
            return _exact(one, other, solution, progress)
    with suppress(GameError, SolveError):  # they can go on for ever, or are asked move by move only
        return _simulated(one, other, progress)
    return _played(one, other, progress)


def _exact(one: Named, other: Named, solution: Answer[Any], progress: Progress) -> Strength:
    found = match(solution, one[1].policy, other[1].policy, progress=progress)
    low, high = found.average - found.error_bound, found.average + found.error_bound
    return Strength(one[0], other[0], found.average, low, high, 0)


def _simulated(one: Named, other: Named, progress: Progress) -> Strength:
    game, rules = one[1].game, one[1].rules
    players = game.players(rules)
    games = SIMULATED // players
    wins = []
    for seat in range(players):
        policies = [other[1].policy] * players
        policies[seat] = one[1].policy
        seen = simulate(game, games, policies=policies, seed=seat, progress=progress, **rules._asdict())
        wins.append(seen.wins[seat].mean)
    average = sum(wins) / players
    return Strength(one[0], other[0], average, *interval(average, games * players), games * players)


def _played(one: Named, other: Named, progress: Progress) -> Strength:
    game, rules = one[1].game, one[1].rules
    chance = random.Random(0)
    players = game.players(rules)
    payoffs: list[float] = []
    while len(payoffs) < PLAYED:
        number = len(payoffs)
        if number and number % SET == 0:
            low, high = interval(sum(payoffs) / number, number)
            if high - low < CLOSE:
                break
        progress("playing", number, PLAYED)
        seats = [other[1]] * players
        seats[number % players] = one[1]
        payoffs.append(_payoffs(Table(game, rules), seats, chance)[number % players])
    games = len(payoffs)
    average = sum(payoffs) / games
    return Strength(one[0], other[0], average, *interval(average, games), games)


def _payoffs(table: Table, seats: Sequence[Player], chance: random.Random) -> tuple[float, ...]:
    while table.payoffs is None:
        if table.events:
            table.enter(fallen(table.events, chance.random()).label)
        else:
            assert table.mover is not None
            action = seats[table.mover].choose(table.state, chance.random())
            table.enter(table.game.label(table.rules, table.state, action))
    return table.payoffs
