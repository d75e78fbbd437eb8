"""A race of three, for tests: a player tosses for two points, or gives one to another; the tied share the win."""

from typing import NamedTuple

players = 3
actions = ("toss", "give next", "give last")
TOSS, NEXT, LAST = range(3)


class Rules(NamedTuple):
    turns: int = 5  # of all players together
    lead: int = 1  # points of the third player at the start


class State(NamedTuple):
    score: int
    next: int  # the points of the player after the one to move
    last: int  # those of the player before
    turns: int  # left


def start(rules):
    return State(0, 0, rules.lead, rules.turns)


def legal(rules, state):
    yield TOSS
    yield NEXT
    if state.last > 0:
        yield LAST


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, following, last, turns = state
    if action == TOSS:
        yield 0.5, State(following, last, score + 2, turns - 1), 1
        yield 0.5, State(following, last, score, turns - 1), 1
    elif action == NEXT:
        yield 1.0, State(following + 1, last, score, turns - 1), 1
    else:
        yield 1.0, State(following, last + 1, score, turns - 1), 1


def over(rules, state):
    return state.turns == 0


def payoff(rules, state, seat=0):
    points = (state.score, state.next, state.last)
    best = max(points)
    own = state.score if seat == 0 else state.next if seat == 1 else state.last
    winners = (state.score == best) + (state.next == best) + (state.last == best)
    return 1.0 / winners if own == best else 0.0
