"""The equations of a component of a multiplayer game in solving order, with the boundary folded into constants.

With n seats the value of a state is a vector: V[r] is the payoff of a seat when the turn is r seats after it, so that
V[0] is the mover's.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I8, I16, I32, I64
from komi.bellman import Component, Workspace, role_after
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
    """The equations of a component, whose values are vectors, and its policy."""

    actions_end: I64  # [states]
    constant: F64  # [actions, seats] the constant part of an action's value to each seat, boundary included
    outcomes_end: I64  # [actions]
    target: I32  # [outcomes] states in solving order
    weight: F64  # [outcomes] probabilities
    passes: I8  # [outcomes] the number of seats by which the turn passes
    share: F64  # [actions] the probability with which the policy takes an action
    width: F64  # [1] that of a smoothed policy, or BEST or FIXED

    @classmethod
    def empty(cls, seats: int, states: int, actions: int, outcomes: int) -> "VectorEquations":
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        return cls(
            np.empty(states, np.int64),
            np.empty((actions, seats)),
            np.empty(actions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes),
            np.empty(outcomes, np.int8),
            np.empty(actions),
            np.zeros(1),
        )


def write_vector_equations(component: Component, workspace: Workspace, into: Any, results: VectorValues) -> Any:
    """Copy the component's states in solving order; return their equations.

    Args:
        component: its transitions, with a view for each seat.
        workspace: its order and position are given.
        into: `VectorEquations` with capacity for the component; filled in.
        results: of the states on the component's boundary.
    """
    batch, first, size = component
    seats = into.constant.shape[1]
    action = outcome = 0
    for i in range(size):
        row = first + workspace.order[i]
        for k in range(begin(batch.actions_end, row), batch.actions_end[row]):
            for role in range(seats):
                into.constant[action, role] = batch.gain[k, (seats - role) % seats]
            for place in range(begin(batch.outcomes_end, k), batch.outcomes_end[k]):
                target, weight, turn = batch.target[place], batch.probability[place], batch.passes[place]
                if target < 0:
                    into.target[outcome] = workspace.position[-1 - target]
                    into.weight[outcome] = weight
                    into.passes[outcome] = turn
                    outcome += 1
                else:
                    for role in range(seats):
                        into.constant[action, role] += weight * results.value[target, role_after(role, turn, seats)]
            into.outcomes_end[action] = outcome
            action += 1
        into.actions_end[i] = action
    return VectorEquations(
        into.actions_end[:size], into.constant, into.outcomes_end, into.target, into.weight, into.passes, into.share,
        into.width,
    )  # fmt: skip


def sweep_vectors(equations: VectorEquations, value: F64) -> None:
    """Run one Gauss-Seidel sweep of vector backups; replaces `fixed_point.sweep`.

    With a width w > 0 the policy is smoothed: an action is taken in proportion to max(0, w - its loss).

    Args:
        equations: their shares are filled in unless the policy is FIXED.
        value: float64[states * seats], read and written.
    """
    share, width = equations.share, equations.width[0]
    seats = equations.constant.shape[1]
    for i in range(len(equations.actions_end)):
        first, end = begin(equations.actions_end, i), equations.actions_end[i]
        if width != FIXED:
            best, choice, total = -np.inf, first, 0.0
            for action in range(first, end):
                share[action] = action_value(equations, value, action, 0)
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
                    total += share[action] * action_value(equations, value, action, role)
            value[i * seats + role] = total


def action_value(equations: VectorEquations, value: F64, action: int, role: int) -> float:
    """Compute the value of an action for a seat, with the turn `role` seats after it."""
    seats = equations.constant.shape[1]
    total = equations.constant[action, role]
    for outcome in range(begin(equations.outcomes_end, action), equations.outcomes_end[action]):
        after = role_after(role, equations.passes[outcome], seats)
        total += equations.weight[outcome] * value[equations.target[outcome] * seats + after]
    return total  # type: ignore[no-any-return]


def set_values(value: F64, size: int, vector: F64) -> None:
    """Set the values of all states to a vector."""
    for i in range(size * len(vector)):
        value[i] = vector[i % len(vector)]


def copy_shares(component: Component, workspace: Workspace, equations: VectorEquations) -> None:
    """Copy the shares of the component's actions to their indices in the batch."""
    place = 0
    for i in range(component.size):
        action = begin(component.batch.actions_end, component.first + workspace.order[i])
        for k in range(equations.actions_end[i] - place):
            workspace.share[action + k] = equations.share[place + k]
        place = equations.actions_end[i]
