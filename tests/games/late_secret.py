"""A public number, a secret card for the first player, and one bet; before them chance takes some idle steps."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("pass", "bet")


class Rules(NamedTuple):
    faces: int = 150
    idle: int = 0  # steps before the number
    lost: float = 0.0  # of the probability of each of them


class State(NamedTuple):
    step: int = 0  # from here on: 0 the number, 1 the card, 2 the first player, 3 the second, 4 the end
    waited: int = 0
    number: int = 0
    card: int = 0
    result: int = 0  # quarters of a win to the player to move


def start(rules):
    return State()


def legal(rules, state):
    if state.step < 2:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    step, waited, number, card, _ = state
    if waited < rules.idle:
        yield 1.0 - rules.lost, state._replace(waited=waited + 1), 0
    elif step == 0:
        for face in range(1, rules.faces + 1):
            yield 1 / rules.faces, State(1, waited, face), 0
    elif step == 1:
        for each in range(2):
            yield 1 / 2, State(2, waited, number, each), 0
    elif step == 2 and action == 0:
        yield 1.0, State(4, waited, number, 0, 2), 1
    elif step == 2:
        yield 1.0, State(3, waited, number, card), 1
    else:
        yield 1.0, State(4, waited, number, 0, 3 if action == 0 else 4 * card), 1


def over(rules, state):
    return state.step == 4


def payoff(rules, state):
    return state.result / 4


def view(rules, state):
    return state._replace(card=0) if state.step == 3 else state


def turned(rules, state):
    return state
