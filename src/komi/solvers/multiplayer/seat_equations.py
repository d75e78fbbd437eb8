"""The equations of a component of a multiplayer game, and its policy.

With n seats the value of a state is a vector: V[r] is the payoff of a seat when the turn is r seats after it, so that
V[0] is the mover's.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16
from komi.bellman import (
    VALUE,
    Boundary,
    Component,
    Equations,
    Objective,
    Workspace,
    all_free,
    equations_of,
    write_equations,
)
from komi.graph.transitions import begin

BEST, FIXED = -1.0, 0.0
"""In place of the width of a smoothed policy: the mover takes the best action, or keeps to `share`."""


class VectorValues(NamedTuple):
    """The solution of each state."""

    value: F64  # [states, seats] entry r: the value for the seat that the turn is r seats after
    bound: F32  # [states] bound on the error of the values; a seat gains at most twice this by deviating
    choice: I16  # [states] the action that the policy takes; the likeliest where it mixes

    @classmethod
    def empty(cls, states: int, seats: int) -> "VectorValues":
        """Allocate buffers for the solution of a number of states."""
        return cls(np.empty((states, seats)), np.zeros(states, np.float32), np.empty(states, np.int16))


class VectorEquations(NamedTuple):
    """The equations of a component, in each role, and its policy."""

    rows: Equations  # equation i * seats + r is that of state i in role r: V[r] if r seats before the mover
    share: F64  # [actions of the equations in role 0] the probability with which the policy takes an action
    width: F64  # [1] that of a smoothed policy, or BEST or FIXED
    seats: int


def write_vector_equations(
    component: Component, objective: Objective, workspace: Workspace, into: VectorEquations, results: VectorValues
) -> Any:
    """Write the component's equations into the workspace, whose order and position are given; return them.

    Args:
        component: its transitions, with a view for each seat.
        objective: that of one seat.
        workspace: buffers of a role for each seat.
        into: shares with capacity for the component.
        results: of the states on the component's boundary.
    """
    seats = into.seats
    boundary = Boundary(results.value.reshape(-1), results.bound.reshape((-1, 1)))
    write_equations(component, all_free(seats), seats, VALUE, objective, workspace, boundary)
    return VectorEquations(equations_of(workspace, component.size * seats), into.share, into.width, seats)


def actions_of(equations: VectorEquations, i: int) -> tuple[int, int]:
    """Return the first of the mover's actions in state i, and one past the last."""
    ends = equations.rows.actions_end
    return begin(ends, i * equations.seats), ends[i * equations.seats]


def sweep_vectors(equations: VectorEquations, value: F64) -> None:
    """Run one Gauss-Seidel sweep of vector backups; replaces `fixed_point.sweep`.

    With a width w > 0 the policy is smoothed: an action is taken in proportion to max(0, w - its loss).

    Args:
        equations: their shares are filled in unless the policy is FIXED.
        value: float64[states * seats], read and written.
    """
    share, width, seats = equations.share, equations.width[0], equations.seats
    for i in range(len(equations.rows.actions_end) // seats):
        first, end = actions_of(equations, i)
        if width != FIXED:
            best, choice, total = -np.inf, first, 0.0
            for action in range(first, end):
                share[action] = action_value(equations, value, action)
                if share[action] > best:
                    best, choice = share[action], action
            for action in range(first, end):
                if width == BEST:
                    share[action] = 1.0 if action == choice else 0.0
                else:
                    share[action] = max(0.0, width - (best - share[action]))
                total += share[action]
            for action in range(first, end):
                share[action] /= total
        for role in range(seats):
            total = 0.0
            for action in range(first, end):
                if share[action] != 0.0:
                    total += share[action] * action_value(equations, value, action + role * (end - first))
            value[i * seats + role] = total


def action_value(equations: VectorEquations, value: F64, action: int) -> float:
    """Compute the value of an action in its role."""
    rows = equations.rows
    total = rows.constant[action]
    for outcome in range(begin(rows.outcomes_end, action), rows.outcomes_end[action]):
        total += rows.weight[outcome] * value[rows.target[outcome]]
    return total  # type: ignore[no-any-return]


def set_values(value: F64, size: int, vector: F64) -> None:
    """Set the values of all states to a vector."""
    for i in range(size * len(vector)):
        value[i] = vector[i % len(vector)]


def copy_shares(component: Component, workspace: Workspace, equations: VectorEquations) -> None:
    """Copy the shares of the component's actions to their indices in the batch."""
    for i in range(component.size):
        action = begin(component.batch.actions_end, component.first + workspace.order[i])
        first, end = actions_of(equations, i)
        for k in range(end - first):
            workspace.share[action + k] = equations.share[first + k]
