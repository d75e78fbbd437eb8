"""A random game of one player over a few places, in which much is gained, or very little, or lost."""

from typing import NamedTuple

from plan_numbers import drawn

players = 1
actions = ("first", "second", "third")


class Rules(NamedTuple):
    plan: int = 0
    places: int = 3  # where the game goes on
    ends: int = 2  # places beyond these, where it ends
    little: float = 1e-12  # what some steps gain
    much: float = 1e9  # what others do
    least: bool = False  # whether the player wants the least


class State(NamedTuple):
    place: int


def aim(rules):
    return "least" if rules.least else "most"


def objective(rules):
    return "expected points"


def start(rules):
    return State(0)


def legal(rules, state):
    kind = drawn(rules, state.place, 0, 0, 0)
    yield 0
    if kind > 20:
        yield 1
    if kind > 42:
        yield 2


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    likely = (1 + drawn(rules, state.place, action, 0, 1) % 4) / 4
    for outcome in range(2):
        probability = 1.0 - likely if outcome else likely
        if probability > 0.0:
            yield probability, State(drawn(rules, state.place, action, outcome, 2) % (rules.places + rules.ends)), 1


def reward(rules, state, action, after):
    kind = drawn(rules, state.place, action, after.place, 3) % 16
    costs = 1.0 if rules.least else -1.0  # steps are rather a cost: else most games would gain without limit
    if kind < 1:
        return 0.0
    if kind < 8:
        return costs * rules.little
    if kind < 12:
        return costs
    if kind < 13:
        return -costs * rules.little
    return costs * rules.much


def over(rules, state):
    return state.place >= rules.places


def payoff(rules, state):
    return (state.place - rules.places) / max(1, rules.ends - 1)
