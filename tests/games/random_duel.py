"""A random game without chance, for tests: players go from place to place until one that ends it.

Actions lead anywhere, back too; some do not pass the turn on, some pass it twice; ends are won, drawn and lost.
"""

from typing import NamedTuple

players = 2
actions = tuple("abcd")


class Rules(NamedTuple):
    plan: int = 0
    places: int = 500
    ends: int = 20  # percent of the places that end the game


class State(NamedTuple):
    place: int


def _mixed(rules, number):
    """Return a number below a million that looks random."""
    for factor in (7919, 104729, 1299709):
        number = (number * factor + rules.plan * 15485863 + 12345) % 32452843
    return number % 1000000


def start(rules):
    return State(0)


def legal(rules, state):
    for action in range(1 + _mixed(rules, state.place) % 4):  # noqa: UP028  no 'yield from' when compiled
        yield action


def outcomes(rules, state, action):
    draw = _mixed(rules, 11 + 5 * state.place + action)
    passes = (1, 1, 1, 0, 2)[draw % 5]
    yield 1.0, State(_mixed(rules, 7 + 3 * draw + state.place) % rules.places), passes


def over(rules, state):
    return state.place > 0 and _mixed(rules, 3 + state.place) % 100 < rules.ends


def payoff(rules, state):
    return 0.5 * (_mixed(rules, 1 + state.place) % 3)
