"""Connect Three: whoever has three counters in a line wins; counters fall to the bottom of their column."""

from typing import NamedTuple

players = 2
LINE = 3
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Rules(NamedTuple):
    columns: int = 4
    rows: int = 4


class State(NamedTuple):  # as the player to move sees it
    mine: int  # a bit for each square, column by column, from the bottom
    theirs: int


def limits(rules):
    return Rules(columns=(1, 6), rows=(1, 6))


def start(rules):
    return State(0, 0)


def legal(rules, state):
    for column in range(rules.columns):
        if not ((state.mine | state.theirs) >> (column * rules.rows + rules.rows - 1)) & 1:
            yield column


def outcomes(rules, state, action):
    row = 0
    while ((state.mine | state.theirs) >> (action * rules.rows + row)) & 1:
        row += 1
    yield 1.0, State(state.theirs, state.mine | 1 << (action * rules.rows + row)), 1


def label(rules, state, action):
    return str(action + 1)


def over(rules, state):
    return _has_line(rules, state.theirs) or state.mine | state.theirs == (1 << rules.columns * rules.rows) - 1


def payoff(rules, state):
    return 0.0 if _has_line(rules, state.theirs) else 0.5


def _has_line(rules, counters):
    for column in range(rules.columns):
        for row in range(rules.rows):
            for right, up in DIRECTIONS:
                length = 0
                for step in range(LINE):
                    x, y = column + step * right, row + step * up
                    if 0 <= x < rules.columns and 0 <= y < rules.rows:
                        length += (counters >> (x * rules.rows + y)) & 1
                if length == LINE:
                    return True
    return False
