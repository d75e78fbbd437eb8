"""Play along the edges of any graph of seven nodes, which is one number: bit 7 * a + b is the edge from a to b."""

from typing import NamedTuple

players = 2
NODES = 7
END = 7


class Rules(NamedTuple):
    edges: int = 0


class State(NamedTuple):
    node: int


def label(rules, state, action):
    return f"to {action}"


def start(rules):
    return State(0)


def legal(rules, state):
    row = (rules.edges >> (NODES * state.node)) & 127
    for target in range(NODES):
        if (row >> target) & 1:
            yield target
    if row == 0:
        yield END


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on): half of it twice, to be merged into one outcome."""
    yield 0.5, State(action), 1
    yield 0.5, State(action), 1


def over(rules, state):
    return state.node == END


def payoff(rules, state):
    return 1.0
