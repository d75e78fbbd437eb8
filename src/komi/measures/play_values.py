"""The values of play between policies, to all players."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16
from komi.bellman import WIN_PROBABILITY, ActionCode, RoleValues
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.rules.kind import Kind
from komi.solvers.stochastic.optimal_values import objective_of


class PlayValues(NamedTuple):
    """The values and lengths of every state in every role, at index state * roles + role.

    With one or two players there is one *view* of a value, that of the player to move; with more there is one for each
    seat, counted from the player to move.

    Attributes:
        value: float64[., views], times the objective's sign.
        bound: float32[.], the error bound of each.
        length: float64[measures, .], the expected remaining length.
        length_bound: float32[.], its error bound.
        is_complete: True if states that play does not reach have values, too.
    """

    value: F64
    bound: F32
    length: F64
    length_bound: F32
    is_complete: bool


def evaluate_play(evaluator: PolicyEvaluator, kind: Kind, policies: Sequence[I16]) -> PlayValues:
    """Compute the values of play.

    Args:
        evaluator: the evaluator of the game.
        kind: its kind.
        policies: int16[states] of actions for each player; or one that all follow.

    Raises:
        SolveError: if play may never end.
    """
    if kind.seats > 2:
        return _evaluate_seats(evaluator, kind.seats, policies)
    if kind.seats == 2:
        return _as_values(evaluator.evaluate(policies))
    objective = objective_of(kind)
    return _as_values(evaluator.evaluate(policies, objective, objective.gain_columns))


def optimal_values(evaluator: PolicyEvaluator) -> tuple[PlayValues, I16]:
    """Compute the values of optimal play of two players, and int16[states], an optimal action in each state."""
    results = evaluator.evaluate()
    return _as_values(results), results.choice


def _as_values(results: RoleValues) -> PlayValues:
    is_complete = not bool((results.choice == ActionCode.UNREACHED).any())
    return PlayValues(results.value[:, None], results.bound, results.length, results.length_bound, is_complete)


def _evaluate_seats(evaluator: PolicyEvaluator, seats: int, policies: Sequence[I16]) -> PlayValues:
    """Compute the values of three or more players: one evaluation gives the value to the player of one role.

    In the evaluation of a player the roles count from that player on, who is the k-th after the player to move if role
    -k is to move.
    """
    objective = WIN_PROBABILITY._replace(is_zero_sum=False)
    roles = len(policies)
    turned = [[policies[(player + role) % roles] for role in range(seats)] for player in range(roles)]
    results = [evaluator.evaluate(each, objective, seats) for each in turned]
    size = evaluator.states.size
    value, bound = np.empty((size, roles, seats)), np.zeros(size * roles, np.float32)
    for role in range(roles):
        for view in range(seats):
            value[:, role, view] = results[(role + view) % roles].value.reshape(size, seats)[:, -view % seats]
    for result in results:
        bound = np.maximum(bound, np.repeat(result.bound.reshape(size, seats).max(axis=1), roles))
    length, length_bound = results[0].length, results[0].length_bound
    if roles == 1:
        length, length_bound = length[:, ::seats], length_bound[::seats]
    is_complete = not any((result.choice == ActionCode.UNREACHED).any() for result in results)
    return PlayValues(value.reshape(size * roles, seats), bound, length, length_bound, is_complete)
