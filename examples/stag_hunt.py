"""Stag hunt: both choose at the same time whether to hunt the stag together, or a hare alone."""

from typing import NamedTuple

players = 2
actions = ("stag", "hare")


class Rules(NamedTuple):
    stag: float = 5.0  # for each, if both hunt the stag
    hare: float = 3.0  # for whoever hunts a hare
    alone: float = 0.0  # for whoever hunts the stag alone


class State(NamedTuple):
    mine: int = 0  # my choice: 1 the stag, 2 a hare, 0 none yet
    theirs: int = 0


def payoff_range(rules):
    return min(rules), max(rules)


def objective(rules):
    return "expected meals"


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 1.0, State(state.theirs, action + 1), 1


def over(rules, state):
    return state.mine > 0


def payoff(rules, state, seat):
    mine, theirs = (state.mine, state.theirs) if seat == 0 else (state.theirs, state.mine)
    if mine == 2:
        return rules.hare
    return rules.stag if theirs == 1 else rules.alone


def view(rules, state):
    return state._replace(theirs=min(state.theirs, 1))


def turned(rules, state):
    return State(state.theirs, state.mine)
