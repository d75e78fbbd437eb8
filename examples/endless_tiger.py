"""The endless tiger: behind one of two doors waits a tiger, behind the other one gold; listen or open, for ever.

From L. P. Kaelbling, M. L. Littman and A. R. Cassandra, "Planning and acting in partially observable stochastic
domains", Artificial Intelligence 101, 1998, with a discount. You remember all growls; a state has the last one.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("listen", "open the left door", "open the right door")
LISTEN, OPEN_LEFT, OPEN_RIGHT = range(3)
UNKNOWN, LEFT, RIGHT = range(3)


class Rules(NamedTuple):
    hear: float = 0.85  # chance that the tiger growls where it is
    gold: int = 10
    wound: int = 100  # what the tiger costs
    listening: int = 1  # what it costs to listen
    discount: float = 0.95  # of what comes an action later


class State(NamedTuple):
    placed: int = 0  # 1 once the tiger is behind a door
    tiger: int = UNKNOWN  # the door; UNKNOWN to the player
    growl: int = UNKNOWN  # the door behind which the last growl was heard


def limits(rules):
    return Rules(hear=(0.5, 1.0), gold=(0, 1000), wound=(0, 1000), listening=(0, 1000), discount=(0.001, 0.999))


def discount(rules):
    return rules.discount


def start(rules):
    return State()


def view(rules, state):
    return state._replace(tiger=UNKNOWN)


def objective(rules):
    return "expected discounted gold"


def legal(rules, state):
    if not state.placed:
        yield CHANCE
        return
    yield LISTEN
    yield OPEN_LEFT
    yield OPEN_RIGHT


def outcomes(rules, state, action):
    if action == CHANCE:
        yield 1 / 2, State(1, LEFT), 0
        yield 1 / 2, State(1, RIGHT), 0
    elif action == LISTEN:
        yield rules.hear, state._replace(growl=state.tiger), 0
        yield 1 - rules.hear, state._replace(growl=LEFT + RIGHT - state.tiger), 0
    else:
        yield 1.0, State(), 0


def over(rules, state):
    return False


def reward(rules, state, action, after):
    if action == CHANCE:
        return 0.0
    if action == LISTEN:
        return -rules.listening
    return -rules.wound if action == state.tiger else rules.gold


def payoff(rules, state):
    return 0.0
