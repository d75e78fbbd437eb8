"""Pig Solitaire: Pig alone, against the clock or for points.

T. W. Neller, I. Russell and Z. Markov, "Solving the Dice Game Pig", 2005, exercises. Three games in one: the best
chance of reaching the goal within the turns (`reach`), most points within the turns, whatever the goal (`score`), or
fewest turns to the goal, however many (`turns`). A turn begins with a roll; with the goal reached it is held.

Points have no end in `score`, and neither would turns. There a turn must be held from `sides * (sides + 1)` points at
risk on, which changes no value: the turns do not depend on each other, and with k points at risk one more roll gains
(2 + ... + sides - k) / sides on average, which is less than nothing from half as many points on, and ever less: not to
hold there can only lose.
"""

from typing import NamedTuple

players = 1
actions = ("roll", "hold")
ROLL, HOLD = range(2)


class Rules(NamedTuple):
    goal: int = 100  # points to reach
    turns: int = 10  # to reach the goal or to score in
    sides: int = 6  # faces of the die
    objective: str = "reach"  # the chance of reaching the goal, the score, or the turns to the goal


class State(NamedTuple):
    score: int = 0  # points held; not counted where the score is the objective
    turn: int = 0  # points rolled this turn, at risk
    turns: int = 0  # turns left, this one counted; not counted where turns are the objective


def fields(rules):
    if rules.objective == "reach":
        return State._fields
    return ("turn", "turns") if rules.objective == "score" else ("score", "turn")


def limits(rules):
    return Rules(goal=(1, 1000), turns=(1, 1000), sides=(2, 100), objective=("reach", "score", "turns"))


def objective(rules):
    if rules.objective == "reach":
        return "chance of reaching the goal"
    return "expected points" if rules.objective == "score" else "expected turns"


def aim(rules):
    return "least" if rules.objective == "turns" else "most"


def start(rules):
    return State(0, 0, 0 if rules.objective == "turns" else rules.turns)


def domains(rules):
    most = (_enough(rules) if rules.objective == "score" else rules.goal) + rules.sides
    return State(score=range(rules.goal + rules.sides), turn=range(most), turns=range(rules.turns + 1))


def possible(rules, state):
    if rules.objective == "score":
        return state.score == 0 and 0 <= state.turn < _enough(rules) + rules.sides and 0 < state.turns <= rules.turns
    in_time = state.turns == 0 if rules.objective == "turns" else 0 < state.turns <= rules.turns
    return in_time and 0 <= state.score < rules.goal and 0 <= state.turn < rules.goal - state.score + rules.sides


def legal(rules, state):
    if state.turn < _enough(rules) - state.score:
        yield ROLL
    if state.turn > 0:
        yield HOLD


def _enough(rules):
    """Return the points, held or at risk, at which rolling again is not allowed."""
    return rules.sides * (rules.sides + 1) if rules.objective == "score" else rules.goal


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    left = 0 if rules.objective == "turns" else state.turns - 1
    if action == HOLD:
        yield 1.0, State(0 if rules.objective == "score" else state.score + state.turn, 0, left), 1
        return
    chance = 1.0 / rules.sides
    yield chance, State(state.score, 0, left), 1
    for face in range(2, rules.sides + 1):
        yield chance, State(state.score, state.turn + face, state.turns), 0


def event(rules, state, action, after):
    return str(after.turn - state.turn) if after.turn else "1"


def reward(rules, state, action, after):
    if rules.objective == "score":
        return float(state.turn) if action == HOLD else 0.0
    return 1.0 if rules.objective == "turns" and after.turn == 0 else 0.0


def over(rules, state):
    if rules.objective == "score":
        return state.turns == 0
    return state.score >= rules.goal or (rules.objective == "reach" and state.turns == 0)


def payoff(rules, state):
    return 1.0 if rules.objective == "reach" and state.score >= rules.goal else 0.0


def table(rules, state):
    """Yield what lies on the table: the way to the goal, the turns, and the points at risk."""
    if rules.objective != "score":
        yield "track", "Score", -1, "points", min(state.score, rules.goal), rules.goal
    if rules.objective != "turns":
        yield "track", "Turns", -1, "turns left", state.turns, rules.turns
    yield "counter", "This turn", -1, "points at risk", state.turn


def laid(rules, event):
    yield "die", "This turn", -1, event


def how_to_play(rules):
    more = {
        "reach": f" Reach {rules.goal} points within {rules.turns} turns.",
        "score": f" Score as many points as you can in {rules.turns} turns.",
        "turns": f" Reach {rules.goal} points in as few turns as you can.",
    }[rules.objective]
    return f"""
    Pig alone: roll a die as often as you dare, and hold before a 1 comes.{more}

    Each roll but a 1 is added to the points at risk. Roll again, or hold to bank the points and end the turn. A 1
    ends the turn, and the points at risk are lost.

    Example: you roll 5, 3 and 6, and hold: 14 points. In the next turn you roll 4 and then 1, and score nothing.
    """
