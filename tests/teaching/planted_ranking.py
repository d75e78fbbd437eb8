"""Two Cards: chance shows two cards, and each player in turn takes one of them; who has more in the end wins."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("left", "right")


class Rules(NamedTuple):
    turns: int = 6


class State(NamedTuple):
    mine: int  # what the mover has
    theirs: int
    left: int
    right: int
    shown: int  # whether the cards lie there
    turn: int


def start(rules):
    return State(0, 0, 0, 0, 0, 0)


def legal(rules, state):
    if state.shown:
        yield 0
        yield 1
    else:
        yield CHANCE


def outcomes(rules, state, action):
    if action == CHANCE:
        for left in range(8):
            for right in range(8):
                yield 1 / 64, state._replace(left=left, right=right, shown=1), 0
    else:
        taken = state.left if action == 0 else state.right
        yield 1.0, State(state.theirs, state.mine + taken, 0, 0, 0, state.turn + 1), 1


def over(rules, state):
    return state.turn == rules.turns


def payoff(rules, state):
    if state.mine == state.theirs:
        return 0.5
    return 1.0 if state.mine > state.theirs else 0.0


def turned(rules, state):
    return State(state.theirs, state.mine, state.left, state.right, state.shown, state.turn)
