"""Red Light: draw green chips from one shared bag and stop before a red one (Neller et al., 2014).

Fowl Play with other numbers, chosen to be fair and shorter: T. W. Neller, M. Malec, C. G. M. Presser
and F. Jacobs, the Red Light page of Gettysburg College.
"""

from typing import NamedTuple

players = 2
actions = ("draw", "hold")
DRAW, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 50  # points that win
    red: int = 4  # red chips in the bag
    green: int = 24  # green chips in the bag
    komi: int = 1  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # green chips drawn this turn: the points at risk
    red: int  # red chips out of the bag
    green: int  # green chips out of the bag


def limits(rules):
    return Rules(goal=(1, 200), red=(1, 50), green=(1, 200), komi=(0, rules.goal - 1))


def start(rules):
    return State(score=0, rival=rules.komi, turn=0, red=0, green=0)


def domains(rules):
    points = range(rules.goal + 1)
    return State(range(rules.goal), points, turn=points, red=range(rules.red), green=range(rules.green + 1))


def possible(rules, state):
    return (
        0 <= state.score < rules.goal
        and 0 <= state.rival < rules.goal
        and state.score + state.turn <= rules.goal
        and 0 <= state.red < rules.red
        and 0 <= state.turn <= state.green <= rules.green
    )


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield DRAW
    if state.turn > 0:
        yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn, red, green = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0, red, green), 1
        return
    red_left, green_left = rules.red - red, rules.green - green
    chips_left = red_left + green_left
    if green_left > 0:
        yield green_left / chips_left, State(score, rival, turn + 1, red, green + 1), 0
    if red_left > 1:
        yield red_left / chips_left, State(rival, score, 0, red + 1, green), 1
    else:  # the last red chip: all chips go back into the bag
        yield red_left / chips_left, State(rival, score, 0, 0, 0), 1


def event(rules, state, action, after):
    return "green" if after.turn else "red"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def how_to_play(rules):
    return f"""
    Draw chips one by one, and hold before a red one comes. First to {rules.goal} points wins.

    The bag holds {rules.green} green chips and {rules.red} red ones, and both players draw from it. On your turn
    draw a chip: each green chip puts one point at risk. Draw again, or hold to bank the points and pass the turn. A
    red chip ends the turn, and the points at risk are lost.

    Drawn chips stay out of the bag, so that its chances change. When the last red chip comes, all chips go back. The
    second player starts with a score of {rules.komi}.

    Example: you draw green, green, green and hold: 3 points. Your opponent draws green, then red, and scores
    nothing. With one red chip fewer in the bag, your next turn is safer.
    """
