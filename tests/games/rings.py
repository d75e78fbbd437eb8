"""A way to walk, then seven rings of states of very different sizes, for tests: each move leaves a ring half the time.

From a ring with n more behind it the mover wins with probability 1/2 + 3^-(n + 1) / 2, on the way as from the first.
"""

from typing import NamedTuple

players = 2
actions = ("go", "jump")


class Rules(NamedTuple):
    way: int = 9000  # steps before the first ring
    first: int = 9000  # states of the ring that play enters first
    last_but_one: int = 4000
    last: int = 20000


class State(NamedTuple):
    way: int  # steps still to go
    ring: int  # rings behind this one
    place: int


def start(rules):
    return State(rules.way, 6, 0)


def legal(rules, state):
    yield 0
    if state.way == 0:
        yield 1


def outcomes(rules, state, action):
    way, ring, place = state
    if way > 0:
        yield 1.0, State(way - 1, ring, 0), 0
        return
    size = 2000
    if ring == 6:
        size = rules.first
    elif ring == 1:
        size = rules.last_but_one
    elif ring == 0:
        size = rules.last
    yield 0.5, State(0, ring, (place + 1 + action) % size), 1
    yield 0.5, State(0, ring - 1, 0), 0


def over(rules, state):
    return state.ring < 0


def payoff(rules, state):
    return 1.0
