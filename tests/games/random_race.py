"""A race over places laid out by a plan: chance, choice, cycles, stalls, ways to win, lose and share."""

from typing import NamedTuple

from plan_numbers import drawn

players = 2
actions = ("left", "right", "ahead")


class Rules(NamedTuple):
    plan: int = 1
    places: int = 8  # where the game goes on
    spread: int = 3  # places beyond these, where it ends; none: it never does


class State(NamedTuple):
    place: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    if drawn(rules, state.place, 0, 0, 0) > 20:
        yield 1
    if drawn(rules, state.place, 0, 0, 0) > 42:
        yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    count = 1 + drawn(rules, state.place, action, 0, 1) % 3
    total = 0
    for outcome in range(count):
        total += 1 + drawn(rules, state.place, action, outcome, 2) % 4
    for outcome in range(count):
        weight = 1 + drawn(rules, state.place, action, outcome, 2) % 4
        place = drawn(rules, state.place, action, outcome, 3) % (rules.places + rules.spread)
        passes = drawn(rules, state.place, action, outcome, 4) % 3
        yield weight / total, State(place), passes


def over(rules, state):
    return state.place >= rules.places


def payoff(rules, state):
    return drawn(rules, state.place, 0, 0, 5) % 3 / 2
