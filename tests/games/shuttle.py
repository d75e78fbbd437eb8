"""A deterministic game that may never end: push a token along a line, out at the far side wins."""

from typing import NamedTuple

players = 2
actions = ("forth", "back")


class Rules(NamedTuple):
    length: int = 5


class State(NamedTuple):
    place: int  # steps to the mover's far side; 0: it is out at the other's


def start(rules):
    return State(rules.length // 2 + 1)


def possible(rules, state):
    return 0 < state.place <= rules.length


def legal(rules, state):
    yield 0
    if state.place < rules.length:
        yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    place = state.place + 1 if action else state.place - 1
    yield 1.0, State(rules.length + 1 - place), 1


def over(rules, state):
    return not 0 < state.place <= rules.length


def payoff(rules, state):
    return 1.0 if state.place == 0 else 0.0
