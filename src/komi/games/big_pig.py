"""Big Pig: Pig with two dice; a 1 loses the turn, but two 1s add 25 and other doubles count twice.

T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004.
"""

from typing import NamedTuple

players = 2
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 100  # points that win
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # points rolled this turn, at risk


def limits(rules):
    return Rules(goal=(1, 1000), komi=(0, rules.goal - 1))


def start(rules):
    return State(score=0, rival=rules.komi, turn=0)


def domains(rules):
    return State(score=range(rules.goal), rival=range(rules.goal + 25), turn=range(rules.goal + 25))


def possible(rules, state):
    in_range = 0 <= state.score < rules.goal and 0 <= state.rival < rules.goal
    return in_range and (state.turn == 0 or 5 <= state.turn < rules.goal - state.score + 25)


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0), 1
        return
    yield 10 / 36, State(rival, score, 0), 1
    yield 1 / 36, State(score, rival, turn + 25), 0
    for face in range(2, 7):
        yield 1 / 36, State(score, rival, turn + 4 * face), 0
        for other in range(face + 1, 7):
            yield 2 / 36, State(score, rival, turn + face + other), 0


def event(rules, state, action, after):
    gain = after.turn - state.turn
    if after.turn == 0:
        return "one 1"
    if gain == 25:
        return "two 1s"
    if gain == 8:  # 2 and 6, 3 and 5, or two 2s counted twice
        return "total 8 or double 2"
    return f"double {gain // 4}" if gain > 11 else f"total {gain}"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def how_to_play(rules):
    return f"""
    Roll two dice as often as you dare, and hold before a single 1 comes. First to {rules.goal} points wins.

    On your turn roll both dice: without a 1, their total is added to the points at risk, and a double counts twice.
    Two 1s are worth 25. Roll again, or hold to bank the points and pass the turn. A single 1 ends the turn, and the
    points at risk are lost.

    Example: you roll 4 and 4, which count 16, then 6 and 3, and hold: 25 points. Your opponent rolls 5 and 1, and
    scores nothing.
    """
