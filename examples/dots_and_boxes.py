"""Dots and Boxes: draw a line between two dots; who draws the fourth side of a box owns it, and draws again.

(Edouard Lucas, La pipopipette, in L'arithmetique amusante, 1895; E. R. Berlekamp, The Dots and Boxes Game, 2000.)
"""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    rows: int = 2  # of boxes
    columns: int = 2


class State(NamedTuple):
    lines: int = 0  # lines that are drawn: those across, row by row, then those down, row by row
    margin: int = 0  # how many boxes the mover owns more than the other


def limits(rules):
    return Rules(rows=(1, 3), columns=(1, 4))


def payoff_range(rules):
    return -rules.rows * rules.columns, rules.rows * rules.columns


def objective(rules):
    return "expected margin"


def start(rules):
    return State()


def legal(rules, state):
    for line in range(action_count(rules)):
        if not state.lines >> line & 1:
            yield line


def outcomes(rules, state, line):
    lines, boxes = state.lines | 1 << line, 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            sides = _sides(rules, row, column)
            boxes += sides >> line & 1 and lines & sides == sides
    if boxes > 0:
        yield 1.0, State(lines, state.margin + boxes), 0
    else:
        yield 1.0, State(lines, -state.margin), 1


def _sides(rules, row, column):
    """Return the four sides of a box, as bits."""
    above = row * rules.columns + column
    left = _across(rules) + row * (rules.columns + 1) + column
    return 1 << above | 1 << above + rules.columns | 1 << left | 2 << left


def _across(rules):
    """Return the number of lines across."""
    return (rules.rows + 1) * rules.columns


def over(rules, state):
    return state.lines == (1 << action_count(rules)) - 1


def payoff(rules, state):
    return float(state.margin)


def action_count(rules):
    return _across(rules) + rules.rows * (rules.columns + 1)


def label(rules, state, line):
    row, column = square(rules, state, line)
    ends = (row, column - column % 2), (row + row % 2, column + column % 2)
    return "-".join(f"{'abcde'[across // 2]}{down // 2 + 1}" for down, across in ends)


def elements(rules):
    return {"lines": tuple(label(rules, None, line) for line in range(action_count(rules)))}


def board(rules, state):
    """Yield dots, the lines between them, and the boxes, without their owners."""
    for row in range(2 * rules.rows + 1):
        for column in range(2 * rules.columns + 1):
            if row % 2 == 0 and column % 2 == 0:
                yield row, column, "●", 0
            elif row % 2 == 1 and column % 2 == 1:
                yield row, column, "", 0
            else:
                line = row // 2 * rules.columns + column // 2
                if row % 2 == 1:
                    line = _across(rules) + row // 2 * (rules.columns + 1) + column // 2
                yield row, column, ("│" if row % 2 == 1 else "─") if state.lines >> line & 1 else "", 0


def square(rules, state, line):
    if line < _across(rules):
        return 2 * (line // rules.columns), 2 * (line % rules.columns) + 1
    line -= _across(rules)
    return 2 * (line // (rules.columns + 1)) + 1, 2 * (line % (rules.columns + 1))


def how_to_play(rules):
    return f"""
    Own more of the {rules.rows * rules.columns} boxes than your opponent.

    Draw a line between two neighboring dots. If it is the fourth side of a box, the box is yours and you draw again;
    one line can finish two boxes. At the end, the margin is what you won.
    """
