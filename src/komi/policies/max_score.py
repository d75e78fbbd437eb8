"""The policy that expects the most points of each turn."""

from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.places import index_of, locate, members_down, state_at
from komi.compile.rulebook import legal, outcomes, over
from komi.errors import SolveError
from komi.model.states import StateSet
from komi.policies.table import Table

BETTER = 1e-12  # expected points by which going on must beat ending the turn
MOST_SWEEPS = 10_000


def max_score(compiled: CompiledGame, rules: Any, states: StateSet) -> Table:
    """The policy that maximises the points it expects to have at the end of the turn.

    For any game whose states have the fields `score` and `rival`: what the mover's score is when the turn has
    passed is what the next player sees as `rival`. With equal expectations the action that ends the turn.
    """
    points = np.zeros(states.size, np.float64)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_climb]
    sweeps = 0
    while kernel(rules, states.layout, states.keys, states.ranks, points, actions) > 0.0:
        sweeps += 1
        if sweeps > MOST_SWEEPS:
            raise SolveError(
                f"the points of a turn of {compiled.game.name} grow without end, so max-score is not defined."
            )
    return Table("max-score", states, actions)


def _climb(rules: Any, layout: Any, keys: Any, ranks: Any, points: Any, actions: Any) -> float:
    """One sweep of points = max over actions of expected points; returns the largest change.

    From the last state to the first: points at risk and cards out mostly grow in a turn, and states with more
    of them are later in the set.
    """
    change = 0.0
    for index, place in members_down(keys, len(points)):
        state = state_at(layout, keys, place)
        best = -1.0
        for action in legal(rules, state):
            total = 0.0
            ends = True
            for probability, after, passes in outcomes(rules, state, action):
                if passes & 1:
                    total += probability * after.rival
                elif over(rules, after):
                    total += probability * after.score
                else:
                    total += probability * points[index_of(keys, ranks, locate(layout, keys, ranks, after))]
                    ends = False
            if total > best + (-BETTER if ends else BETTER):
                best = total
                actions[index] = action
        change = max(change, abs(best - points[index]))
        points[index] = best
    return change
