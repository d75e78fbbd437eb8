"""The proof of a multiplayer equilibrium: a bound on the gain of one seat from deviating, and on the error of values.

If all seats follow the policy, values are those of a Markov chain; if one seat is free and all others follow it, the
game is a one-player problem. Both are proved by a certificate (see `bellman.certificate`). Let V be the values found, W
those of the best response, computed from V in one pass, and E and F the error bounds of the two certificates: no seat
can gain more than max(W - V) + E + F by any deviation.
"""

from typing import Any

import numpy as np

from komi.arrays import I32, Flags
from komi.bellman import (
    VALUE,
    ActionCode,
    Boundary,
    Bounds,
    Component,
    Objective,
    Workspace,
    certify,
    equations_of,
    largest_or_inf,
    round_up,
    rounding_error,
    write_equations,
)
from komi.graph.transitions import begin
from komi.solvers.multiplayer.seat_equations import VectorValues

FAR = 64.0  # multiple of the rounding error of one backup beyond which a difference is not rounding


def prove(
    component: Component, objective: Objective, workspace: Workspace, feedback: I32, results: VectorValues, stop: Flags
) -> bool:
    """Store the solution of a component and prove it, by a single certificate where that is enough.

    With one seat free, the upper bound holds for the policy too, and the lower bound for the free seat's policy in the
    certificate: where the two policies agree, nothing else has to be proved.

    Args:
        component: its transitions.
        objective: an `Objective` of one seat.
        workspace: its values are those of states * seats, its shares the policy's.
        feedback: int32[.], the indices of the equations that are read before they are written.
        results: filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        whether the bound is due to rounding alone; if not, this is not an equilibrium, or play takes too long to end.
    """
    states, order, seats = component.batch.state, workspace.order, results.value.shape[1]
    _store(component, workspace, results)
    boundary = Boundary(results.value.reshape(-1), results.bound.reshape((-1, 1)))
    policies = np.full(seats, ActionCode.MIXED, np.int16)
    slack = rounding_error(objective, 1.0)
    bounds = Bounds(workspace.below, workspace.above, workspace.choice)
    worst = np.float32(0.0)
    for free in (1, 0):
        policies[0] = ActionCode.FREE if free else ActionCode.MIXED
        exits_bound, _ = write_equations(component, policies, seats, VALUE, objective, workspace, boundary)
        for i in range(component.size):
            for role in range(seats):
                workspace.value[i * seats + role] = results.value[states[component.first + order[i]], role]
        equations, limits = equations_of(workspace, component.size * seats), (objective.lowest, objective.highest)
        distance, longest = certify(equations, workspace.value, feedback, slack, limits, bounds, stop)
        gain = 0.0
        for i in range(component.size):
            for role in range(seats):
                value = results.value[states[component.first + order[i]], role]
                gain = largest_or_inf(gain, abs(workspace.value[i * seats + role] - value))
        if not (longest >= 0.0 and distance <= FAR * slack and gain <= FAR * slack * longest):
            return False
        worst = max(worst, np.float32(round_up(exits_bound + gain + distance * longest)))
        if free and _keeps_to_policy(component, workspace, seats):
            break
    for i in range(component.size):
        results.bound[states[component.first + order[i]]] = worst
    return True


def _store(component: Component, workspace: Workspace, results: VectorValues) -> None:
    """Store the values and the likeliest actions of the component's states."""
    batch, first, size = component
    seats = results.value.shape[1]
    for i in range(size):
        row = first + workspace.order[i]
        state = batch.state[row]
        for role in range(seats):
            results.value[state, role] = workspace.value[i * seats + role]
        most = -1.0
        for action in range(begin(batch.actions_end, row), batch.actions_end[row]):
            if workspace.share[action] > most:
                most = workspace.share[action]
                results.choice[state] = batch.action[action]


def _keeps_to_policy(component: Component, workspace: Workspace, seats: Any) -> bool:
    """Return whether the free seat's policy in the certificate is the equilibrium policy."""
    for i in range(component.size):
        action = begin(component.batch.actions_end, component.first + workspace.order[i])
        chosen = workspace.choice[i * seats] - begin(workspace.actions_end, i * seats)
        if workspace.share[action + chosen] < 1.0:
            return False
    return True
