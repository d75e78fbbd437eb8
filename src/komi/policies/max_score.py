"""The policy that maximizes the expected points of each turn."""

from typing import Any

import numpy as np

from komi.errors import SolveError
from komi.graph.lookup import StateIndex, index_of, locate, members_down, state_at
from komi.graph.state_sets import StateSet
from komi.policies.table import Table
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over

BETTER = 1e-12  # expected points by which continuing must beat ending the turn
MAX_SWEEPS = 10_000


def max_score(compiled: CompiledGame, rules: Any, states: StateSet) -> Table:
    """Compute the policy that maximizes the mover's expected score at the end of the turn.

    It works for any game whose states have the fields `score` and `rival`: after the turn passes, the mover's score is
    the next player's `rival`. Ties go to the action that ends the turn.

    Raises:
        SolveError: if the iteration does not converge: the points of a turn are unbounded.
    """
    points = np.zeros(states.size, np.float64)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_climb]
    sweeps = 0
    while kernel(rules, states, points, actions) > 0.0:
        sweeps += 1
        if sweeps > MAX_SWEEPS:
            raise SolveError(
                f"the points of a turn of {compiled.game.name} grow without end, so max-score is not defined."
            )
    return Table("max-score", states, actions)


def _climb(rules: Any, states: StateIndex, points: Any, actions: Any) -> float:
    """Run one Gauss-Seidel sweep of points = max over actions of the expected points; return the largest change.

    The sweep runs from the last state to the first: the points at risk and the cards drawn mostly grow during a turn,
    and states with larger fields have larger indices.
    """
    change = 0.0
    for index, place in members_down(states.keys, len(points)):
        state = state_at(states, place)
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
                    total += probability * points[index_of(states, locate(states, after))]
                    ends = False
            if total > best + (-BETTER if ends else BETTER):
                best = total
                actions[index] = action
        change = max(change, abs(best - points[index]))
        points[index] = best
    return change
