"""Connect Three: drop counters into columns; the first line of three wins."""

from typing import NamedTuple

players = 2
LINE = 3
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Rules(NamedTuple):
    columns: int = 4
    rows: int = 4


class State(NamedTuple):  # a bit for each square, column by column, from the bottom
    mine: int = 0  # your counters
    theirs: int = 0  # the opponent's counters


def limits(rules):
    return Rules(columns=(1, 6), rows=(1, 6))


def start(rules):
    return State()


def legal(rules, state):
    for column in range(rules.columns):
        if not _is_taken(rules, state, column, rules.rows - 1):
            yield column


def outcomes(rules, state, column):
    row = 0
    while _is_taken(rules, state, column, row):
        row += 1
    yield 1.0, State(state.theirs, state.mine | 1 << (column * rules.rows + row)), 1


def over(rules, state):
    return _has_line(rules, state.theirs) or _count(rules, state) == rules.columns * rules.rows


def payoff(rules, state):
    return 0.0 if _has_line(rules, state.theirs) else 0.5


def label(rules, state, column):
    return str(column + 1)


def action_count(rules):
    return rules.columns


def board(rules, state):
    for column in range(rules.columns):
        for row in range(rules.rows):
            bit = 1 << (column * rules.rows + row)
            first, second = (state.mine, state.theirs) if _count(rules, state) % 2 == 0 else (state.theirs, state.mine)
            yield rules.rows - 1 - row, column, "red" if first & bit else "yellow" if second & bit else "", 0


def square(rules, state, column):
    row = 0
    while _is_taken(rules, state, column, row):
        row += 1
    return rules.rows - 1 - row, column


def _is_taken(rules, state, column, row):
    return (state.mine | state.theirs) >> (column * rules.rows + row) & 1


def _count(rules, state):
    taken = 0
    for bit in range(rules.columns * rules.rows):
        taken += (state.mine | state.theirs) >> bit & 1
    return taken


def _has_line(rules, counters):
    for column in range(rules.columns):
        for row in range(rules.rows):
            for right, up in DIRECTIONS:
                length = 0
                for step in range(LINE):
                    x, y = column + step * right, row + step * up
                    if 0 <= x < rules.columns and 0 <= y < rules.rows:
                        length += counters >> (x * rules.rows + y) & 1
                if length == LINE:
                    return True
    return False
