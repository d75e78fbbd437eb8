"""A random game of one to three players over a few places, with chances as small as one likes on its cycles."""

from typing import NamedTuple

from plan_numbers import drawn

actions = ("first", "second")
CHANCE = -1


class Rules(NamedTuple):
    plan: int = 0
    seats: int = 2
    places: int = 3  # where the game goes on
    ends: int = 3  # places beyond these, where it ends
    small: float = 0.5**50  # the chance of the first outcome of some actions
    least: bool = False  # whether one player wants the least


class State(NamedTuple):
    place: int


def players(rules):
    return rules.seats


def aim(rules):
    return "least" if rules.least else "most"


def start(rules):
    return State(0)


def legal(rules, state):
    kind = drawn(rules, state.place, 0, 0, 0)
    if kind < 8:
        yield CHANCE
        return
    yield 0
    if kind > 20:
        yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    place = state.place
    likely = (1 + drawn(rules, place, action, 0, 1) % 4) / 4
    is_small = drawn(rules, place, action, 0, 2) < 40
    for outcome in range(2):
        probability = 1.0 - likely if outcome else likely
        if is_small:
            probability = 1.0 - rules.small if outcome else rules.small
        after = drawn(rules, place, action, outcome, 3) % (rules.places + rules.ends)
        if is_small and outcome == 1:
            after = drawn(rules, place, action, outcome, 3) % rules.places
        if probability > 0.0:
            yield probability, State(after), drawn(rules, place, action, outcome, 4) % 4 % (rules.seats + 1)


def over(rules, state):
    return state.place >= rules.places


def payoff(rules, state, seat):
    first = (state.place - rules.places) / max(1, rules.ends - 1)
    return first if seat == 0 else (1.0 - first) / (rules.seats - 1)
