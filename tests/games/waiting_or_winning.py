"""Whose turn it is waits for ever, or tosses a coin until it wins, which is as good but for the wait."""

from typing import NamedTuple

actions = ("wait", "toss")
WAIT, TOSS = range(2)


class Rules(NamedTuple):
    seats: int = 2


class State(NamedTuple):
    won: int


def players(rules):
    return rules.seats


def start(rules):
    return State(0)


def legal(rules, state):
    yield WAIT
    yield TOSS


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == WAIT:
        yield 1.0, state, 0
        return
    yield 0.5, state, 0
    yield 0.5, State(1), 0


def over(rules, state):
    return state.won > 0


def payoff(rules, state, seat):
    return 1.0 if seat == 0 else 0.0
