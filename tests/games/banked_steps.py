"""Stages: after a head one step is taken, or two are risked on another coin; steps taken are never lost."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("take", "risk")


class Rules(NamedTuple):
    goal: int = 6  # steps
    backward: bool = False  # whether the stages are given the wrong way round


class State(NamedTuple):
    steps: int
    rival: int
    heads: int  # 0: not yet thrown


def start(rules):
    return State(0, 0, 0)


def transient(rules, state):
    return state.heads > 0


def legal(rules, state):
    if state.heads == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == CHANCE:
        yield 1 / 2, State(state.steps, state.rival, 1), 0
        yield 1 / 2, State(state.rival, state.steps, 0), 1
    elif action == 0:
        yield 1.0, State(state.rival, min(state.steps + 1, rules.goal), 0), 1
    else:
        yield 1 / 2, State(state.rival, min(state.steps + 2, rules.goal), 0), 1
        yield 1 / 2, State(state.rival, state.steps, 0), 1


def over(rules, state):
    return state.rival == rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just arrived


def stage(rules, state):
    taken = state.steps + state.rival
    return 2 * rules.goal - taken if rules.backward else taken


def order(rules, state):
    return state.steps
