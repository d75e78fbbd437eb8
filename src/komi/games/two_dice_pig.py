"""Two-Dice Pig: Pig with two dice; a 1 loses the turn, two 1s lose the whole score.

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
    return State(score=range(rules.goal), rival=range(rules.goal + 12), turn=range(rules.goal + 12))


def possible(rules, state):
    in_range = 0 <= state.score < rules.goal and 0 <= state.rival < rules.goal
    return in_range and (state.turn == 0 or 4 <= state.turn < rules.goal - state.score + 12)


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
    yield 1 / 36, State(rival, 0, 0), 1
    yield 10 / 36, State(rival, score, 0), 1
    for total in range(4, 13):
        ways = 5 - abs(total - 8)  # of rolling it without a 1
        yield ways / 36, State(score, rival, turn + total), 0


def event(rules, state, action, after):
    if after.turn:
        return f"total {after.turn - state.turn}"
    if state.score == 0:  # there is nothing more to lose
        return "a 1"
    return "one 1" if after.rival else "two 1s"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def how_to_play(rules):
    return f"""
    Roll two dice as often as you dare, and hold before a 1 comes. First to {rules.goal} points wins.

    On your turn roll both dice: without a 1, their total is added to the points at risk. Roll again, or hold to
    bank the points and pass the turn. A single 1 ends the turn, and the points at risk are lost. Two 1s cost your
    whole score too.

    Example: you roll 5 and 3, then 6 and 2, and hold: 16 points. Your opponent, with 30 points, rolls two 1s and is
    back at 0.
    """
