"""A roll that is likely to lose, and may be put off by both for ever."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
roll = ("die",)
ROLL, WAIT = range(2)


class Rules(NamedTuple):
    inside: bool = True  # whether the state after the throw lies inside a roll


class State(NamedTuple):
    die: int  # 0 before the throw
    won: int  # 1 if the player to move has won, 2 if the other has


def start(rules):
    return State(0, 0)


def legal(rules, state):
    if state.die:
        yield CHANCE
    else:
        yield ROLL
        yield WAIT


def outcomes(rules, state, action):
    if action == WAIT:
        yield 1.0, State(0, 0), 1
    elif action == CHANCE:
        yield 1.0, State(0, 2 if state.die == 3 else 1), 1
    else:
        for die in (1, 2, 3):
            yield 1 / 3, State(die, 0), 0


def transient(rules, state):
    return rules.inside and state.die > 0


def label(rules, state, action):
    return ("roll", "wait")[action]


def over(rules, state):
    return state.won > 0


def payoff(rules, state):
    return 1.0 if state.won == 1 else 0.0
