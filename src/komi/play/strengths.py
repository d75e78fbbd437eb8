"""The strengths of a game's opponents against each other: exact where possible, else by simulation."""

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from komi.errors import GameError, InputError, SolveError
from komi.evaluation.average import evaluate_average_match
from komi.evaluation.two_player import match_two_player
from komi.play import ranking
from komi.play.fairness import sample_event
from komi.play.opponent_players import Player, create_player
from komi.play.opponents import OPTIMAL, Opponent, available, levels
from komi.play.table import Table
from komi.policies.named import is_race_to_goal
from komi.policies.searchers_by_name import is_searcher
from komi.progress import Progress, silent
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.simulation.intervals import confidence_interval
from komi.simulation.simulation import simulate
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_STATES = 2_000_000  # states; a match with more takes too long
SIMULATED_GAMES = 20_000  # games between two, compiled, if there is no exact result
PLAYED_GAMES = 600  # games between two, interpreted, if they cannot be compiled: a multiple of the number of seats
HELD_TWENTIETHS = (2, 3, 4, 5, 6)  # of the goal: the turn totals at which the rungs of a race hold
BATCH = 60  # stop after a multiple of this number if the interval is narrower than
NARROW = 0.1  # of winning: an interval this narrow shows who is stronger


@dataclass(frozen=True)
class Strength:
    """The result of one opponent against another.

    Attributes:
        a, b: their names.
        average: A's share of the wins, or its payoff in a game with a `payoff_range`, or per action in one without an
            end, averaged over A's seats; all other seats are B's.
        low, high: proved bounds of it, or, if it was simulated, a 95 % confidence interval.
        games: the number of games played; 0 if the result is exact.
    """

    a: str
    b: str
    average: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Rung:
    """A policy on the ladder of a game, by what it gives away.

    Attributes:
        policy: its name.
        opponent: the name of the opponent that plays it; None if the game offers none.
        loss: what it gives away in a game against optimal play, averaged over the seats: in probability of winning, or
            in the payoff of a game with a `payoff_range`.
        error: a proved bound on the error of `loss`, or, if it was simulated, half of a 95 % confidence interval.
    """

    policy: str
    opponent: str | None
    loss: float
    error: float


def strengths(
    game: Game, rules: Rules, solution: Solution[Any] | None, opponents: Sequence[Opponent], progress: Progress = silent
) -> list[Strength]:
    """Compute the strength of each opponent against each before it, but of none that searches: that takes too long.

    Args:
        game: the game.
        rules: its rules.
        solution: the solution returned by `opponent_players.solve_for_opponents`.
        opponents: from the easiest to the hardest.
        progress: progress callback, called during long work; see `komi.progress`.
    """
    opponents = [opponent for opponent in opponents if not is_searcher(opponent.policy)]
    players = [(opponent.name, create_player(opponent, game, rules, solution)) for opponent in opponents]
    return [_strength(one, other, solution, progress) for other, one in combinations(players, 2)]


