"""Flip a coin as often as you dare; much later there is another way to hold."""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    goal: int = 26  # points that win
    late: int = 20  # points from which on there is the other way


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's
    turn: int  # at risk


def label(rules, state, action):
    return ("flip", "hold", "hold on")[action]


def start(rules):
    return State(0, 0, 0)


def legal(rules, state):
    if state.score + state.turn < rules.goal:
        yield 0
    yield 1
    if state.score > rules.late:
        yield 2


def outcomes(rules, state, action):
    if action == 0:
        yield 0.5, State(state.score, state.rival, state.turn + 1), 0
        yield 0.5, State(state.rival, state.score, 0), 1
    else:
        yield 1.0, State(state.rival, state.score + state.turn, 0), 1


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0
