"""Piglet: flip a coin as often as you dare; tails ends the turn with nothing (Neller and Presser, 2004).

T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004, for two
players. With more the rules are the same: the first player to hold with the goal reached wins, and all others lose.
"""

from typing import NamedTuple

from komi.games._seats import are_below, before, handicaps, most_komi, passed

actions = ("flip", "hold")
FLIP, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 10  # points that win
    komi: int = 0  # points the second player starts with; the third starts with twice as many, and so on
    players: int = 2


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points; with more than two players those of the next
    turn: int  # heads this turn: the points at risk
    rival2: int = 0  # points of the next player but one, with three or more
    rival3: int = 0  # points of the last player, with four


def players(rules):
    return rules.players


def fields(rules):
    return State._fields[: rules.players + 1]


def limits(rules):
    return Rules(goal=(1, 1000), komi=(0, most_komi(rules.players, rules.goal)), players=(2, 4))


def opponents(rules):
    if rules.players == 2:  # of the usual ones, the cautious one would play as the one for most points does
        yield "hold-at:4", "Daring: goes on until four points are at stake."
        yield "max-score", "Maximizes the expected points of each turn, whatever the scores are."
        yield "optimal", "Plays optimally: no one can do better."


def start(rules):
    score, rival, rival2, rival3 = handicaps(rules.players, rules.komi)
    return State(score, rival, 0, rival2, rival3)


def domains(rules):
    points = range(rules.goal + 1)
    last = [points if seat == rules.players - 1 else range(rules.goal) for seat in range(4)]  # who has just held
    return State(range(rules.goal), last[1], turn=points, rival2=last[2], rival3=last[3])


def possible(rules, state):
    in_range = are_below(rules.players, rules.goal, state.score, state.rival, state.rival2, state.rival3)
    return in_range and 0 <= state.turn <= rules.goal - state.score


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield FLIP
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == HOLD:
        yield 1.0, _passed(rules, state, state.score + state.turn), 1
        return
    yield 0.5, State(state.score, state.rival, state.turn + 1, state.rival2, state.rival3), 0
    yield 0.5, _passed(rules, state, state.score), 1


def _passed(rules, state, own):
    """Return the state after a turn that leaves the mover with `own` points, as seen by the next player."""
    score, rival, rival2, rival3 = passed(rules.players, own, state.rival, state.rival2, state.rival3)
    return State(score, rival, 0, rival2, rival3)


def event(rules, state, action, after):
    return "heads" if after.turn else "tails"


def over(rules, state):
    return before(rules.players, state.rival, state.rival2, state.rival3) >= rules.goal


def payoff(rules, state, seat=0):
    return 1.0 if seat == rules.players - 1 else 0.0  # the player before has just reached the goal


def how_to_play(rules):
    return f"""
    Flip a coin as often as you dare, and hold before tails comes. First to {rules.goal} points wins.

    On your turn flip the coin: each head puts one point at risk. Flip again, or hold to bank the points and pass
    the turn. Tails ends the turn, and the points at risk are lost. You win when you hold with {rules.goal} points
    or more.

    Example: you flip heads twice and hold: 2 points. Your opponent flips heads, then tails, and scores nothing.
    """
