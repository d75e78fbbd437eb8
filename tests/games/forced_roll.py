"""Chance and choice mixed: a coin that the rules force, then a choice between it and a risk."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("keep", "double")
KEEP, DOUBLE = range(2)


class Rules(NamedTuple):
    goal: int = 4  # points that win


class State(NamedTuple):
    score: int
    rival: int
    face: int  # of the coin: 0 not yet flipped, 1 tails, 2 heads


def start(rules):
    return State(0, 0, 0)


def legal(rules, state):
    if state.face == 0:
        yield CHANCE
    else:
        yield KEEP
        yield DOUBLE


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, face = state
    if action == CHANCE:
        yield 0.5, State(score, rival, 1), 0
        yield 0.5, State(score, rival, 2), 0
    elif action == KEEP:
        yield 1.0, State(rival, score + face, 0), 1
    else:
        yield 0.5, State(rival, score + 2 * face, 0), 1
        yield 0.5, State(rival, score, 0), 1


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal
