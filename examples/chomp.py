"""Chomp: eat a square of a bar of chocolate, and all squares below it and right of it; who eats the first square loses.

(David Gale, A curious Nim-type game, American Mathematical Monthly 81, 1974.)
"""

from typing import NamedTuple

from komi.game import put

players = 2


class Rules(NamedTuple):
    rows: int = 4
    columns: int = 5


class State(NamedTuple):
    lengths: tuple[int, ...]  # squares that are left in each row, from the top


def limits(rules):
    return Rules(rows=(1, 10), columns=(1, 10))


def start(rules):
    return State((rules.columns,) * rules.rows)


def possible(rules, state):
    for row in range(1, rules.rows):
        if state.lengths[row] > state.lengths[row - 1]:
            return False
    return state.lengths[0] <= rules.columns


def legal(rules, state):
    for row in range(rules.rows):
        for column in range(state.lengths[row]):
            yield row * rules.columns + column


def outcomes(rules, state, action):
    lengths = state.lengths
    for row in range(action // rules.columns, rules.rows):
        lengths = put(lengths, row, min(lengths[row], action % rules.columns))
    yield 1.0, State(lengths), 1


def over(rules, state):
    return state.lengths[0] == 0


def payoff(rules, state):
    return 1.0  # the opponent ate the first square


def action_count(rules):
    return rules.rows * rules.columns


def label(rules, state, action):
    return f"{'abcdefghij'[action % rules.columns]}{action // rules.columns + 1}"


def board(rules, state):
    for row in range(rules.rows):
        for column in range(rules.columns):
            piece = "☠" if row + column == 0 else "■"
            yield row, column, piece if column < state.lengths[row] else "", 0


def square(rules, state, action):
    return action // rules.columns, action % rules.columns


def how_to_play(rules):
    return """
    Do not eat the square in the corner: it is poisoned.

    Choose a square of the bar. You eat it, and all squares that are left below it, right of it, or both. The player who
    has to eat the poisoned square, a1 at the top left, loses.
    """
