"""The value of a small game by the linear program of its sequence form, straight from the tree of its histories.

D. Koller, N. Megiddo and B. von Stengel, "Efficient computation of equilibria for extensive two-person games" (1996):

    maximize q(root)   subject to   E x = e,   x >= 0,   F' q <= A' x.

An information set is given by what its player has seen and done: the sequence of own views, legal actions and choices.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog  # type: ignore[import-untyped]

from komi.game import CHANCE
from komi.rules.game import Game


@dataclass
class Tree:
    """The sequence form: the sequences of each player, and the information sets as (parent, sequences)."""

    game: Game
    rules: Any
    sequences: tuple[dict[Any, int], dict[Any, int]] = field(default_factory=lambda: ({(): 0}, {(): 0}))
    sets: tuple[dict[Any, list[int]], dict[Any, list[int]]] = field(default_factory=lambda: ({}, {}))
    payoffs: dict[tuple[int, int], float] = field(default_factory=dict)

    def visit(self, state: Any, seat: int, known: tuple[Any, Any], chance: float) -> None:
        """Add a history; `known` is what each player has observed and done."""
        game, rules = self.game, self.rules
        if game.part("over")(rules, state):
            pair = self.sequences[0][known[0]], self.sequences[1][known[1]]
            stated = getattr(game.module, "payoff_range", (0.0, 1.0))
            total = sum(stated(rules) if callable(stated) else stated)
            payoff = game.part("payoff")(rules, state)
            self.payoffs[pair] = self.payoffs.get(pair, 0.0) + chance * (total - payoff if seat else payoff)
            return
        actions = tuple(game.part("legal")(rules, state))
        if actions != (CHANCE,):
            here = (*known[seat], tuple(game.part("view")(rules, state)), actions)
            if here not in self.sets[seat]:
                names = self.sequences[seat]
                self.sets[seat][here] = [names[known[seat]]]
                for action in actions:
                    self.sets[seat][here].append(names.setdefault((*here, action), len(names)))
        for action in actions:
            learned = known
            if action != CHANCE:
                own = (*here, action)
                learned = (own, known[1]) if seat == 0 else (known[0], own)
            for probability, after, passes in game.part("outcomes")(rules, state, action):
                self.visit(after, (seat + passes) % 2, learned, chance * probability)

    def constraints(self, seat: int) -> Any:
        """Return the matrix of the equations of realization plans."""
        matrix = np.zeros((1 + len(self.sets[seat]), len(self.sequences[seat])))
        matrix[0, 0] = 1.0
        for row, (parent, *own) in enumerate(self.sets[seat].values(), 1):
            matrix[row, parent] = -1.0
            matrix[row, own] = 1.0
        return matrix


def sequence_form_value(game: Game, rules: Any) -> float:
    """Compute the value of the game to the first player."""
    tree = Tree(game, rules)
    tree.visit(game.part("start")(rules), 0, ((), ()), 1.0)
    plans, values = tree.constraints(0), tree.constraints(1)
    payoffs = np.zeros((plans.shape[1], values.shape[1]))
    for pair, amount in tree.payoffs.items():
        payoffs[pair] = amount
    found = linprog(
        [*[0.0] * plans.shape[1], -1.0, *[0.0] * (len(values) - 1)],
        np.hstack([-payoffs.T, values.T]),
        np.zeros(values.shape[1]),
        np.hstack([plans, np.zeros((len(plans), len(values)))]),
        [1.0, *[0.0] * (len(plans) - 1)],
        [(0, None)] * plans.shape[1] + [(None, None)] * len(values),
    )
    assert found.success, found.message
    return -float(found.fun)
