"""Dare: a game of one to three players that ends after a few turns each, and its exact values by plain recursion."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from komi.rules.game import Game

RULES = '''"""Dare: draw points as often as you dare, at most three times; a third of the draws loses the turn."""

from typing import NamedTuple

from komi.game import CHANCE

actions = ("draw", "hold")
DRAW, HOLD = range(2)


class Rules(NamedTuple):
    players: int = 2
    rounds: int = 2
    endless: bool = False
    least: bool = False


class State(NamedTuple):
    own: int
    next: int
    last: int
    turn: int
    draws: int
    left: int
    coin: int


def players(rules):
    return rules.players


def aim(rules):
    return "least" if rules.least else "most"


def objective(rules):
    return "expected points" if rules.players == 1 else "chance of winning"


def start(rules):
    return State(0, 0, 0, 0, 0, rules.players * rules.rounds, 1)


def legal(rules, state):
    if state.coin:
        yield CHANCE
        return
    if state.draws < 3:
        yield DRAW
    yield HOLD


def outcomes(rules, state, action):
    own, next, last, turn, draws, left, coin = state
    if action == CHANCE:  # one more point for a head at the start
        yield 0.5, State(own, next, last, 1, draws, left, 0), 0
        yield 0.5, State(own, next, last, 0, draws, left, 0), 0
        return
    if action == DRAW:
        yield 1 / 3, passed(rules, state, 0), 1
        for points in (1, 3):
            yield 1 / 3, State(own, next, last, turn + points, draws + 1, left, 0), 0
        return
    yield 1.0, passed(rules, state, turn), 1


def passed(rules, state, points):
    own, next, last, turn, draws, left, coin = state
    own += 0 if rules.players == 1 else points
    left -= 0 if rules.endless else 1
    if rules.players == 1:
        return State(own, 0, 0, 0, 0, left, 0)
    if rules.players == 2:
        return State(next, own, 0, 0, 0, left, 0)
    return State(next, last, own, 0, 0, left, 0)


def reward(rules, state, action, after):
    return float(state.turn) if rules.players == 1 and action == HOLD else 0.0


def over(rules, state):
    return state.left == 0


def payoff(rules, state, seat):
    if rules.players == 1:
        return 0.0
    scores = (state.own, state.next, state.last)
    if rules.players == 3:  # without ties between actions, which more than two players could break in several ways
        return (5 + scores[seat] ** 2) / (15 + scores[0] ** 2 + scores[1] ** 2 + scores[2] ** 2)
    best = max(scores[0], scores[1], scores[2])
    count = 0
    for other in range(rules.players):
        count += scores[other] == best
    return 1.0 / count if scores[seat] == best else 0.0
'''


def write(folder: Path) -> Path:
    path = folder / "dare.py"
    path.write_text(RULES)
    return path


def exact_values(game: Game, rules: Any) -> Callable[[Any], dict[int, float]]:
    """Return a function that computes the mover's value after each action of a state, if all play for themselves."""
    seats, sign = game.players(rules), -1.0 if game.aim(rules) == "least" else 1.0

    def after(state: Any, action: int) -> list[float]:
        """Return each seat's payoff, counted from the mover."""
        total = [0.0] * seats
        for chance, following, passes in game.outcomes(rules, state, action):
            result = values(following)
            for seat in range(seats):
                total[seat] += chance * result[(seat - passes) % seats]
            if seats == 1:
                total[0] += chance * game.part("reward")(rules, state, action, following)
        return total

    @cache
    def values(state: Any) -> list[float]:
        if game.part("over")(rules, state):
            return list(game.shares(rules, state))
        options = [after(state, action) for action in game.part("legal")(rules, state)]
        return max(options, key=lambda option: sign * option[0])

    return lambda state: {action: after(state, action)[0] for action in game.part("legal")(rules, state)}
