"""Mastermind: find the hidden code in few guesses; each is answered by how many pegs are right, and how many misplaced.

All codes are equally likely. The state has those that fit all answers, and so the code itself needs no place in it
(Mordecai Meirowitz, 1970; four pegs of six colors in the box).
"""

from typing import NamedTuple

from komi.bitset import count, length
from komi.game import put

players = 1
aim = "least"


class Rules(NamedTuple):
    pegs: int = 3
    colors: int = 3


class State(NamedTuple):
    codes: int  # codes that fit all answers, as bits
    found: int = 0  # 1 once a guess was the code


def limits(rules):
    return Rules(pegs=(1, 3), colors=(2, (8, 6, 3)[rules.pegs - 1]))


def objective(rules):
    return "expected guesses"


def action_count(rules):
    return rules.colors**rules.pegs


def label(rules, state, action):
    return "".join("RGBYWOPT"[color(rules, action, peg)] for peg in range(rules.pegs))


def elements(rules):
    return {"codes": tuple(label(rules, None, code) for code in range(rules.colors**rules.pegs))}


def start(rules):
    return State((1 << rules.colors**rules.pegs) - 1)


def legal(rules, state):
    yield from range(rules.colors**rules.pegs)


def color(rules, code, peg):
    return code // rules.colors**peg % rules.colors


def answer(rules, code, guess):
    """Return 4 times the number of right pegs, plus that of the misplaced ones."""
    right, common = 0, 0
    for peg in range(rules.pegs):
        right += color(rules, code, peg) == color(rules, guess, peg)
    for hue in range(rules.colors):
        in_code, in_guess = 0, 0
        for peg in range(rules.pegs):
            in_code += color(rules, code, peg) == hue
            in_guess += color(rules, guess, peg) == hue
        common += min(in_code, in_guess)
    return 4 * right + common - right


def outcomes(rules, state, guess):
    fitting = (0,) * 16  # codes by their answers
    for code in range(rules.colors**rules.pegs):
        if state.codes >> code & 1:
            given = answer(rules, code, guess)
            fitting = put(fitting, given, fitting[given] | 1 << code)
    for given in range(16):
        found = 1 if given == 4 * rules.pegs else 0
        if fitting[given] > 0:
            yield count(fitting[given]) / count(state.codes), State(fitting[given], found), 0


def over(rules, state):
    return state.found == 1


def reward(rules, state, guess, after):
    return 1.0


def payoff(rules, state):
    return 0.0  # guesses count, as rewards


def event(rules, state, guess, after):
    given = answer(rules, length(after.codes) - 1, guess)
    return f"{given // 4} right, {given % 4} misplaced"
