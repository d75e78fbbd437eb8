"""Think: alone, five turns of Pig with two dice; two 1s lose the whole score.

R. Falk and M. Tadmor-Troyanski, "Follow-up to THINK", Teaching Statistics 21(1), 1999; as solitaire in T. W. Neller,
I. Russell and Z. Markov, "Solving the Dice Game Pig", 2005. Without a 1 the sum of the dice joins the turn total; a
single 1 loses the turn total, two 1s the turn total and the score; both end the turn. Most expected points. Whether a
turn may be held before its first roll is not said: it may, and no player gains by it with fewer than 130 points.

Points have no end. A turn must be held from `_enough` points at risk on, which changes no value. A turn ends with two
1s at most once in 11 times, so of a point that is held at least the share q = (10 / 11) ** (turns to come) is kept on
average, and no more than one. With k points at risk one more roll gains at most 25 / 36 * 8 points on average, and
loses at least q k * 11 / 36: more, from k = 200 / (11 q) on. There not to hold can only lose, for more points at risk
make it ever worse. `_enough` is twice that for the first turn.
"""

from typing import NamedTuple

players = 1
aim = "most"
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    turns: int = 5


class State(NamedTuple):
    score: int  # points held
    turn: int  # points rolled this turn, at risk
    turns: int  # turns left, this one counted


def limits(rules):
    return Rules(turns=(1, 20))


def objective(rules):
    return "expected points"


def start(rules):
    return State(score=0, turn=0, turns=rules.turns)


def domains(rules):
    most = _enough(rules) + 12  # of a turn
    return State(score=range(most * rules.turns + 1), turn=range(most + 1), turns=range(rules.turns + 1))


def possible(rules, state):
    most = _enough(rules) + 12  # of a turn
    in_range = 0 < state.turns <= rules.turns and 0 <= state.score <= most * (rules.turns - state.turns)
    return in_range and (state.turn == 0 or 4 <= state.turn <= most)


def legal(rules, state):
    if state.turn < _enough(rules):
        yield ROLL
    yield HOLD


def _enough(rules):
    """Return the points at risk at which rolling again is not allowed."""
    return int(2.0 * 200.0 / 11.0 * 1.1 ** (rules.turns - 1)) + 1


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    score, turn, turns = state
    if action == HOLD:
        yield 1.0, State(score + turn, 0, turns - 1), 1
        return
    yield 1 / 36, State(0, 0, turns - 1), 1
    yield 10 / 36, State(score, 0, turns - 1), 1
    for total in range(4, 13):
        ways = 5 - abs(total - 8)  # of rolling it without a 1
        yield ways / 36, State(score, turn + total, turns), 0


def event(rules, state, action, after):
    if after.turns == state.turns:
        return f"total {after.turn - state.turn}"
    if state.score == 0:  # there is nothing more to lose
        return "a 1"
    return "one 1" if after.score else "two 1s"


def reward(rules, state, action, after):
    return float(after.score - state.score)


def over(rules, state):
    return state.turns == 0


def payoff(rules, state):
    return 0.0  # the points count, as rewards


def table(rules, state):
    """Yield what lies on the table: the score, the turns, and the points at risk."""
    yield "counter", "Score", -1, "points", state.score
    yield "track", "Turns", -1, "turns left", state.turns, rules.turns
    yield "counter", "This turn", -1, "points at risk", state.turn


def laid(rules, event):
    """Yield both dice, as far as the event tells what they show."""
    ones = {"a 1": 1, "one 1": 1, "two 1s": 2}.get(event, 0)
    for die in range(2):
        yield "die", "Last roll", -1, "1" if die < ones else "?"
    if ones == 0:
        yield "token", "Last roll", -1, event


def how_to_play(rules):
    return f"""
    Alone, {rules.turns} turns of Pig with two dice. Score as many points as you can.

    Roll both dice: without a 1, their total is added to the points at risk. Roll again, or hold to bank the points
    and end the turn. A single 1 ends the turn, and the points at risk are lost. Two 1s cost the whole score too.

    Example: you roll 9 and 7, and hold: 16 points. In the next turn you roll 8, then a 5 and a 1, and score
    nothing.
    """
