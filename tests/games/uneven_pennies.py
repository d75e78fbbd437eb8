"""Matching pennies for uneven stakes: equal sides win for the player who chooses first, one of the sides only half.

The matrix of the first player's winning probabilities is [[1, 0], [0, 1/2]] at stake 0, and [[1/2, 0], [0, 1]] at stake
1: both players show heads with probability 1/3 and 2/3, and the first wins 1/3.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("heads", "tails")


class Rules(NamedTuple):
    stakes: int = 2  # chance draws one of so many stakes


class State(NamedTuple):
    drawn: int = 0  # 1 after the stake was drawn
    stake: int = 0
    chosen: int = 0  # by the first player: 1 heads, 2 tails
    guess: int = 0  # by the second


def limits(rules):
    return Rules(stakes=(1, 2))


def start(rules):
    return State()


def view(rules, state):
    return state._replace(chosen=1) if state.chosen > 0 and state.guess == 0 else state


def legal(rules, state):
    if state.drawn == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if action == CHANCE:
        for stake in range(rules.stakes):
            yield 1 / rules.stakes, State(1, stake), 0
    elif state.chosen == 0:
        yield 1.0, state._replace(chosen=action + 1), 1
    else:
        yield 1.0, state._replace(guess=action + 1), 1


def over(rules, state):
    return state.guess > 0


def payoff(rules, state):
    """Return the first player's payoff."""
    if state.guess != state.chosen:
        return 0.0
    return 1.0 if state.chosen == 1 + state.stake else 0.5
