"""The first player puts a coin under one of two cups, or a throw does: the second may not know which of them did."""

from typing import NamedTuple

players = 2
actions = ("left", "right", "throw", "ask")
LEFT, RIGHT, THROW, ASK = range(4)


class Rules(NamedTuple):
    thrown: bool = True  # whether the first player may throw for it, always to the left
    asks: bool = False  # whether the second may ask, but only where the coin is on the right


class State(NamedTuple):
    stage: int  # 0: the first player puts it or throws; 1: it is put; 2: the second player looks; 3: the end
    cup: int  # 0: none, 1: left, 2: right
    won: int  # by the player to move at the end


def start(rules):
    return State(0, 0, 0)


def view(rules, state):
    return State(2, 1, 0) if state.stage == 2 else state


def legal(rules, state):
    if state.stage == 0:
        yield LEFT
        if rules.thrown:
            yield THROW
        return
    yield LEFT
    yield RIGHT
    if rules.asks and state.cup == 2:
        yield ASK


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if state.stage == 0 and action == THROW:
        yield 0.5, State(2, 1, 0), 1
        yield 0.5, State(3, 0, 0), 1
    elif state.stage == 0:
        yield 1.0, State(1, 0, 0), 0
    elif state.stage == 1:
        yield 1.0, State(2, action + 1, 0), 1
    else:
        yield 1.0, State(3, 0, int(state.cup != action + 1)), 1


def over(rules, state):
    return state.stage == 3


def payoff(rules, state):
    return float(state.won)
