"""Both actions are the same toss of a coin for a point."""

from typing import NamedTuple

players = 2
actions = ("left", "right")


class Rules(NamedTuple):
    goal: int = 4  # points that win


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's


def start(rules):
    return State(0, 0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 0.5, State(state.rival, state.score + 1), 1
    yield 0.5, State(state.rival, state.score), 1


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0
