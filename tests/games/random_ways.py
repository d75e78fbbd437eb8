"""Random ways through places that lead to an end, or to hide-or-run with one player or the other as the runner."""

from typing import NamedTuple

players = 2
actions = ("first", "second")


class Rules(NamedTuple):
    plan: int = 0
    places: int = 6  # then two of hide-or-run, and two where a player has won


class State(NamedTuple):  # as the player to move sees it
    place: int = 0
    mover: int = 0
    ran: int = 0  # the choice of the runner, hidden: 1 hides, 2 runs


def drawn(rules, place, number):
    """Return a number from 0 to 63."""
    value = rules.plan * 7919 + place * 613 + number * 29 + 12345
    for _ in range(3):
        value = (value * 1103515245 + 12345) % 2147483648
        value ^= value >> 11
    return (value >> 7) % 64


def chooser(rules, place):
    """Return who chooses in a place: a player, or 2 for chance."""
    if place >= rules.places:
        return (place - rules.places) % 2
    return drawn(rules, place, 0) % 3


def after(rules, place, action):
    """Return where an action, or chance, leads."""
    return place + 1 + drawn(rules, place, 1 + action) % (rules.places + 3 - place)


def at(rules, place):
    return State(place, chooser(rules, place) % 2)


def start(rules):
    return at(rules, 0)


def view(rules, state):
    return state._replace(ran=min(state.ran, 1))


def legal(rules, state):
    if chooser(rules, state.place) == 2:
        yield -1
        return
    yield 0
    yield 1


def moved(state, following):
    return following, int(following.mover != state.mover)


def outcomes(rules, state, action):
    if action == -1:
        for side in range(2):
            yield 0.5, *moved(state, at(rules, after(rules, state.place, side)))
    elif state.place < rules.places:
        yield 1.0, *moved(state, at(rules, after(rules, state.place, action)))
    elif state.ran == 0:
        yield 1.0, *moved(state, State(state.place, 1 - state.mover, action + 1))
    elif state.ran == 1 and action == 0:
        yield 1.0, *moved(state, at(rules, state.place))
    else:
        is_hit = state.ran == 2 and action == 1
        yield 1.0, *moved(state, at(rules, rules.places + 2 + (state.mover if is_hit else 1 - state.mover)))


def over(rules, state):
    return state.place >= rules.places + 2


def payoff(rules, state):
    return 1.0  # the player to move is the one who has won
