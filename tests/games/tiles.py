"""Tiles: shut tiles by throws of a die; for tests. The open ones are a set whose elements have names."""

from typing import NamedTuple

from komi.bitset import length
from komi.game import CHANCE

players = 1
aim = "least"


class Rules(NamedTuple):
    tiles: int = 4
    sides: int = 3


class State(NamedTuple):
    tiles: int  # that are open
    throw: int = 0


def elements(rules):
    return {"tiles": [str(tile + 1) for tile in range(rules.tiles)]}


def start(rules):
    return State((1 << rules.tiles) - 1)


def fits(state, tiles):
    total = 0
    for i in range(length(tiles)):
        total += (i + 1) * (tiles >> i & 1)
    return total == state.throw and tiles & state.tiles == tiles


def legal(rules, state):
    if state.throw == 0:
        yield CHANCE
        return
    some = False
    for tiles in range(1, 1 << rules.tiles):
        if fits(state, tiles):
            some = True
            yield tiles
    if not some:
        yield 0


def outcomes(rules, state, action):
    if action == CHANCE:
        for face in range(1, rules.sides + 1):
            yield 1 / rules.sides, State(state.tiles, face), 0
    elif action == 0:
        yield 1.0, State(0, 0), 0
    else:
        yield 1.0, State(state.tiles & ~action, 0), 0


def over(rules, state):
    return state.tiles == 0


def payoff(rules, state):
    return 0.0


def objective(rules):
    return "expected sum of the open tiles"


def reward(rules, state, action, after):
    total = 0.0
    if action == 0:
        for i in range(rules.tiles):
            total += (i + 1) * (state.tiles >> i & 1)
    return total


def label(rules, state, action):
    return "shut " + " and ".join(str(i + 1) for i in range(rules.tiles) if action >> i & 1) if action else "stop"
