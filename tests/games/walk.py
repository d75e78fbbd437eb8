"""Walk: a gambler stakes coins, one or more at once, until a goal is reached or all is lost; for tests."""

from typing import NamedTuple

players = 1
actions = tuple(f"stake {2**i}" for i in range(16))


class Rules(NamedTuple):
    goal: int = 1000
    coins: int = 300
    up: float = 0.5
    stay: float = 0.0  # how probable it is that nothing changes
    stakes: int = 1  # that there are: 1, 2, 4, ...


class State(NamedTuple):
    coins: int


def start(rules):
    return State(rules.coins)


def legal(rules, state):
    if rules.stakes == 1:
        yield -1
        return
    for stake in range(rules.stakes):
        if 1 << stake <= min(state.coins, rules.goal - state.coins):
            yield stake


def outcomes(rules, state, action):
    stake = 1 << max(action, 0)
    yield rules.stay, state, 0
    yield (1.0 - rules.stay) * rules.up, State(state.coins + stake), 0
    yield (1.0 - rules.stay) * (1.0 - rules.up), State(state.coins - stake), 0


def over(rules, state):
    return state.coins == 0 or state.coins == rules.goal


def payoff(rules, state):
    return 1.0 if state.coins == rules.goal else 0.0
