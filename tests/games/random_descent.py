"""A random game without chance in which play never returns, for tests: players go down from place to place.

Some actions do not pass the turn on, some pass it twice. Payoffs are from -`most` to `most`. Every place has a twin
that is the same but for its number. With `twins` 1 it is an image; with `twins` 2, too, but twins have other payoffs.
"""

from typing import NamedTuple

players = 2
actions = tuple("abcd")


class Rules(NamedTuple):
    plan: int = 0
    places: int = 60
    most: int = 1
    twins: int = 1


class State(NamedTuple):
    place: int
    twin: int


def payoff_range(rules):
    return -rules.most, rules.most


def objective(rules):
    return "expected points"


def start(rules):
    return State(0, 0)


def _mixed(rules, number):
    """Return a number below a million that looks random."""
    for factor in (7919, 104729, 1299709):
        number = (number * factor + rules.plan * 15485863 + 12345) % 32452843
    return number % 1000000


def legal(rules, state):
    for action in range(1 + _mixed(rules, state.place) % 4):  # noqa: UP028  no 'yield from' when compiled
        yield action


def outcomes(rules, state, action):
    draw = _mixed(rules, 11 + 5 * state.place + action)
    passes = (1, 1, 1, 0, 2)[draw % 5]
    twin = (draw // 5 + state.twin) % 2
    yield 1.0, State(min(state.place + 1 + draw // 10 % 9, rules.places), twin), passes


def over(rules, state):
    return state.place == rules.places or (state.place > 0 and _mixed(rules, 3 + state.place) % 5 == 0)


def payoff(rules, state):
    if rules.twins == 2 and state.twin == 1:
        return float(rules.most)
    return float(_mixed(rules, 1 + state.place) % (2 * rules.most + 1) - rules.most)


def symmetries(rules, state):
    yield State(state.place, 1 - state.twin if rules.twins > 0 else state.twin)