def ladder(game: Game, rules: Rules, solution: Solution[Any], progress: Progress = silent) -> list[Rung]:
    """Measure what policies from careless to perfect give away: random play, holding at round totals, and opponents.

    Args:
        game: the game, for two players or more.
        rules: its rules.
        solution: its solution.
        progress: progress callback, called during long work; see `komi.progress`.

    Returns:
        The rungs, the lowest first; the last one is optimal play. None if players do not affect each other, or
        their interests need not be opposed.
    """
    if solution.rules != rules or not solution.kind.is_opposed:
        return []
    offered = {opponent.policy: opponent for opponent in available(game, rules) if not is_searcher(opponent.policy)}
    holds = {max(rules.goal * part // 20, 1) for part in HELD_TWENTIETHS} if is_race_to_goal(game, rules) else set()
    named = ["random", *(f"hold-at:{total}" for total in sorted(holds))]
    policies = {name: Opponent(name, name, "", name) for name in named if name not in offered} | offered
    best = OPTIMAL, create_player(Opponent(OPTIMAL, OPTIMAL, "", OPTIMAL), game, rules, solution)
    rungs = [Rung(OPTIMAL, offered[OPTIMAL].name if OPTIMAL in offered else None, 0.0, 0.0)]
    even = game.payoff_scale(rules).payoff(1.0 / game.players(rules))
    for policy, opponent in policies.items():
        if policy != OPTIMAL:
            found = _strength((policy, create_player(opponent, game, rules, solution)), best, solution, progress)
            name = opponent.name if policy in offered else None
            loss = max(even - found.average, 0.0)  # a simulated one can be below
            rungs.append(Rung(policy, name, loss, (found.high - found.low) / 2.0))
    return sorted(rungs, key=lambda rung: (rung.policy == OPTIMAL, -rung.loss))


def rank(game: Game, rules: Rules, solution: Solution[Any] | None, progress: Progress = silent) -> None:
    """Measure the strengths of a new game's opponents, and store their order.

    `opponents.levels` returns them in this order from then on. Optimal play needs no measurement, and opponents that
    search stay where they are: games with them take too long.

    Raises:
        StorageError: if the cache folder cannot be written to.
    """
    expected = levels(game, rules)
    policies = tuple(opponent.policy for opponent in expected)
    if len(policies) < 2 or ranking.is_cached(game, rules, policies):
        return
    by_policy = {opponent.policy: opponent for opponent in expected}

    @cache
    def named(policy: str) -> tuple[str, Player]:
        return policy, create_player(by_policy[policy], game, rules, solution)

    def beats(one: str, other: str) -> bool:
        if OPTIMAL in (one, other):
            return one == OPTIMAL
        if is_searcher(one) or is_searcher(other):
            return policies.index(one) > policies.index(other)
        even = game.payoff_scale(rules).payoff(1.0 / game.players(rules))
        return _strength(named(one), named(other), solution, progress).average > even

    try:
        order = ranking.order_by_strength(policies, beats)
    except (InputError, SolveError):  # an opponent needs a solution that does not exist, or a list of all states
        return
    ranking.store(game, rules, policies, order)


Named = tuple[str, Player]


def _strength(one: Named, other: Named, solution: Solution[Any] | None, progress: Progress) -> Strength:
    """Compute the strength of one against the other by the most accurate method available."""
    is_zero_sum = solution is not None and solution.kind.seats == 2 and solution.kind.is_opposed
    if solution is not None and is_zero_sum and not solution.has_plies and solution.states <= MAX_STATES:
        with suppress(SolveError):  # play may never end, or actions are random
            return _match_exactly(one, other, solution, progress)
    with suppress(GameError, SolveError):  # play may never end, or the policies cannot be compiled
        return _simulate_match(one, other, progress)
    return _play_match(one, other, progress)


def _match_exactly(one: Named, other: Named, solution: Solution[Any], progress: Progress) -> Strength:
    evaluate = evaluate_average_match if solution.kind.average else match_two_player
    found = evaluate(solution, one[1].policy, other[1].policy, progress=progress)
    low, high = found.average - found.error_bound, found.average + found.error_bound
    return Strength(one[0], other[0], found.average, low, high, 0)


def _simulate_match(one: Named, other: Named, progress: Progress) -> Strength:
    game, rules = one[1].game, one[1].rules
    players = game.players(rules)
    games = SIMULATED_GAMES // players
    wins = []
    for seat in range(players):
        policies = [other[1].policy] * players
        policies[seat] = one[1].policy
        seen = simulate(game, games, policies=policies, seed=seat, progress=progress, **keywords(rules))
        wins.append(seen.scale.share(seen.payoffs[seat].mean))
    return _estimated(one, other, sum(wins) / players, games * players)


def _play_match(one: Named, other: Named, progress: Progress) -> Strength:
    game, rules = one[1].game, one[1].rules
    chance = random.Random(0)
    players = game.players(rules)
    payoffs: list[float] = []
    while len(payoffs) < PLAYED_GAMES:
        number = len(payoffs)
        if number and number % BATCH == 0:
            low, high = confidence_interval(sum(payoffs) / number, number)
            if high - low < NARROW:
                break
        progress("playing", number, PLAYED_GAMES)
        seats = [other[1]] * players
        seats[number % players] = one[1]
        payoff = _play_game(Table(game, rules), seats, chance)[number % players]
        payoffs.append(game.payoff_scale(rules).share(payoff))
    return _estimated(one, other, sum(payoffs) / len(payoffs), len(payoffs))


def _estimated(one: Named, other: Named, share: float, games: int) -> Strength:
    """Create the strength from the mean of the payoffs of some games, mapped to 0 to 1."""
    payoff = one[1].game.payoff_scale(one[1].rules).payoff
    low, high = confidence_interval(share, games)
    return Strength(one[0], other[0], payoff(share), payoff(low), payoff(high), games)


def _play_game(table: Table, seats: Sequence[Player], chance: random.Random) -> tuple[float, ...]:
    while table.payoffs is None:
        if table.events:
            table.enter(sample_event(table.events, chance.random()).label)
        else:
            assert table.mover is not None
            action = seats[table.mover].choose(table.state, chance.random())
            table.enter(table.game.label(table.rules, table.state, action))
    return table.payoffs
