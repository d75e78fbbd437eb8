"""Ledge: chance sets two numbers; jump or walk. To jump is right exactly where a + 2 b is at least 12."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("walk", "jump")
WALK, JUMP = range(2)
SETTING, CHOOSING, WON, LOST = range(4)


class Rules(NamedTuple):
    highest: int = 7


class State(NamedTuple):
    a: int
    b: int
    phase: int


def start(rules):
    return State(0, 0, SETTING)


def legal(rules, state):
    if state.phase == SETTING:
        yield CHANCE
    else:
        yield WALK
        yield JUMP


def outcomes(rules, state, action):
    if action == CHANCE:
        for a in range(rules.highest + 1):
            for b in range(rules.highest + 1):
                yield 1 / (rules.highest + 1) ** 2, State(a, b, CHOOSING), 0
        return
    chance = 0.5 + 0.03 * (state.a + 2 * state.b - 11.5) if action == JUMP else 0.5
    yield chance, State(0, 0, WON), 0
    yield 1.0 - chance, State(0, 0, LOST), 0


def over(rules, state):
    return state.phase >= WON


def payoff(rules, state):
    return 1.0 if state.phase == WON else 0.0
