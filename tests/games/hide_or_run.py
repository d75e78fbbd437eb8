"""Hide or run: run home while the other has a snowball, or hide and wait; the other throws its only snowball or waits.

Everett, Recursive games, 1957; de Alfaro, Henzinger and Kupferman, Concurrent reachability games, 2007.
"""

from typing import NamedTuple

players = 2
actions = ("hide or wait", "run or throw")


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):  # as the player to move sees it
    thrower: int = 0  # 1: the thrower is to move
    ran: int = 0  # the runner's choice, hidden: 1 hides, 2 runs
    end: int = 0  # 1 the runner is home, 2 the runner is hit


def start(rules):
    return State()


def view(rules, state):
    return state._replace(ran=min(state.ran, 1))


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if state.thrower == 0:
        yield 1.0, State(1, action + 1, 0), 1
    elif state.ran == 1 and action == 0:
        yield 1.0, State(0, 0, 0), 1
    elif state.ran == 2 and action == 1:
        yield 1.0, State(0, 0, 2), 1
    else:
        yield 1.0, State(0, 0, 1), 1


def over(rules, state):
    return state.end > 0


def payoff(rules, state):  # the runner is to move
    return 1.0 if state.end == 1 else 0.0
