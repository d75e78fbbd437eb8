"""Tug: two players pull a rope, step by step, or pull carefully; for tests."""

from typing import NamedTuple

players = 2
actions = ("pull", "hold", "jerk")


class Rules(NamedTuple):
    length: int = 500
    careful: float = 0.1


class State(NamedTuple):
    ahead: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    yield 1
    if state.ahead % 3 == 0:
        yield 2


def outcomes(rules, state, action):
    gain = (0.5, rules.careful, 0.52)[action]
    still = 0.0 if action != 1 else 1.0 - rules.careful
    yield gain, State(-state.ahead - 1), 1
    yield still, State(-state.ahead), 1
    yield 1.0 - gain - still, State(-state.ahead + 1), 1


def over(rules, state):
    return abs(state.ahead) >= rules.length


def payoff(rules, state):
    return 1.0 if state.ahead >= rules.length else 0.0
