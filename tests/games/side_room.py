"""A throw wins one time in three; off the way lies a room in which both can sleep for ever."""

from typing import NamedTuple

players = 2
actions = ("throw", "sleep", "enter")
THROW, SLEEP, ENTER = range(3)
ON_THE_WAY, IN_THE_ROOM, WON = range(3)


class Rules(NamedTuple):
    sides: int = 3


class State(NamedTuple):
    place: int


def start(rules):
    return State(ON_THE_WAY)


def legal(rules, state):
    yield THROW
    yield SLEEP if state.place == IN_THE_ROOM else ENTER


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == THROW:
        yield 1 / rules.sides, State(WON), 1
        yield 1 - 1 / rules.sides, state, 1
    else:
        yield 1.0, State(IN_THE_ROOM), 1


def over(rules, state):
    return state.place == WON


def payoff(rules, state):
    return 0.0  # the opponent has just won


def throws(rules, state):
    return SLEEP if state.place == IN_THE_ROOM else THROW


def enters(rules, state):
    return SLEEP if state.place == IN_THE_ROOM else ENTER
