"""Both players choose a side at the same time, or the first alone chooses between two ways to the same place."""

from typing import NamedTuple

players = 2
actions = ("left", "right")


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    turn: int  # 0: a choice that changes nothing; 1: sides are chosen; 2: the game is over
    chosen: int  # the first side: 0 none yet, 1 left, 2 right
    won: int  # by the player to move at the end


def start(rules):
    return State(0, 0, 0)


def view(rules, state):
    return State(1, min(state.chosen, 1), 0) if state.turn == 1 else state


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if state.turn == 0:
        yield 1.0, State(1, 0, 0), 1
    elif state.chosen == 0:
        yield 1.0, State(1, action + 1, 0), 1
    else:
        yield 1.0, State(2, 0, int(state.chosen != action + 1)), 1


def over(rules, state):
    return state.turn == 2


def payoff(rules, state):
    return float(state.won)
