"""Pieces: a race of two pieces each, with tuples in its states; for tests. With `sides=1` there is no chance."""

from typing import NamedTuple

from komi.game import CHANCE, put

actions = ("first", "second", "third")


class Rules(NamedTuple):
    players: int = 2
    sides: int = 2  # of the die
    goal: int = 3  # where a piece is home
    turns: int = 0  # that there are; 0 without a limit
    pieces: int = 2  # of each player


class State(NamedTuple):
    mine: tuple[int, ...]  # how far each piece is
    rival: tuple[int, ...]  # how far each of the opponent's is
    left: int = 0  # turns that are left
    throw: int = 0  # of the die


def limits(rules):
    return Rules((1, 2), (1, 6), (1, 9), (0, 20), (1, 3))


def players(rules):
    return rules.players


def start(rules):
    return make((0,) * rules.pieces, (0,) * rules.pieces, rules.turns, rules.sides == 1)


def mine(state):
    return state.mine


def rival(state):
    return state.rival


def make(mine, rival, left, throw):
    return State(mine, rival, left, int(throw))


def legal(rules, state):
    if state.throw == 0:
        yield CHANCE
        return
    for i in range(len(mine(state))):
        if mine(state)[i] < rules.goal:
            yield i


def outcomes(rules, state, action):
    own, other, left = mine(state), rival(state), state.left
    if action == CHANCE:
        for face in range(1, rules.sides + 1):
            yield 1 / rules.sides, make(own, other, left, face), 0
        return
    own = put(own, action, min(own[action] + state.throw + action, rules.goal))
    if rules.players == 2:
        own, other = other, own
    yield 1.0, make(own, other, max(left - 1, 0), rules.sides == 1), 1


def over(rules, state):
    home = min(mine(state)) == rules.goal or min(rival(state)) == rules.goal
    return home or (rules.turns > 0 and state.left == 0)


def payoff(rules, state):
    if min(mine(state)) == rules.goal:
        return 1.0
    return 0.0 if min(rival(state)) == rules.goal or rules.players == 1 else 0.5


def hasty(rules, state):
    for i in range(len(mine(state))):
        if mine(state)[i] < rules.goal:
            return i
    return 0


policies = (hasty,)
