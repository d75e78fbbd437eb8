"""A race over places laid out by a seed: chance, choice, cycles, stalls, ways to win, lose and share."""

from typing import NamedTuple

players = 2
actions = ("left", "right", "ahead")


class Rules(NamedTuple):
    number: int = 1
    places: int = 8  # where the game goes on
    spread: int = 3  # places beyond these, where it ends; none: it never does


class State(NamedTuple):
    place: int


def drawn(rules, place, action, outcome, kind):
    """A number from 0 to 63 for each question."""
    number = rules.number * 7919 + place * 613 + action * 101 + outcome * 29 + kind * 7 + 12345
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64


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
