"""Hidden information and simultaneous choice: the second player must guess the side that the first has chosen."""

from typing import NamedTuple

players = 2
actions = ("heads", "tails")


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    chosen: int  # the first player's side: 0 none yet, 1 heads, 2 tails
    guess: int  # the second player's


def start(rules):
    return State(0, 0)


def view(rules, state):
    return State(1, 0) if state.chosen > 0 and state.guess == 0 else state


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if state.chosen == 0:
        yield 1.0, State(action + 1, 0), 1
    else:
        yield 1.0, State(state.chosen, action + 1), 1


def over(rules, state):
    return state.guess > 0


def payoff(rules, state):
    return 0.0 if state.guess == state.chosen else 1.0
