"""A pile that shrinks by one with each move, for tests: who takes the last wins, however long it takes."""

from typing import NamedTuple

players = 2
actions = ("take",)


class Rules(NamedTuple):
    pile: int = 300


class State(NamedTuple):
    pile: int


def start(rules):
    return State(rules.pile)


def legal(rules, state):
    yield 0


def outcomes(rules, state, action):
    yield 1.0, State(state.pile - 1), 1


def over(rules, state):
    return state.pile == 0


def payoff(rules, state):
    return 0.0
