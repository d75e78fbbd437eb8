"""The tiger: behind one of two doors waits a tiger, behind the other one gold; listen, or open a door.

From L. P. Kaelbling, M. L. Littman and A. R. Cassandra, "Planning and acting in partially observable stochastic
domains", Artificial Intelligence 101, 1998, with a number of rounds in place of the discount.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("listen", "open the left door", "open the right door")
LISTEN, OPEN_LEFT, OPEN_RIGHT = range(3)
UNKNOWN, LEFT, RIGHT = range(3)


class Rules(NamedTuple):
    rounds: int = 10  # in which you listen or open a door
    hear: float = 0.85  # chance that the tiger growls where it is
    gold: int = 10
    wound: int = 100  # what the tiger costs
    listening: int = 1  # what it costs to listen


class State(NamedTuple):
    rounds: int  # left to play
    placed: int = 0  # 1 once the tiger is behind a door
    tiger: int = UNKNOWN  # the door; UNKNOWN to the player
    growls: int = 0  # heard on the left, minus those on the right


def limits(rules):
    return Rules(rounds=(1, 100), hear=(0.5, 1.0), gold=(0, 1000), wound=(0, 1000), listening=(0, 1000))


def start(rules):
    return State(rules.rounds)


def view(rules, state):
    return state._replace(tiger=UNKNOWN)


def objective(rules):
    return "expected gold"


def legal(rules, state):
    if not state.placed:
        yield CHANCE
        return
    yield LISTEN
    yield OPEN_LEFT
    yield OPEN_RIGHT


def outcomes(rules, state, action):
    rounds = state.rounds - 1
    if action == CHANCE:
        yield 1 / 2, state._replace(placed=1, tiger=LEFT), 0
        yield 1 / 2, state._replace(placed=1, tiger=RIGHT), 0
    elif action == LISTEN:
        side = 1 if state.tiger == LEFT else -1
        yield rules.hear, state._replace(rounds=rounds, growls=state.growls + side), 0
        yield 1 - rules.hear, state._replace(rounds=rounds, growls=state.growls - side), 0
    else:
        yield 1.0, State(rounds), 0


def over(rules, state):
    return state.rounds == 0


def reward(rules, state, action, after):
    if action == CHANCE:
        return 0.0
    if action == LISTEN:
        return -rules.listening
    return -rules.wound if action == state.tiger else rules.gold


def payoff(rules, state):
    return 0.0


def lead_of(rules, state, lead):
    """Open the other door once one side has growled so many times more often than the other."""
    if state.growls >= lead:
        return OPEN_RIGHT
    return OPEN_LEFT if state.growls <= -lead else LISTEN


def two_more(rules, state):
    return lead_of(rules, state, 2)
