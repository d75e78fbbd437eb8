"""A random game over a few places in which both players choose at the same time, or one of them alone, or neither.

In some places a player alone chooses between waiting for ever and going on; actions are often worth the same.
"""

from typing import NamedTuple

players = 2
actions = ("first", "second", "third")
CHANCE = -1
TOGETHER, CHANCE_MOVES = 24, 32  # of the 64 kinds of places those below


class Rules(NamedTuple):
    plan: int = 0
    places: int = 4  # where the game goes on
    ends: int = 3  # places beyond these, where it ends
    waits: int = 16  # actions out of 64 of a player who chooses alone that change nothing


class State(NamedTuple):
    place: int
    chosen: int  # at the same time: 0 nothing yet, or the action of who chose first, from 1 on


def drawn(rules, place, action, solution, question):
    """Return a number from 0 to 63."""
    number = rules.plan * 7919 + place * 613 + action * 101 + solution * 29 + question * 7 + 12345
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64


def start(rules):
    return State(0, 0)


def view(rules, state):
    return State(state.place, min(state.chosen, 1))


def legal(rules, state):
    kind = drawn(rules, state.place, 0, 0, 0)
    if TOGETHER <= kind < CHANCE_MOVES:
        yield CHANCE
        return
    yield 0
    if drawn(rules, state.place, 0, 0, 1 + min(state.chosen, 1)) > 16:
        yield 1
    if drawn(rules, state.place, 0, 0, 3 + min(state.chosen, 1)) > 40:
        yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    place, chosen = state
    together = drawn(rules, place, 0, 0, 0) < TOGETHER
    if together and chosen == 0:
        yield 1.0, State(place, action + 1), 1
        return
    if not together and action >= 0 and drawn(rules, place, action, 0, 5) < rules.waits:
        yield 1.0, state, 0
        return
    likely = (1 + drawn(rules, place, action, chosen, 6) % 4) / 4
    for outcome in range(2):
        probability = 1.0 - likely if outcome else likely
        if probability > 0.0:
            after = State(drawn(rules, place, action, 2 * chosen + outcome, 7) % (rules.places + rules.ends), 0)
            yield probability, after, drawn(rules, place, action, 2 * chosen + outcome, 8) % 2


def over(rules, state):
    return state.place >= rules.places


def payoff(rules, state):
    return (state.place - rules.places) / max(1, rules.ends - 1)
