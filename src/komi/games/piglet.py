"""Piglet: flip a coin as often as you dare; tails ends the turn with nothing (Neller and Presser, 2004).

T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004.
"""

from typing import NamedTuple

players = 2
actions = ("flip", "hold")
FLIP, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 10  # points that win
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # heads this turn: the points at risk


def limits(rules):
    return Rules(goal=(1, 1000), komi=(0, rules.goal - 1))


def start(rules):
    return State(score=0, rival=rules.komi, turn=0)


def possible(rules, state):
    in_range = 0 <= state.score < rules.goal and 0 <= state.rival < rules.goal
    return in_range and 0 <= state.turn <= rules.goal - state.score


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield FLIP
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0), 1
        return
    yield 0.5, State(score, rival, turn + 1), 0
    yield 0.5, State(rival, score, 0), 1


def event(rules, state, action, after):
    return "heads" if after.turn else "tails"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal
