"""A few turns alone, for tests: chance doubles a turn, which is then played safe or not, for points or for a target."""

from typing import NamedTuple

players = 1
actions = ("safe", "toss")
SAFE, TOSS = range(2)
CHANCE = -1


class Rules(NamedTuple):
    turns: int = 3
    target: int = 0  # points to reach; 0: the points are what counts


class State(NamedTuple):
    score: int  # only with a target
    turns: int  # left
    factor: int  # 0: chance is next; -1: the same after a toss that was won


def objective(rules):
    return "chance of reaching the target" if rules.target else "expected points"


def start(rules):
    return State(0, rules.turns, 0)


def legal(rules, state):
    if state.factor <= 0:
        yield CHANCE
    else:
        yield SAFE
        yield TOSS


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    kept = state.score if rules.target else 0
    if action == CHANCE:
        yield 0.25, State(state.score, state.turns, 2), 0
        yield 0.75, State(state.score, state.turns, 1), 0
    elif action == SAFE:
        yield 1.0, State(kept + state.factor * (rules.target > 0), state.turns - 1, 0), 1
    else:
        yield 0.375, State(kept + 3 * state.factor * (rules.target > 0), state.turns - 1, -1), 1
        yield 0.625, State(kept, state.turns - 1, 0), 1


def reward(rules, state, action, after):
    if rules.target or action == CHANCE:
        return 0.0
    if action == SAFE:
        return 1.0 * state.factor
    return 3.0 * state.factor if after.factor < 0 else 0.0


def over(rules, state):
    return state.turns == 0


def payoff(rules, state):
    return 1.0 if rules.target and state.score >= rules.target else 0.0
