"""First Orchard: pick all fruit together before the raven has reached the orchard.

Anneliese Farkaschovsky's game for children from two on (HABA, 2009), played as one: a die with the colors of the
trees, a basket and a raven. A color picks a fruit of that tree, if one is left; the basket one of the players' choice.
Her older game Obstgarten (1986) has more of everything: `fruit=10, basket=2, steps=9`.
"""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 1
TREES = ("red apple", "green apple", "pear", "plum")


class Rules(NamedTuple):
    fruit: int = 4  # on each tree
    basket: int = 1  # fruit that the basket picks
    steps: int = 5  # of the raven


class State(NamedTuple):
    trees: tuple[int, ...]  # fruit left on each tree
    raven: int = 0  # steps that the raven has taken
    picks: int = 0  # fruit of the basket still to pick


actions = TREES


def limits(rules):
    return Rules((1, 12), (1, 3), (1, 15))


def objective(rules):
    return "chance of winning"


def start(rules):
    return State((rules.fruit, rules.fruit, rules.fruit, rules.fruit))


def legal(rules, state):
    if state.picks == 0:
        yield CHANCE
    else:
        for tree in range(len(state.trees)):
            if state.trees[tree] > 0:
                yield tree


def outcomes(rules, state, action):
    if action == CHANCE:
        chance = 1 / (len(state.trees) + 2)
        for tree in range(len(state.trees)):
            yield chance, state._replace(trees=put(state.trees, tree, max(state.trees[tree] - 1, 0))), 0
        yield chance, state._replace(picks=min(rules.basket, sum(state.trees))), 0
        yield chance, state._replace(raven=state.raven + 1), 0
    else:
        trees = put(state.trees, action, state.trees[action] - 1)
        yield 1.0, State(trees, state.raven, state.picks - 1), 0


def over(rules, state):
    return sum(state.trees) == 0 or state.raven == rules.steps


def payoff(rules, state):
    return 1.0 if sum(state.trees) == 0 else 0.0


def event(rules, state, action, after):
    if after.picks > state.picks:
        return "basket"
    if after.raven > state.raven:
        return "raven"
    for tree in range(len(TREES)):
        if after.trees[tree] < state.trees[tree]:
            return TREES[tree]
    return "empty tree"
