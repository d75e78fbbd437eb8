"""A race to one hit, for tests: tries may leave all as it is, and walking round leads back in the same turn."""

from typing import NamedTuple

players = 2
actions = ("try", "walk")


class Rules(NamedTuple):
    leaves: float = 0.1  # the probability that walking ends the turn
    nothing: float = 0.5  # the probability that trying does nothing


class State(NamedTuple):
    place: int
    hit: int


def start(rules):
    return State(0, 0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == 1:
        yield 1.0 - rules.leaves, State((state.place + 1) % 3, 0), 0
        yield rules.leaves, state, 1
        return
    yield (1.0 - rules.nothing) / 2, State(state.place, 1), 1
    yield rules.nothing, state, 0
    yield (1.0 - rules.nothing) / 2, state, 1


def over(rules, state):
    return state.hit == 1


def payoff(rules, state):
    return 0.0
