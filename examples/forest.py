"""Forest: wait for old trees or cut them, with a yearly risk of fire.

The example of pymdptoolbox (mdptoolbox.example.forest): play never ends, and money is worth less each year.
"""

from typing import NamedTuple

players = 1
actions = ("wait", "cut")
WAIT, CUT = range(2)


class Rules(NamedTuple):
    ages: int = 3  # of the trees: the last one is old
    waiting: float = 4.0  # the reward for waiting where the trees are old
    cutting: float = 2.0  # the reward for cutting old trees; younger ones but the youngest bring 1
    fire: float = 0.1  # chance of a fire in a year
    discount: float = 0.9  # the worth of money in a year


class State(NamedTuple):
    age: int = 0  # of the trees


def limits(rules):
    return Rules(ages=(2, 1000), fire=(0.0, 1.0), discount=(0.001, 0.9999), waiting=None, cutting=None)


def discount(rules):
    return rules.discount


def objective(rules):
    return "expected discounted reward"


def start(rules):
    return State()


def legal(rules, state):
    yield WAIT
    yield CUT


def outcomes(rules, state, action):
    if action == CUT:
        yield 1.0, State(0), 0
    else:
        yield rules.fire, State(0), 0
        yield 1.0 - rules.fire, State(min(state.age + 1, rules.ages - 1)), 0


def reward(rules, state, action, after):
    is_old = state.age == rules.ages - 1
    if action == WAIT:
        return rules.waiting if is_old else 0.0
    return rules.cutting if is_old else 1.0 if state.age > 0 else 0.0


def over(rules, state):
    return False


def payoff(rules, state):
    return 0.0


def event(rules, state, action, after):
    return "trees grow" if after.age else "fire"
