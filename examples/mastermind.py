"""Mastermind: find the hidden code in few guesses; each is answered by how many pegs are right, and how many misplaced.

All codes are equally likely. The state has those that fit all answers, and so the code itself needs no place in it
(Mordecai Meirowitz, 1970). Without repeated colors it is the older Bulls and Cows. The game in the box, four pegs of
six colors, is out of reach: there are 279,933 sets of codes after two guesses, even if first guesses that differ only
by an exchange of colors or of pegs count once, and each of them can be split by 1,296 further guesses.
"""

from typing import NamedTuple

from komi.bitset import count, length, nth
from komi.game import put

players = 1
aim = "least"


class Rules(NamedTuple):
    pegs: int = 3
    colors: int = 3
    repeats: int = 1  # 0 if all pegs of a code, and of a guess, have different colors: Bulls and Cows


class State(NamedTuple):
    codes: int  # codes that fit all answers, as bits
    found: int = 0  # 1 once a guess was the code


def limits(rules):
    most = (8, 6, 3) if rules.repeats else (8, 8, 5)  # for up to 60 codes
    return Rules(pegs=(1, 3), colors=(max(2, rules.pegs * (1 - rules.repeats)), most[rules.pegs - 1]), repeats=(0, 1))


def codes(rules):
    """Return the number of codes."""
    number = 1
    for peg in range(rules.pegs):
        number *= rules.colors if rules.repeats else rules.colors - peg
    return number


def objective(rules):
    return "expected guesses"


def action_count(rules):
    return codes(rules)


def label(rules, state, action):
    return "".join("RGBYWOPT"[color(rules, action, peg)] for peg in range(rules.pegs))


def elements(rules):
    return {"codes": tuple(label(rules, None, code) for code in range(codes(rules)))}


def start(rules):
    return State((1 << codes(rules)) - 1)


def legal(rules, state):
    yield from range(codes(rules))


def color(rules, code, peg):
    """Return the color of a peg: a digit of the code, or the one with so many smaller ones that no peg before has."""
    if rules.repeats:
        return code // rules.colors**peg % rules.colors
    unused, chosen = (1 << rules.colors) - 1, 0
    for before in range(peg + 1):
        chosen = nth(unused, code % (rules.colors - before))
        unused, code = unused - chosen, code // (rules.colors - before)
    return length(chosen) - 1


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
    for code in range(codes(rules)):
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
