"""Frozen Lake: walk to the goal over ice that is slippery, and do not fall into a hole (OpenAI Gym, 2016).

You go in the direction that you choose, or in one of the two at right angles to it, each with a chance of 1/3.
"""

from typing import NamedTuple

players = 1
actions = ("left", "down", "right", "up")
endless = 0  # who never comes to the goal has not reached it
HOLES = tuple(  # of the two maps of Gym, as bits: the squares row by row
    sum(1 << square for square in squares) for squares in ((5, 7, 11, 12), (19, 29, 35, 41, 42, 46, 49, 52, 54, 59))
)


class Rules(NamedTuple):
    side: int = 4  # squares in each row of the lake: 4 or 8
    steps: int = 0  # the most steps that you can take; 0 for no limit


class State(NamedTuple):
    square: int = 0
    taken: int = 0  # steps, if they are limited


def limits(rules):
    return Rules(side=(4, 8, 4), steps=(0, 300))


def objective(rules):
    return "chance of reaching the goal"


def start(rules):
    return State()


def legal(rules, state):
    yield from range(4)


def outcomes(rules, state, action):
    for turned in range(-1, 2):
        square = moved(rules, state.square, (action + turned) % 4)
        yield 1 / 3, State(square, state.taken + (rules.steps > 0)), 0


def moved(rules, square, direction):
    row, column = square // rules.side, square % rules.side
    if direction == 0:
        column = max(column - 1, 0)
    elif direction == 1:
        row = min(row + 1, rules.side - 1)
    elif direction == 2:
        column = min(column + 1, rules.side - 1)
    else:
        row = max(row - 1, 0)
    return row * rules.side + column


def is_hole(rules, square):
    return HOLES[rules.side // 8] >> square & 1 == 1


def is_goal(rules, square):
    return square == rules.side * rules.side - 1


def over(rules, state):
    at_end = is_goal(rules, state.square) or is_hole(rules, state.square)
    return at_end or (rules.steps > 0 and state.taken == rules.steps)


def payoff(rules, state):
    return 1.0 if is_goal(rules, state.square) else 0.0


# Display


def board(rules, state):
    for square in range(rules.side * rules.side):
        mark = "you" if square == state.square else "hole" if is_hole(rules, square) else ""
        yield square // rules.side, square % rules.side, mark or "goal" * is_goal(rules, square), 0
