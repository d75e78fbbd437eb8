"""Solitaire: most points in so many turns, each a die to keep or to roll again once."""

from typing import NamedTuple

players = 1
aim = "most"
actions = ("roll", "keep", "again")
ROLL, KEEP, AGAIN = range(3)


class Rules(NamedTuple):
    turns: int = 3


class State(NamedTuple):
    turns: int  # left
    face: int = 0  # 0: not yet rolled; negative: of the turn before


def start(rules):
    return State(rules.turns)


def legal(rules, state):
    if state.face <= 0:
        yield ROLL
    else:
        yield KEEP
        yield AGAIN


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == ROLL:
        for face in range(1, 7):
            yield 1 / 6, State(state.turns, face), 0
    elif action == KEEP:
        yield 1.0, State(state.turns - 1), 0
    else:
        for face in range(1, 7):
            yield 1 / 6, State(state.turns - 1, -face), 0  # the face shows until the next roll


def reward(rules, state, action, after):
    if action == KEEP:
        return float(state.face)
    return float(-after.face) if action == AGAIN else 0.0


def over(rules, state):
    return state.turns == 0


def payoff(rules, state):
    return 0.0
