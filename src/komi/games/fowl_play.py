"""Fowl Play: draw chickens from one shared deck and stop before a wolf comes (Neller et al., 2013).

T. W. Neller, M. Malec, C. G. M. Presser and F. Jacobs, "Optimal, Approximately Optimal, and Fair
Play of the Fowl Play Card Game", Computers and Games 2013.
"""

from typing import NamedTuple

players = 2
actions = ("draw", "hold")
DRAW, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 50  # points that win
    wolves: int = 6  # wolf cards in the deck
    chickens: int = 42  # chicken cards in the deck
    komi: int = 0  # points the second player starts with


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points
    turn: int  # chickens drawn this turn: the points at risk
    wolves: int  # wolves out of the deck
    chickens: int  # chickens out of the deck


def limits(rules):
    return Rules(goal=(1, 200), wolves=(1, 50), chickens=(1, 200), komi=(0, rules.goal - 1))


def start(rules):
    return State(score=0, rival=rules.komi, turn=0, wolves=0, chickens=0)


def domains(rules):
    points = range(rules.goal + 1)
    return State(range(rules.goal), points, points, wolves=range(rules.wolves), chickens=range(rules.chickens + 1))


def possible(rules, state):
    return (
        0 <= state.score < rules.goal
        and 0 <= state.rival < rules.goal
        and state.score + state.turn <= rules.goal
        and 0 <= state.wolves < rules.wolves
        and 0 <= state.turn <= state.chickens <= rules.chickens
    )


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield DRAW
    if state.turn > 0:
        yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, rival, turn, wolves, chickens = state
    if action == HOLD:
        yield 1.0, State(rival, score + turn, 0, wolves, chickens), 1
        return
    wolves_left, chickens_left = rules.wolves - wolves, rules.chickens - chickens
    cards_left = wolves_left + chickens_left
    if chickens_left > 0:
        yield chickens_left / cards_left, State(score, rival, turn + 1, wolves, chickens + 1), 0
    if wolves_left > 1:
        yield wolves_left / cards_left, State(rival, score, 0, wolves + 1, chickens), 1
    else:  # the last wolf: all cards are shuffled back into the deck
        yield wolves_left / cards_left, State(rival, score, 0, 0, 0), 1


def event(rules, state, action, after):
    return "chicken" if after.turn else "wolf"


def over(rules, state):
    return state.rival >= rules.goal


def payoff(rules, state):
    return 0.0  # the opponent has just reached the goal


def how_to_play(rules):
    return f"""
    Draw chickens one by one, and hold before a wolf comes. First to {rules.goal} points wins.

    The deck holds {rules.chickens} chickens and {rules.wolves} wolves, and both players draw from it. On your turn
    draw a card: each chicken puts one point at risk. Draw again, or hold to bank the points and pass the turn. A
    wolf ends the turn, and the chickens of this turn are lost.

    Drawn cards stay out of the deck, so that its chances change. When the last wolf comes, all cards are shuffled.

    Example: you draw five chickens and hold: 5 points. Your opponent draws two chickens, then a wolf, and scores
    nothing. One wolf fewer is left for you.
    """
