"""Connect Four: drop counters into columns; the first line of four wins, or of three with the rule `line`."""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    columns: int = 4
    rows: int = 4
    line: int = 4  # counters in a row that win


class State(NamedTuple):  # a bit for each square, column by column from the bottom, and a free one above each column
    mine: int = 0  # your counters
    theirs: int = 0  # the opponent's counters


def limits(rules):
    return Rules(columns=(1, 7), rows=(1, 6), line=(3, 4))


def start(rules):
    return State()


def domains(rules):
    squares = {column * (rules.rows + 1) + row for column in range(rules.columns) for row in range(rules.rows)}
    return State(mine=squares, theirs=squares)


def legal(rules, state):
    for column in range(rules.columns):
        if not (state.mine | state.theirs) & _square(rules, column, rules.rows - 1):
            yield column


def outcomes(rules, state, column):
    yield 1.0, State(state.theirs, state.mine | _next_square(rules, state, column)), 1


def over(rules, state):
    if _has_line(rules, state.theirs):
        return True
    full = 0
    for column in range(rules.columns):
        full |= _column(rules, column)
    return state.mine | state.theirs == full


def payoff(rules, state):
    return 0.0 if _has_line(rules, state.theirs) else 0.5


def symmetries(rules, state):  # left and right
    mine, theirs = 0, 0
    for column in range(rules.columns):
        left, right = column * (rules.rows + 1), (rules.columns - 1 - column) * (rules.rows + 1)
        mine |= (state.mine >> left & _column(rules, 0)) << right
        theirs |= (state.theirs >> left & _column(rules, 0)) << right
    yield State(mine, theirs)


def label(rules, state, column):
    return str(column + 1)


def action_count(rules):
    return rules.columns


def board(rules, state):
    for column in range(rules.columns):
        for row in range(rules.rows):
            bit = _square(rules, column, row)
            first, second = (state.mine, state.theirs) if _count(rules, state) % 2 == 0 else (state.theirs, state.mine)
            yield rules.rows - 1 - row, column, "red" if first & bit else "yellow" if second & bit else "", 0


def square(rules, state, column):
    row = 0
    while (state.mine | state.theirs) & _square(rules, column, row):
        row += 1
    return rules.rows - 1 - row, column


def _square(rules, column, row):
    return 1 << (column * (rules.rows + 1) + row)


def _column(rules, column):
    return ((1 << rules.rows) - 1) << (column * (rules.rows + 1))


def _next_square(rules, state, column):  # adding 1 at the bottom carries to the lowest empty square
    taken = (state.mine | state.theirs) & _column(rules, column)
    return taken + _square(rules, column, 0) & ~taken


def _count(rules, state):
    taken = 0
    for bit in range(rules.columns * (rules.rows + 1)):
        taken += (state.mine | state.theirs) >> bit & 1
    return taken


def _has_line(rules, counters):  # upright, across, and both diagonals
    for step in (1, rules.rows + 1, rules.rows, rules.rows + 2):
        pairs = counters & counters >> step
        if pairs & pairs >> (rules.line - 2) * step:
            return True
    return False
