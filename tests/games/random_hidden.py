"""A random game of two or three players, each with a hidden card, in which some actions are hidden, too."""

from typing import NamedTuple

from komi.game import CHANCE

actions = ("left", "right")


class Rules(NamedTuple):
    plan: int = 0
    seats: int = 2
    steps: int = 4


class State(NamedTuple):
    step: int = -1
    cards: int = 0  # a bit for each seat
    chosen: int = 0  # a bit for each step


def players(rules):
    return rules.seats


def drawn(rules, a, b, question):
    """Return a number from 0 to 63."""
    number = (rules.plan * 7919 + a * 613 + b * 104729 + question * 7 + 12345) % 2147483648
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64


def start(rules):
    return State()


def view(rules, state):
    if state.step < 0 or over(rules, state):
        return state
    seen = 0
    for step in range(state.step):
        if (state.step - step) % rules.seats == 0 or drawn(rules, state.step % rules.seats, step, 1) < 32:
            seen |= state.chosen & 1 << step
    return State(state.step, state.cards & 1 << state.step % rules.seats, seen)


def legal(rules, state):
    if state.step < 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if action == CHANCE:
        total = 0
        for cards in range(1 << rules.seats):
            total += 1 + drawn(rules, cards, 0, 2) % 3
        for cards in range(1 << rules.seats):
            yield (1 + drawn(rules, cards, 0, 2) % 3) / total, State(0, cards, 0), 0
    else:
        yield 1.0, State(state.step + 1, state.cards, state.chosen | action << state.step), 1


def over(rules, state):
    return state.step == rules.steps


def payoff(rules, state, seat):
    key = state.cards + 8 * state.chosen
    parts = (drawn(rules, key, 0, 3), drawn(rules, key, 1, 3), drawn(rules, key, 2, 3))
    first, second = parts[0] / 64, parts[1] / 64
    if rules.seats == 3:
        first, second = first / 2, second / 2
    else:
        second = 1.0 - first
    absolute = (state.step + seat) % rules.seats
    if absolute == 0:
        return first
    return second if absolute == 1 else 1.0 - first - second
