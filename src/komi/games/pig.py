"""Pig: roll a die as often as you dare; a 1 ends the turn with nothing (Scarne, 1945).

T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004.
"""

from typing import NamedTuple

from komi.branchless import either

players = 2
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 100  # points that win
    sides: int = 6  # faces of the die
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # points rolled this turn, at risk


def limits(rules):
    return Rules(goal=(1, 1000), sides=(2, 100), komi=(0, rules.goal - 1))


def start(rules):
    return State(score=0, rival=rules.komi, turn=0)


def possible(rules, state):
    in_range = 0 <= state.score < rules.goal and 0 <= state.rival < rules.goal
    return in_range and (state.turn == 0 or 2 <= state.turn < rules.goal - state.score + rules.sides)


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0), 1
        return
    chance = 1.0 / rules.sides
    yield chance, State(rival, score, 0), 1
    for face in range(2, rules.sides + 1):
        yield chance, State(score, rival, turn + face), 0


def pick(rules, state, luck):
    """(how many actions are legal, the one that luck falls on)."""
    if state.score + state.turn < rules.goal:
        return 2, ROLL if luck < 0.5 else HOLD
    return 1, HOLD


def sample(rules, state, action, luck):
    """The outcome that luck falls on."""
    score, rival, turn = state
    face = 1 + int(luck * rules.sides)
    holds, falls = action == HOLD, face == 1
    rolled = either(falls, State(rival, score, 0), State(score, rival, turn + face))
    after = either(holds, State(rival, score + turn, 0), rolled)
    return either(holds, 1.0, 1.0 / rules.sides), after, int(holds | falls)


def event(rules, state, action, after):
    return str(after.turn - state.turn) if after.turn else "1"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal
