"""The gambler's problem: stake coins on heads until you have them all, or none (Sutton and Barto, example 4.3)."""

from typing import NamedTuple

players = 1


class Rules(NamedTuple):
    heads: float = 0.4  # the chance of heads
    goal: int = 100  # coins that win
    capital: int = 50  # coins at the start


class State(NamedTuple):
    capital: int  # coins that you have


def limits(rules):
    return Rules(heads=(0.0, 1.0), goal=(2, 1000), capital=(1, rules.goal - 1))


def objective(rules):
    return "chance of reaching the goal"


def action_count(rules):
    return rules.goal // 2 + 1


def label(rules, state, action):
    return f"stake {action}"


def start(rules):
    return State(rules.capital)


def legal(rules, state):
    yield from range(1, min(state.capital, rules.goal - state.capital) + 1)


def outcomes(rules, state, action):
    yield rules.heads, State(state.capital + action), 0
    yield 1 - rules.heads, State(state.capital - action), 0


def over(rules, state):
    return state.capital == 0 or state.capital == rules.goal


def payoff(rules, state):
    return 1.0 if state.capital == rules.goal else 0.0


# Policies


def bold(rules, state):
    """Stake as much as is useful."""
    return min(state.capital, rules.goal - state.capital)


def timid(rules, state):
    """Stake one coin."""
    return 1


policies = (bold, timid)
