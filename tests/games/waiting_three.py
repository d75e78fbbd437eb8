"""Three players: whose turn it is waits for ever, or wins, which is as good but for the wait."""

from typing import NamedTuple

players = 3
actions = ("wait", "win")
WAIT, WIN = range(2)


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    won: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield WAIT
    yield WIN


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    yield 1.0, State(int(action == WIN)), 0


def over(rules, state):
    return state.won > 0


def payoff(rules, state, seat=0):
    return 1.0 if seat == 0 else 0.0
