"""Published policies for races, as rules: functions in the language of game files.

They read the fields `score`, `rival` and `turn` of a state and the rule `goal`; the parameter `hold` is the number
of the action `hold`. T. W. Neller and C. G. M. Presser, "Practical Play of the Dice Game Pig", The UMAP
Journal 31(1), 2010.
"""

from komi.rules.interface import legal, outcomes
from komi.typing import Rules, State


def hold_at(rules: Rules, state: State, hold: int, points: int) -> int:
    """Hold with at least `points` points at risk, or when they reach the goal."""
    if state.turn >= points or state.score + state.turn >= rules.goal:
        return _hold_if_legal(rules, state, hold)
    return _go_on_if_legal(rules, state, hold)


def hold_at_total(rules: Rules, state: State, hold: int, points: int) -> int:
    """Hold with at least `points` points at risk, in a game without a goal."""
    if state.turn >= points:
        return _hold_if_legal(rules, state, hold)
    return _go_on_if_legal(rules, state, hold)


def keep_pace(rules: Rules, state: State, hold: int) -> int:
    """Keep pace and end race, for Pig at 100: from 71 points of either on, play to the goal.

    Until then, hold at 21 + (rival - own) / 8 points at risk.
    """
    if state.score + state.turn >= rules.goal:
        return _hold_if_legal(rules, state, hold)
    if state.score < 71 and state.rival < 71:
        # round to nearest, halves up
        points = 21 + (state.rival - state.score + 4) // 8
        if state.turn >= points:
            return _hold_if_legal(rules, state, hold)
    return _go_on_if_legal(rules, state, hold)


def cautious(rules: Rules, state: State, hold: int, times: int) -> int:
    """Hold unless the expected gain of points is more than `times` times the expected loss."""
    if state.score + state.turn >= rules.goal:
        return _hold_if_legal(rules, state, hold)
    going_on = _go_on_if_legal(rules, state, hold)
    gain = 0.0
    loss = 0.0
    now = state.score + state.turn
    for probability, after, passes in outcomes(rules, state, going_on):
        points = after.rival if passes & 1 else after.score + after.turn
        if points > now:
            gain += probability * (points - now)
        else:
            loss += probability * (now - points)
    return going_on if gain > times * loss else _hold_if_legal(rules, state, hold)


def _hold_if_legal(rules: Rules, state: State, hold: int) -> int:
    choice = -1
    for action in legal(rules, state):
        if choice < 0 or action == hold:
            choice = action
    return choice


def _go_on_if_legal(rules: Rules, state: State, hold: int) -> int:
    choice = -1
    for action in legal(rules, state):
        if choice < 0 or choice == hold:
            choice = action
    return choice
