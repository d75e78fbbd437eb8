"""A random game over a few places in which both players choose at once, and often nothing happens: one wins in the end.

Many of these games are won with every probability below 1, and by no strategy for sure.
"""

from typing import NamedTuple

players = 2
actions = ("first", "second", "third")
WON, LOST = -1, -2  # by the player who chooses first


class Rules(NamedTuple):
    plan: int = 0
    places: int = 2


class State(NamedTuple):  # as the player to move sees it
    place: int = 0
    chosen: int = 0  # the choice of the other player, hidden: 0 none yet, or the action, from 1 on
    winner: int = 0  # 1 the player who chooses first, 2 the other


def drawn(rules, place, number):
    """Return a number from 0 to 63."""
    value = rules.plan * 7919 + place * 613 + number * 29 + 12345
    for _ in range(3):
        value = (value * 1103515245 + 12345) % 2147483648
        value ^= value >> 11
    return (value >> 7) % 64


def choices(rules, place, second):
    return 2 + (drawn(rules, place, 40 + second) < 12)


def after(rules, place, one, other, coin):
    """Return where two actions lead: a place, WON or LOST."""
    value = drawn(rules, place, 6 * one + 2 * other + coin)
    if value < 16:
        return WON
    if value < 32:
        return LOST
    return value % rules.places


def start(rules):
    return State()


def view(rules, state):
    return state._replace(chosen=min(state.chosen, 1))


def legal(rules, state):
    for action in range(choices(rules, state.place, int(state.chosen > 0))):  # noqa: UP028  as a game file may say it
        yield action


def outcomes(rules, state, action):
    if state.chosen == 0:
        yield 1.0, State(state.place, action + 1), 1
        return
    for coin in range(2):
        place = after(rules, state.place, state.chosen - 1, action, coin * (drawn(rules, state.place, 50) < 16))
        yield 0.5, State(max(place, 0), 0, max(-place, 0)), 1


def over(rules, state):
    return state.winner > 0


def payoff(rules, state):
    return 1.0 if state.winner == 1 else 0.0
