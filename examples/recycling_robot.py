"""Recycling robot: search for cans, wait or recharge, for ever.

Example 3.3 of Sutton and Barto, Reinforcement Learning (2018), with the average per action, or with a discount below 1.
"""

from typing import NamedTuple

players = 1
actions = ("search", "wait", "recharge")
SEARCH, WAIT, RECHARGE = range(3)


class Rules(NamedTuple):
    found: float = 5.0  # cans found by searching, in one action
    waiting: float = 1.0  # cans brought by people meanwhile
    rescue: float = -3.0  # the reward if the battery runs flat
    stays_high: float = 0.8  # chance that a search leaves a high battery high
    stays_low: float = 0.4  # chance that a search does not run a low battery flat
    discount: float = 1.0  # of rewards, with each action; 1 for their average


class State(NamedTuple):
    low: int = 0  # whether the battery is low
    rescued: int = 0  # whether the battery has just run flat


def limits(rules):
    chance = (0.0, 1.0)
    return Rules(None, None, None, chance, chance, (0.001, 1.0))


def discount(rules):
    return rules.discount


def average(rules):
    return rules.discount == 1.0


def objective(rules):
    return "average cans per action" if rules.discount == 1.0 else "expected discounted cans"


def start(rules):
    return State()


def legal(rules, state):
    yield SEARCH
    yield WAIT
    if state.low:
        yield RECHARGE


def outcomes(rules, state, action):
    if action == WAIT:
        yield 1.0, State(state.low), 0
    elif action == RECHARGE:
        yield 1.0, State(0), 0
    elif state.low:
        yield rules.stays_low, State(1), 0
        yield 1.0 - rules.stays_low, State(0, 1), 0
    else:
        yield rules.stays_high, State(0), 0
        yield 1.0 - rules.stays_high, State(1), 0


def reward(rules, state, action, after):
    if action == SEARCH:
        return rules.rescue if after.rescued else rules.found
    return rules.waiting if action == WAIT else 0.0


def over(rules, state):
    return False


def payoff(rules, state):
    return 0.0


def event(rules, state, action, after):
    if after.rescued:
        return "flat, and rescued"
    return "battery low" if after.low else "battery high"
