"""Progressive Pig: Pig in which every turn scores, a 1 one point and a hold at least one.

T. W. Neller, I. Russell and Z. Markov, "Solving the Dice Game Pig: an introduction to dynamic
programming and value iteration", 2005.
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
    return State(score=range(rules.goal), rival=range(rules.goal + 6), turn=range(rules.goal + 6))


def possible(rules, state):
    in_range = 0 <= state.score < rules.goal and 0 <= state.rival < rules.goal
    return in_range and (state.turn == 0 or 2 <= state.turn < rules.goal - state.score + 6)


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn = state
    if action == HOLD:
        yield 1.0, State(rival, score + max(turn, 1), 0), 1
        return
    yield 1 / 6, State(rival, score + 1, 0), 1
    for face in range(2, 7):
        yield 1 / 6, State(score, rival, turn + face), 0


def event(rules, state, action, after):
    return str(after.turn - state.turn) if after.turn else "1"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def how_to_play(rules):
    return f"""
    Roll a die as often as you dare, and hold before a 1 comes. Every turn scores at least one point. First to
    {rules.goal} wins.

    On your turn roll: any number but 1 is added to the points at risk. Roll again, or hold to bank the points and
    pass the turn. A 1 ends the turn: the points at risk are lost, and you score one point. A hold scores at least
    one point too.

    Example: you roll 5, 3 and 6, and hold: 14 points. Your opponent rolls 4 and then 1, and scores a single point.
    """
