"""One to any number of players take one or two matches in turn; who takes the last wins."""

from typing import NamedTuple

actions = ("one", "two")


class Rules(NamedTuple):
    players: int = 3
    matches: int = 7


class State(NamedTuple):
    left: int


def players(rules):
    return rules.players


def limits(rules):
    return Rules(players=(1, 9), matches=(1, 100))


def start(rules):
    return State(rules.matches)


def possible(rules, state):
    return 0 < state.left <= rules.matches


def legal(rules, state):
    yield 0
    if state.left > 1:
        yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    yield 1.0, State(state.left - action - 1), 1


def over(rules, state):
    return state.left == 0


def payoff(rules, state, seat):
    return 1.0 if seat == rules.players - 1 else 0.0  # who has just moved
