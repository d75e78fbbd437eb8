"""Liar's Dice with one die each: bid how many dice show a face, or call the opponent a liar.

A bid names a number of dice and a face, and must be higher than the bid before: more dice, or as many of a higher face.
After a call both dice are shown, and the player who was wrong loses. The highest face counts as any face.
"""

from typing import NamedTuple

from komi.bitset import length
from komi.game import CHANCE

players = 2


class Rules(NamedTuple):
    sides: int = 6  # of a die
    wild: bool = True  # whether the highest face counts as any face


class State(NamedTuple):  # as the player to move sees it
    die: int = 0  # your die; 0 before the throw
    rival: int = 0  # the opponent's die
    bids: int = 0  # all bids so far, one bit each: the lowest is that of one die with the lowest face
    called: int = 0  # 1: the opponent has called you a liar


def limits(rules):
    return Rules(sides=(2, 8))


def start(rules):
    return State()


def view(rules, state):
    return state if state.called else state._replace(rival=0)


def deal(rules, view, uniform):
    return view if view.called else view._replace(rival=1 + int(uniform * rules.sides))


def legal(rules, state):
    if state.die == 0:
        yield CHANCE
        return
    yield from range(length(state.bids), 2 * rules.sides)
    if state.bids > 0:
        yield 2 * rules.sides  # call


def outcomes(rules, state, action):
    if action == CHANCE:
        for die in range(1, rules.sides + 1):
            for rival in range(1, rules.sides + 1):
                yield 1 / rules.sides**2, State(die, rival), 0
    elif action == 2 * rules.sides:
        yield 1.0, State(state.rival, state.die, state.bids, 1), 1
    else:
        yield 1.0, State(state.rival, state.die, state.bids | 1 << action), 1


def over(rules, state):
    return state.called == 1


def payoff(rules, state):
    last = length(state.bids) - 1
    number, face = last // rules.sides + 1, last % rules.sides + 1
    shown = 0
    for die in (state.die, state.rival):
        shown += die == face or (rules.wild and die == rules.sides)
    return 1.0 if shown >= number else 0.0  # the player to move has made the bid that was called


def label(rules, state, action):
    if action == 2 * rules.sides:
        return "liar"
    return f"{action // rules.sides + 1}x{action % rules.sides + 1}"


def action_count(rules):
    return 2 * rules.sides + 1


open_actions = True


def turned(rules, state):
    return state._replace(die=state.rival, rival=state.die)
