"""Tug: two players pull a rope, step by step, or pull carefully; for tests."""

from typing import NamedTuple

players = 2
actions = ("pull", "hold", "jerk", "doze")


class Rules(NamedTuple):
    length: int = 500
    fair: bool = False  # pull, or doze, which takes ten times as long


class State(NamedTuple):
    ahead: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    if rules.fair:
        yield 3
        return
    yield 1
    if state.ahead % 3 == 0:
        yield 2


def outcomes(rules, state, action):
    gain = (0.5, 0.1, 0.52, 0.05)[action]
    still = (0.0, 0.9, 0.0, 0.9)[action]
    yield gain, State(-state.ahead - 1), 1
    yield still, State(-state.ahead), 1
    yield 1.0 - gain - still, State(-state.ahead + 1), 1


def over(rules, state):
    return abs(state.ahead) >= rules.length


def payoff(rules, state):
    return 1.0 if state.ahead >= rules.length else 0.0
