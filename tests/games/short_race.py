"""A short race of two, for tests: chance doubles a turn, which is then played safe or not; a tie is a draw."""

from typing import NamedTuple

players = 2
actions = ("safe", "toss", "rest")
SAFE, TOSS, REST = range(3)
CHANCE = -1


class Rules(NamedTuple):
    turns: int = 4  # of both players together
    head_start: int = 0  # points of the second player


class State(NamedTuple):
    score: int
    rival: int
    turns: int  # left
    factor: int  # 0: chance is next


def start(rules):
    return State(0, rules.head_start, rules.turns, 0)


def legal(rules, state):
    if state.factor == 0:
        yield CHANCE
    else:
        yield SAFE
        yield TOSS
        if state.score > state.rival:
            yield REST


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turns, factor = state
    if action == CHANCE:
        yield 0.25, State(score, rival, turns, 2), 0
        yield 0.75, State(score, rival, turns, 1), 0
    elif action == SAFE:
        yield 1.0, State(rival, score + factor, turns - 1, 0), 1
    elif action == TOSS:
        yield 0.5, State(rival, score + 3 * factor, turns - 1, 0), 1
        yield 0.5, State(rival, score, turns - 1, 0), 1
    else:
        yield 1.0, State(rival, score, turns - 1, 0), 1


def over(rules, state):
    return state.turns == 0


def payoff(rules, state):
    if state.score == state.rival:
        return 0.5
    return 1.0 if state.score > state.rival else 0.0
