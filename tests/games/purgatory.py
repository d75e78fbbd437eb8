"""Purgatory: equal coins climb a terrace, a wrong heads loses, a wrong tails falls to the first terrace.

Hansen, Koucky and Miltersen, Winning concurrent reachability games requires doubly-exponential patience, LICS 2009.
"""

from typing import NamedTuple

players = 2
actions = ("tails", "heads")


class Rules(NamedTuple):
    terraces: int = 2


class State(NamedTuple):
    terrace: int = 0
    devil: int = 0  # 1: the devil is to move
    shown: int = 0  # the climber's choice, hidden: 1 tails, 2 heads
    end: int = 0  # 1 heaven, 2 hell


def limits(rules):
    return Rules(terraces=(1, 20))


def start(rules):
    return State()


def view(rules, state):
    return state._replace(shown=min(state.shown, 1))


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if state.devil == 0:
        yield 1.0, State(state.terrace, 1, action + 1, 0), 1
    elif action == state.shown - 1:
        top = state.terrace + 1 == rules.terraces
        yield 1.0, State(0, 0, 0, 1) if top else State(state.terrace + 1), 1
    elif state.shown == 2:
        yield 1.0, State(0, 0, 0, 2), 1
    else:
        yield 1.0, State(0), 1


def over(rules, state):
    return state.end > 0


def payoff(rules, state):
    return 1.0 if state.end == 1 else 0.0
