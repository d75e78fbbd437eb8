"""A race along a row of places whose states are scattered over all numbers of 120 bits, for tests."""

from typing import NamedTuple

players = 2
actions = ("near", "far")
NEAR, FAR = range(2)
ALL, HALF = (1 << 60) - 1, (1 << 30) - 1
FACTOR = 0x9E3779B97F4A7C1  # odd, so that to multiply by it scatters
INVERSE = pow(FACTOR, -1, 1 << 60)


class Rules(NamedTuple):
    places: int = 300
    chance: bool = True


class State(NamedTuple):
    first: int
    second: int


def limits(rules):
    return Rules(places=(1, 1 << 30), chance=None)


def start(rules):
    return scattered(0)


def times(one, other):
    """Return the last 60 bits of a product, without an intermediate of more than 63 bits."""
    crossed = (one >> 30) * (other & HALF) + (one & HALF) * (other >> 30)
    return (((crossed & HALF) << 30) + (one & HALF) * (other & HALF)) & ALL


def scattered(place):
    return State(times(place, FACTOR), times(place + 12345, INVERSE))


def place_of(state):
    return times(state.first, INVERSE)


def legal(rules, state):
    yield NEAR
    yield FAR


def outcomes(rules, state, action):
    place = place_of(state)
    if action == NEAR:
        yield 1.0, scattered(place + 1), 1
    elif rules.chance:
        yield 0.5, scattered(place + 5), 1
        yield 0.5, scattered(place // 2), 1
    else:
        yield 1.0, scattered(place + 3 if place % 3 else place // 2), 1


def over(rules, state):
    return place_of(state) >= rules.places


def payoff(rules, state):
    return 0.0  # the opponent has just come to the end
