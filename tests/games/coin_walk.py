"""A long walk that chance alone decides, who wins is even; its probabilities may be short of 1."""

from typing import NamedTuple

players = 2
actions = ("go on", "walk")


class Rules(NamedTuple):
    steps: int = 10000
    short: float = 4e-10  # of each probability of a half
    back: bool = False  # whether half of the steps lead back


class State(NamedTuple):
    left: int


def start(rules):
    return State(rules.steps)


def legal(rules, state):
    yield 0


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    probability = 0.5 - rules.short
    yield probability, State(state.left - 1), 0
    if state.left == 1:
        yield probability, State(-1), 0
    elif rules.back and state.left < rules.steps:
        yield probability, State(state.left + 1), 0
    else:
        yield probability, State(state.left - 1), 0


def over(rules, state):
    return state.left <= 0


def payoff(rules, state):
    return 0.0 if state.left else 1.0
