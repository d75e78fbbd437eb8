"""A duel that may never begin: shoot, and win twice in five times, or wait for the other to."""

from typing import NamedTuple

players = 2
actions = ("shoot", "wait")


class Rules(NamedTuple):
    hits: float = 0.4


class State(NamedTuple):
    shot: int  # by the player who moved last: 0 none, 1 a hit, 2 a miss


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == 1:
        yield 1.0, State(0), 1
        return
    yield rules.hits, State(1), 1
    yield 1.0 - rules.hits, State(2), 1


def over(rules, state):
    return state.shot > 0


def payoff(rules, state):
    return 0.0 if state.shot == 1 else 1.0
