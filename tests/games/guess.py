"""Guess: name the number that you do not see, and win. It is dealt, lies in the deck, or is chosen by the opponent."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
NUMBERS = 4
DEALT, IN_DECK, CHOSEN = range(3)


class Rules(NamedTuple):
    secret: int = DEALT


class State(NamedTuple):  # as the player to move sees it
    number: int = 0  # what is to be guessed, from 1
    next: int = 0  # the card that lies above it in an ordered deck
    chooses: int = 0  # 1: the player to move chooses the number
    guess: int = 0


def limits(rules):
    return Rules(secret=(DEALT, CHOSEN))


def start(rules):
    return State(0, 0, int(rules.secret == CHOSEN), 0)


def view(rules, state):
    return state if state.guess else State(min(state.number, 1), 0, state.chooses, 0)


def legal(rules, state):
    if state.number == 0 and not state.chooses:
        yield CHANCE
    else:
        yield from range(NUMBERS)


def outcomes(rules, state, action):
    if action == CHANCE:
        for number in range(1, NUMBERS + 1):
            for above in range(1, NUMBERS + 1):
                if rules.secret == IN_DECK and above != number:
                    yield 1 / (NUMBERS * (NUMBERS - 1)), State(number, above), 0
            if rules.secret == DEALT:
                yield 1 / NUMBERS, State(number), 0
    elif state.chooses:
        yield 1.0, State(action + 1), 1
    else:
        yield 1.0, State(state.number, state.next, 0, action + 1), 0


def over(rules, state):
    return state.guess > 0


def payoff(rules, state):
    return 1.0 if state.guess == state.number else 0.0


def label(rules, state, action):
    return str(action + 1)


def action_count(rules):
    return NUMBERS
