"""Simultaneous choice again and again: both show nothing or a pebble, and again if they have shown the same.

Who shows the pebble gets 3/4 of the win, the other 1/4.
"""

from typing import NamedTuple

players = 2
actions = ("nothing", "pebble")


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    rival: int  # what the player before has chosen: 0 none yet, 1 nothing, 2 a pebble
    shown: int  # once both have chosen: what the mover has shown, as above


def start(rules):
    return State(0, 0)


def view(rules, state):
    return State(1, 0) if state.rival > 0 and state.shown == 0 else state


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if state.rival == 0:
        yield 1.0, State(action + 1, 0), 1
    elif state.rival == action + 1:
        yield 1.0, State(0, 0), 1
    else:
        yield 1.0, State(action + 1, state.rival), 1


def over(rules, state):
    return state.shown > 0


def payoff(rules, state):
    return 0.75 if state.shown == 2 else 0.25
