"""A random cycle of general-sum payoffs: two players in turn stop, or go on, which ends the game half of the time."""

from typing import NamedTuple

players = 2
actions = ("stop", "go on")


class Rules(NamedTuple):
    seed: int = 1
    length: int = 4


class State(NamedTuple):
    place: int = 0
    ended: int = 0


def payoff_range(rules):
    return 0, 1000


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if action == 0:
        yield 1.0, State(state.place, 1), 0
    else:
        yield 0.5, State(state.place, 2), 0
        yield 0.5, State((state.place + 1) % rules.length), 1


def over(rules, state):
    return state.ended > 0


def payoff(rules, state, seat):
    drawn = (rules.seed * 7919 + state.place * 104729 + (2 * state.ended + seat) * 1299709) % 2147483647
    for _ in range(4):
        drawn = (drawn * 48271 + 11) % 2147483647
    return drawn // 1000 % 1001
