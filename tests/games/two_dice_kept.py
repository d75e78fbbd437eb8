"""States of a moment: two dice, of which the higher or the lower is kept, before the turn passes."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("lower", "higher")


class Rules(NamedTuple):
    goal: int = 9  # points that must be reached exactly, or the score stays


class State(NamedTuple):
    score: int
    rival: int
    lower: int  # 0: not yet rolled
    higher: int


def start(rules):
    return State(0, 0, 0, 0)


def transient(rules, state):
    return state.lower > 0


def legal(rules, state):
    if state.lower == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == CHANCE:
        for lower in range(1, 7):
            yield 1 / 36, State(state.score, state.rival, lower, lower), 0
            for higher in range(lower + 1, 7):
                yield 2 / 36, State(state.score, state.rival, lower, higher), 0
        return
    score = state.score + (state.higher if action else state.lower)
    yield 1.0, State(state.rival, score if score <= rules.goal else state.score, 0, 0), 1


def over(rules, state):
    return state.rival == rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal
