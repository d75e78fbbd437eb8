"""Snakes and Ladders: the board of Milton Bradley's Chutes and Ladders, raced to square 100 without any choice.

You must land on square 100 exactly; a spin that would lead beyond it is lost.
"""

from typing import NamedTuple

from komi.game import CHANCE

actions = ("spin",)

SNAKES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
END = 100
LEADS_TO = tuple((SNAKES | LADDERS).get(square, square) for square in range(END + 1))


class Rules(NamedTuple):
    players: int = 1  # 1: count the spins; 2: race
    sides: int = 6  # of the spinner


class State(NamedTuple):
    square: int = 0  # where you are
    rival: int = 0  # where the opponent is


def players(rules):
    return rules.players


def limits(rules):
    return Rules(players=(1, 2), sides=(1, 20))


def fields(rules):
    return ("square",) if rules.players == 1 else ("square", "rival")


def objective(rules):
    return "expected spins" if rules.players == 1 else "chance of winning"


aim = "least"


def start(rules):
    return State()


def legal(rules, state):
    yield CHANCE


def outcomes(rules, state, action):
    for spin in range(1, rules.sides + 1):
        square = state.square + spin
        square = LEADS_TO[square] if square <= END else state.square
        if rules.players == 1:
            yield 1 / rules.sides, State(square), 0
        else:
            yield 1 / rules.sides, State(state.rival, square), 1


def over(rules, state):
    return state.square == END or state.rival == END


def payoff(rules, state):
    return 0.0  # the opponent has just arrived; alone only spins count


def reward(rules, state, action, after):
    return 1.0 if rules.players == 1 else 0.0
