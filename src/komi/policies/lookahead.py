"""Policies computed by dynamic programming up to a horizon: a fixed number of moves, or the end of the turn.

Depth-limited search: v_0 = 1/2, and v_n(s) is the maximum over the actions of the expected v_{n-1} of the next state,
1 - v_{n-1} where the turn passes to the opponent; in terminal states v_n is the payoff. The policy takes the action
that attains v_n.
"""

import numpy as np

from komi.arrays import F64, I16
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, members_down, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import successor_value
from komi.policies.table import TablePolicy
from komi.rules.interface import legal, outcomes, over
from komi.typing import Rules

MIN_GAIN = 1e-12  # winning probability or points by which an action must beat the earlier ones
MAX_SWEEPS = 10_000  # points that still grow then grow without bound


def lookahead_policy(compiled: CompiledGame, rules: Rules, states: StateSet, moves: int) -> TablePolicy:
    """Compute the policy that looks a fixed number of moves ahead; ties go to the first action.

    Args:
        compiled: a two-player game.
        rules: its rules.
        states: all reachable states.
        moves: the search depth, at least 1; moves of chance count.
    """
    before, values = np.full(states.size, 0.5), np.empty(states.size)
    actions = np.empty(states.size, np.int16)
    kernel = GraphKernels(compiled)[_extend]
    for _ in range(moves):
        kernel(rules, states, before, values, actions)
        before, values = values, before
    return TablePolicy(f"ahead:{moves}", states, actions)


def max_score_policy(compiled: CompiledGame, rules: Rules, states: StateSet) -> TablePolicy:
    """Compute the policy that maximizes the mover's expected score at the end of the turn.

    It works for any game whose states have the fields `score` and `rival`: after the turn passes, the mover's score is
    the next player's `rival`. Ties go to the action that ends the turn.

    Raises:
        SolveError: if the iteration does not converge: the points of a turn are unbounded.
    """
    points = np.zeros(states.size, np.float64)
    actions = np.empty(states.size, np.int16)
    kernel = compiled.kernels[_sweep_points]
    sweeps = 0
    while kernel(rules, states, points, actions) > 0.0:
        sweeps += 1
        if sweeps > MAX_SWEEPS:
            raise SolveError(
                f"the points of a turn of {compiled.game.name} grow without bound, so max-score is not defined."
            )
    return TablePolicy("max-score", states, actions)


def _extend(rules: Rules, states: StateIndex, before: F64, values: F64, actions: I16) -> None:
    """Compute the values at one more move of depth, in position, and the actions that attain them."""
    for index, position in members(states.keys):
        state = state_at(states, position)
        best = -1.0
        for action in legal(rules, state):
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                total += probability * successor_value(rules, states, before, after, passes)
            if total > best + MIN_GAIN:
                best = total
                actions[index] = action
        values[index] = best


def _sweep_points(rules: Rules, states: StateIndex, points: F64, actions: I16) -> float:
    """Run one Gauss-Seidel sweep of points = max over actions of the expected points; return the largest change.

    The sweep runs from the last state to the first: the points at risk and the cards drawn mostly grow during a turn,
    and states with larger fields have larger indices.
    """
    change = 0.0
    for index, position in members_down(states.keys, len(points)):
        state = state_at(states, position)
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
            if total > best + (-MIN_GAIN if ends else MIN_GAIN):
                best = total
                actions[index] = action
        change = max(change, abs(best - points[index]))
        points[index] = best
    return change
