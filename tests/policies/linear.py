"""A kind of policy that komi does not know: the action with the greatest weighted sum of the fields of the state."""

from dataclasses import dataclass

import numpy as np

from komi.policies.policy import Policy, PolicyCode
from komi.policies.tabulate import tabulate_calls
from komi.rules.interface import legal


@dataclass(frozen=True, eq=False)
class Linear(Policy):
    name: str
    weights: np.ndarray  # float64[actions, fields + 1], the last of each action a constant

    def tabulate(self, compiled, rules, states):
        return tabulate_calls(self, compiled, rules, states)

    def code(self):
        return PolicyCode(greatest, (self.weights,))

    def choose(self, game, rules, state, uniform):
        sums = {action: self.weights[action] @ [*state, 1] for action in game.part("legal")(rules, state)}
        return max(sums, key=sums.get)


@dataclass(frozen=True, eq=False)
class Mixed(Policy):
    """Takes action 1 with a given probability."""

    name: str
    share: float

    def code(self):
        return PolicyCode(mix, (self.share,))

    def choose(self, game, rules, state, uniform):
        return int(uniform < self.share)


def greatest(rules, state, uniform, data):
    best, choice = -np.inf, -1
    for action in legal(rules, state):
        weights = data[0][action]
        total = weights[len(state)]
        for i in range(len(state)):
            total += weights[i] * state[i]
        if total > best:
            best, choice = total, action
    return choice


def mix(rules, state, uniform, data):
    return 1 if uniform < data[0] else 0
