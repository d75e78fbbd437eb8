"""Waiting: how long textbook chains take to come to their end; for tests."""

from typing import NamedTuple

players = 1
actions = ("step", "stride")
WALK, COUPONS, URNS, SNAKES, CHOICE = range(5)


class Rules(NamedTuple):
    chain: int = WALK
    places: int = 1000
    place: int = 300  # where it begins


class State(NamedTuple):
    place: int


def start(rules):
    return State(rules.place)


def legal(rules, state):
    if rules.chain != CHOICE:
        yield -1
        return
    yield 0
    if 2 <= state.place <= rules.places - 2:
        yield 1


def outcomes(rules, state, action):
    place = state.place
    if rules.chain == COUPONS:
        yield (rules.places - place) / rules.places, State(place + 1), 0
        yield place / rules.places, state, 0
    elif rules.chain == URNS:
        yield (rules.places - place) / rules.places, State(place + 1), 0
        if place > 0:
            yield place / rules.places, State(place - 1), 0
    elif rules.chain == SNAKES:
        for face in range(1, 7):
            yield 1 / 6, State(landed(rules, place, face)), 0
    else:
        step = 2 if action == 1 else 1
        yield 0.5, State(place - step), 0
        yield 0.5, State(place + step), 0


def landed(rules, place, face):
    """Return where a throw leads: a snake or a ladder begins in every fifth square."""
    square = place + face
    if square > rules.places:
        return place
    if square < rules.places and square % 5 == 3:
        return (square * 7919) % rules.places
    return square


def over(rules, state):
    return state.place == rules.places or (rules.chain in (WALK, CHOICE) and state.place == 0)


def payoff(rules, state):
    return 0.0


def reward(rules, state, action, after):
    return 1.0


def aim(rules):
    return "least"


def objective(rules):
    return "expected steps"
