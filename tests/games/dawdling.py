"""Dawdling: two players throw two dice, one after the other, and pull a rope by what they show; for tests."""

from typing import NamedTuple

players = 2
actions = ("throw", "pull", "let go")
roll = ("die",)


class Rules(NamedTuple):
    length: int = 100


class State(NamedTuple):
    ahead: int
    die: int  # 0: not thrown yet


def start(rules):
    return State(0, 0)


def transient(rules, state):
    return state.die > 0


def legal(rules, state):
    if state.die == 0:
        yield 0
    else:
        yield 1
        yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == 0:
        yield 0.5, State(state.ahead, 1), 0
        yield 0.25, State(state.ahead, 2), 0
        yield 0.25, State(state.ahead, 3), 0
        return
    step = 0 if action == 2 else 1 if state.die == 1 else -1
    yield 1.0, State(-state.ahead - step, 0), 1


def over(rules, state):
    return abs(state.ahead) >= rules.length


def payoff(rules, state):
    return 1.0 if state.ahead >= rules.length else 0.0
