"""Minesweeper: open all squares without a mine; an open square shows how many of its neighbours have one."""

from math import comb
from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE, put

players = 1
CLOSED = 9  # in place of a number of neighbours


class Rules(NamedTuple):
    rows: int = 3
    columns: int = 3
    mines: int = 2
    safe: bool = False  # the first square that you open has no mine


class State(NamedTuple):
    shown: tuple[int, ...]  # the number on each square; CLOSED where it is not open
    mines: int = 0  # squares with a mine, as bits; 0 for the player, who does not see them
    placed: int = 0  # 1 once the mines are placed
    hit: int = 0  # 1 once a mine is opened
    first: int = -1  # the first square, before safe mines are placed


def limits(rules):
    squares = rules.rows * rules.columns
    return Rules(rows=(1, 4), columns=(1, 4), mines=(1, squares - 1), safe=None)


def objective(rules):
    return "chance of clearing the field"


def action_count(rules):
    return rules.rows * rules.columns


def label(rules, state, action):
    return "abcd"[action % rules.columns] + str(action // rules.columns + 1)


def start(rules):
    return State((CLOSED,) * (rules.rows * rules.columns))


def view(rules, state):
    return state._replace(mines=0)


def legal(rules, state):
    if not state.placed and (not rules.safe or state.first >= 0):
        yield CHANCE
        return
    for square in range(rules.rows * rules.columns):
        if state.shown[square] == CLOSED:
            yield square


def outcomes(rules, state, action):
    squares = rules.rows * rules.columns
    if action == CHANCE:
        ways = comb(squares - rules.safe, rules.mines)
        for mines in range(1 << squares):
            if count(mines) == rules.mines and not (rules.safe and mines >> state.first & 1):
                placed = state._replace(mines=mines, placed=1, first=-1)
                yield 1 / ways, opened(rules, placed, state.first) if rules.safe else placed, 0
    elif not state.placed:
        yield 1.0, state._replace(first=action), 0
    elif state.mines >> action & 1:
        yield 1.0, state._replace(hit=1), 0
    else:
        yield 1.0, opened(rules, state, action), 0


def opened(rules, state, square):
    near = 0
    for other in range(rules.rows * rules.columns):
        down = abs(other // rules.columns - square // rules.columns)
        across = abs(other % rules.columns - square % rules.columns)
        if max(down, across) == 1:
            near += state.mines >> other & 1
    return state._replace(shown=put(state.shown, square, near))


def over(rules, state):
    closed = 0
    for number in state.shown:
        closed += number == CLOSED
    return state.hit == 1 or closed == rules.mines


def payoff(rules, state):
    return 0.0 if state.hit else 1.0
