"""A random game over a few places: chance, choice, cycles, stalls, actions that are worth almost the same.

Its outcomes pass the turn on by up to three seats, its ends are worth eighths, and in some places no seat chooses.
"""

from typing import NamedTuple

from plan_numbers import drawn

players = 2
actions = ("first", "second", "third")
CHANCE = -1


class Rules(NamedTuple):
    plan: int = 0
    places: int = 6  # where the game goes on
    ends: int = 3  # places beyond these, where it ends
    stalls: int = 16  # actions out of 64 that change nothing, or nothing but who is to move
    twins: int = 16  # actions out of 64 that are like the one before, but for a little


class State(NamedTuple):
    place: int


def start(rules):
    return State(0)


def legal(rules, state):
    kind = drawn(rules, state.place, 0, 0, 0)
    if kind < 6:
        yield CHANCE
        return
    yield 0
    if kind > 20:
        yield 1
    if kind > 42:
        yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    place = state.place
    if drawn(rules, place, action, 0, 1) < rules.stalls:
        yield 1.0, state, drawn(rules, place, action, 0, 2) % 4
        return
    like = action
    shift = 0.0
    if action > 0 and drawn(rules, place, action, 0, 3) < rules.twins:
        like = action - 1
        shift = 0.5 ** (20 + drawn(rules, place, action, 0, 4) % 40)
    count = 1 + drawn(rules, place, like, 0, 5) % 3
    total = 0
    for outcome in range(count):
        total += 1 + drawn(rules, place, like, outcome, 6) % 4
    for outcome in range(count):
        probability = (1 + drawn(rules, place, like, outcome, 6) % 4) / total
        after = State(drawn(rules, place, like, outcome, 7) % (rules.places + rules.ends))
        passes = drawn(rules, place, like, outcome, 8) % 4
        if outcome == 0 and shift > 0.0:
            yield shift, State(drawn(rules, place, action, 0, 9) % (rules.places + rules.ends)), 1
            yield probability - shift, after, passes
        else:
            yield probability, after, passes


def over(rules, state):
    return state.place >= rules.places


def payoff(rules, state):
    return drawn(rules, state.place, 0, 0, 10) % 9 / 8
