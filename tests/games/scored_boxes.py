"""Boxes: fill one box after the other for its points, or toss for one; a stored state has many actions that score."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1


class Rules(NamedTuple):
    boxes: int = 7


class State(NamedTuple):
    filled: int  # bit mask of boxes
    tossed: int  # whether a coin is in the air


def start(rules):
    return State(0, 0)


def label(rules, state, action):
    return "toss" if action == rules.boxes else f"fill {action + 1}"


def transient(rules, state):
    return state.tossed > 0


def legal(rules, state):
    if state.tossed:
        yield CHANCE
    else:
        for box in range(rules.boxes):
            if not state.filled >> box & 1:
                yield box
        yield rules.boxes


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == CHANCE:
        lowest = (state.filled + 1) & ~state.filled
        yield 1 / 2, State(state.filled | lowest, 0), 0
        yield 1 / 2, State((1 << rules.boxes) - 1, 0), 0
    elif action == rules.boxes:
        yield 1.0, State(state.filled, 1), 0
    else:
        yield 1.0, State(state.filled | 1 << action, 0), 0


def reward(rules, state, action, after):
    return 8.0 if action == CHANCE else action + 1.0 if action < rules.boxes else 0.0


def over(rules, state):
    return state.filled == (1 << rules.boxes) - 1


def payoff(rules, state):
    return 0.0


def stage(rules, state):
    filled = 0
    for box in range(rules.boxes):
        filled += state.filled >> box & 1
    return filled


def order(rules, state):
    return state.filled
