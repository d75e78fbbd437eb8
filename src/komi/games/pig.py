"""Pig: roll a die as often as you dare; a 1 ends the turn with nothing (Scarne, 1945).

T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004, for two
players. With more the rules are the same: the first player to hold with the goal reached wins, and all others lose.
"""

from typing import NamedTuple

from komi.branchless import either
from komi.games._seats import are_below, before, handicaps, most_komi, passed

actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 100  # points that win
    sides: int = 6  # faces of the die
    komi: int = 0  # points the second player starts with; the third starts with twice as many, and so on
    players: int = 2


class State(NamedTuple):  # as the player to move sees it
    score: int  # own points
    rival: int  # the opponent's points; with more than two players those of the next
    turn: int  # points rolled this turn, at risk
    rival2: int = 0  # points of the next player but one, with three or more
    rival3: int = 0  # points of the last player, with four


def players(rules):
    return rules.players


def fields(rules):
    return State._fields[: rules.players + 1]


def limits(rules):
    return Rules(goal=(1, 1000), sides=(2, 100), komi=(0, most_komi(rules.players, rules.goal)), players=(2, 4))


def start(rules):
    score, rival, rival2, rival3 = handicaps(rules.players, rules.komi)
    return State(score, rival, 0, rival2, rival3)


def domains(rules):
    beyond = range(rules.goal + rules.sides)
    last = [beyond if seat == rules.players - 1 else range(rules.goal) for seat in range(4)]  # who has just held
    return State(range(rules.goal), last[1], turn=beyond, rival2=last[2], rival3=last[3])


def possible(rules, state):
    in_range = are_below(rules.players, rules.goal, state.score, state.rival, state.rival2, state.rival3)
    return in_range and (state.turn == 0 or 2 <= state.turn < rules.goal - state.score + rules.sides)


def legal(rules, state):
    if state.score + state.turn < rules.goal:  # with the goal reached, holding wins
        yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == HOLD:
        yield 1.0, _passed(rules, state, state.score + state.turn), 1
        return
    chance = 1.0 / rules.sides
    yield chance, _passed(rules, state, state.score), 1
    for face in range(2, rules.sides + 1):
        yield chance, State(state.score, state.rival, state.turn + face, state.rival2, state.rival3), 0


def pick(rules, state, uniform):
    """Return the number of legal actions, and one of them picked with a uniform random number."""
    if state.score + state.turn < rules.goal:
        return 2, ROLL if uniform < 0.5 else HOLD
    return 1, HOLD


def sample(rules, state, action, uniform):
    """Sample an outcome with a uniform random number."""
    face = 1 + int(uniform * rules.sides)
    holds, falls = action == HOLD, face == 1
    rolled = State(state.score, state.rival, state.turn + face, state.rival2, state.rival3)
    rolled = either(falls, _passed(rules, state, state.score), rolled)
    after = either(holds, _passed(rules, state, state.score + state.turn), rolled)
    return either(holds, 1.0, 1.0 / rules.sides), after, int(holds | falls)


def _passed(rules, state, own):
    """Return the state after a turn that leaves the mover with `own` points, as seen by the next player."""
    score, rival, rival2, rival3 = passed(rules.players, own, state.rival, state.rival2, state.rival3)
    return State(score, rival, 0, rival2, rival3)


def event(rules, state, action, after):
    return str(after.turn - state.turn) if after.turn else "1"


def over(rules, state):
    return before(rules.players, state.rival, state.rival2, state.rival3) >= rules.goal


def payoff(rules, state, seat=0):
    return 1.0 if seat == rules.players - 1 else 0.0  # the player before has just reached the goal


def how_to_play(rules):
    return f"""
    Roll a die as often as you dare, and hold before a 1 comes. First to {rules.goal} points wins.

    On your turn roll: any number but 1 is added to the points at risk. Roll again, or hold to bank the points and
    pass the turn. A 1 ends the turn, and the points at risk are lost. You win when you hold with {rules.goal}
    points or more.

    Example: you roll 5, 3 and 6, and hold: 14 points. Your opponent rolls 4, 6 and then 1, and scores nothing.
    """
