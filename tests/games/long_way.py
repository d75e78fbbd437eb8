"""Long Way: terraces that only near-optimal play climbs, and a hall that is crossed for sure, but seldom at once."""

from typing import NamedTuple

players = 2
actions = ("low", "high", "wait")


class Rules(NamedTuple):
    terraces: int = 11
    hall: int = 15  # steps, each of which one try in a hundred gets through


class State(NamedTuple):
    hall: int = 0  # step in the hall
    terrace: int = 0  # beyond the last one the climber has won, or lost
    chosen: int = 0  # the climber's action, and 1


def start(rules):
    return State()


def legal(rules, state):
    yield 0
    if state.hall == 0:
        yield 1
        if state.chosen == 0 and rules.hall > 0:
            yield 2


def outcomes(rules, state, action):
    if state.hall > 0:
        yield 0.01, State(terrace=rules.terraces) if state.hall == rules.hall else State(state.hall + 1), 2
        yield 0.99, State(), 2
    elif state.chosen == 0:
        yield 1.0, state._replace(chosen=action + 1), 1
    elif state.chosen == 3:
        yield 1.0, State(hall=1), 1
    elif state.chosen - 1 == action:
        yield 1.0, State(terrace=state.terrace + 1), 1
    else:
        yield 1.0, State(terrace=0 if state.chosen == 1 else rules.terraces + 1), 1


def over(rules, state):
    return state.terrace >= rules.terraces


def payoff(rules, state):
    return 1.0 if state.terrace == rules.terraces else 0.0


def view(rules, state):
    return state._replace(chosen=min(state.chosen, 1))


def turned(rules, state):
    return state
