"""A coin is thrown at once or after a detour, which is worth the same; or each leaves it to the other."""

from typing import NamedTuple

players = 2
actions = ("throw", "detour", "leave it")


class Rules(NamedTuple):
    leave: bool = False


class State(NamedTuple):
    where: int  # 0 the start, 1 the detour, 2 won, 3 lost


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    if state.where == 0:
        yield 1
        if rules.leave:
            yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if action == 0:
        yield 0.5, State(2), 0
        yield 0.5, State(3), 0
    else:
        yield 1.0, State(1 if action == 1 else 0), action - 1


def over(rules, state):
    return state.where > 1


def payoff(rules, state):
    return 1.0 if state.where == 2 else 0.0
