"""Four at a table: on a 1 or 2 the turn passes on by so many seats, a 3 wins."""

from typing import NamedTuple

players = 4
actions = ("roll",)


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    won: int  # 1 when a player has; the turn has passed on to the next


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    yield 1 / 3, State(0), 1
    yield 1 / 3, State(0), 2
    yield 1 / 3, State(1), 3


def over(rules, state):
    return state.won == 1


def payoff(rules, state, seat):
    return 1.0 if seat == 1 else 0.0  # the turn has passed on by three seats of four: the winner is next
