"""Hot Potato: keep it or pass it on; three seats, and no pure equilibrium.

Who keeps it ends the game and gets less than the seat before, which has just passed it on. Nobody wants to be the
first to keep it, and no player wants it to go round until it bursts.
"""

from typing import NamedTuple

players = 3
actions = ("pass", "keep")
PASS, KEEP = range(2)


class Rules(NamedTuple):
    burst: float = 0.1  # the chance that it bursts in the hands of who passes it on


class State(NamedTuple):
    ended: int = 0  # 0: play goes on; 1: the player before has kept it; 2: it has burst


def start(rules):
    return State(0)


def legal(rules, state):
    yield PASS
    yield KEEP


def outcomes(rules, state, action):
    if action == KEEP:
        yield 1.0, State(1), 1
        return
    yield rules.burst, State(2), 1
    yield 1.0 - rules.burst, State(0), 1


def over(rules, state):
    return state.ended > 0


def payoff(rules, state, seat=0):
    if state.ended == 2:
        return 0.0 if seat == 2 else 0.5
    return 0.35 if seat == 2 else 0.55 if seat == 1 else 0.1
