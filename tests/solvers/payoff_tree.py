"""A random tree of general-sum payoffs, with chance nodes: the rule `seed` draws it."""

from typing import NamedTuple

from komi.game import CHANCE

actions = ("left", "middle", "right")


class Rules(NamedTuple):
    seed: int = 1
    seats: int = 2
    depth: int = 4


class State(NamedTuple):
    node: int = 1
    depth: int = 0
    mover: int = 0


def players(rules):
    return rules.seats


def payoff_range(rules):
    return -300, 700


def start(rules):
    return State()


def legal(rules, state):
    if _drawn(rules, state, 1) % 5 == 0:
        yield CHANCE
    else:
        for action in range(2 + _drawn(rules, state, 2) % 2):  # noqa: UP028  as a game file may say it
            yield action


def outcomes(rules, state, action):
    if action == CHANCE:
        yield 0.25, State(3 * state.node, state.depth + 1, state.mover), 0
        yield 0.75, State(3 * state.node + 1, state.depth + 1, state.mover), 0
    else:
        passes = _drawn(rules, state, 3 + action) % rules.seats
        yield 1.0, State(3 * state.node + action, state.depth + 1, (state.mover + passes) % rules.seats), passes


def over(rules, state):
    return state.depth == rules.depth


def payoff(rules, state, seat):
    return _drawn(rules, state, 10 + (state.mover + seat) % rules.seats) % 1001 - 300


def _drawn(rules, state, number):
    drawn = (rules.seed * 7919 + state.node * 104729 + number * 1299709) % 2147483647
    for _ in range(4):
        drawn = (drawn * 48271 + 11) % 2147483647
    return drawn // 1000
