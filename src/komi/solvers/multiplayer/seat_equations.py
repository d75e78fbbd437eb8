"""The equations of a component of a multiplayer game in solving order, with the boundary folded into constants."""

from typing import Any, NamedTuple

import numpy as np

from komi.bellman.equations import role_after
from komi.graph.transitions import begin


class VectorRows(NamedTuple):
    """Buffers besides a `Workspace`, for values that are vectors."""

    constant: Any  # float64[actions, seats] the constant part of an action's value to each seat, boundary included
    passes: Any  # int8[outcomes] the number of seats by which the turn passes
    share: Any  # float64[actions] the probability with which the policy takes an action

    @classmethod
    def empty(cls, seats: int, actions: int, outcomes: int) -> "VectorRows":
        """Allocate buffers for components with a given number of actions and outcomes."""
        return cls(np.empty((actions, seats)), np.empty(outcomes, np.int8), np.empty(actions))


def lay_out_vectors(
    batch: Any, first: int, size: int, seats: int, scratch: Any, rows: Any, feedback: Any, exits: Any
) -> None:
    """Copy the component's states in solving order; expand the feedback states to one equation per seat.

    Args:
        batch: `Transitions`, with a view for each seat.
        first, size: the index of the component's first state in the batch, and the number of its states.
        seats: the number of seats.
        scratch: a `Workspace`, its order and position filled in; the rest is filled in here.
        rows: `VectorRows`, filled in.
        feedback: int32[.], the positions of the feedback states, followed by space for those of all seats; replaced by
            the indices of the feedback equations.
        exits: float64[all states, seats], the values of the states on the component's boundary.
    """
    _, _, actions_end, gains, _, outcomes_end, targets, probabilities, passes, _ = batch
    order, position = scratch.order, scratch.position
    into_actions_end, into_outcomes_end = scratch.actions_end, scratch.outcomes_end
    into_target, into_weight = scratch.target, scratch.weight
    into_constant, into_passes = rows.constant, rows.passes
    for j in range(len(feedback) - 1, -1, -1):
        feedback[j] = feedback[j // seats] * seats + j % seats
    action_height = 0
    outcome_height = 0
    for i in range(size):
        row = first + order[i]
        for action in range(begin(actions_end, row), actions_end[row]):
            for role in range(seats):
                into_constant[action_height, role] = gains[action, (seats - role) % seats]
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                target, weight, turn = targets[outcome], probabilities[outcome], passes[outcome]
                if target < 0:
                    into_target[outcome_height] = position[-1 - target]
                    into_weight[outcome_height] = weight
                    into_passes[outcome_height] = turn
                    outcome_height += 1
                else:
                    for role in range(seats):
                        into_constant[action_height, role] += weight * exits[target, role_after(role, turn, seats)]
            into_outcomes_end[action_height] = outcome_height
            action_height += 1
        into_actions_end[i] = action_height


def lay_out_roles(
    batch: Any, first: int, size: int, seats: int, free: int, scratch: Any, rows: Any, results: Any
) -> Any:
    """Copy the component's equations for one seat: number state * seats + r holds with the turn r seats after the seat.

    Args:
        batch, first, size, seats: see `lay_out_vectors`.
        free: 1 if the seat chooses freely when it is to move, 0 if it follows the policy, as all others do.
        scratch: a `Workspace`, its order and position filled in; the rest is filled in here.
        rows: `VectorRows`; its shares, in the order of `lay_out_vectors`, are read.
        findings: `Vectors` of the states on the component's boundary.

    Returns:
        the largest error bound on the boundary
    """
    _, _, actions_end, gains, _, outcomes_end, targets, probabilities, passes, _ = batch
    order, position, share = scratch.order, scratch.position, rows.share
    into_actions_end, into_constant, into_outcomes_end = scratch.actions_end, scratch.constant, scratch.outcomes_end
    into_target, into_weight = scratch.target, scratch.weight
    exits, exit_bounds = results.value, results.bound
    exits_bound = np.float32(0.0)
    action_height = 0
    outcome_height = 0
    shares_before = 0
    for i in range(size):
        row = first + order[i]
        first_action, last_action = begin(actions_end, row), actions_end[row]
        for role in range(seats):
            chooses = role < free
            into_constant[action_height] = 0.0
            for action in range(first_action, last_action):
                taken = 1.0 if chooses else share[shares_before + action - first_action]
                if taken == 0.0:
                    continue
                constant = taken * gains[action, (seats - role) % seats]
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    target, weight = targets[outcome], taken * probabilities[outcome]
                    after = role_after(role, passes[outcome], seats)
                    if target < 0:
                        into_target[outcome_height] = position[-1 - target] * seats + after
                        into_weight[outcome_height] = weight
                        outcome_height += 1
                    else:
                        constant += weight * exits[target, after]
                        exits_bound = max(exits_bound, exit_bounds[target])
                into_constant[action_height] += constant
                if chooses:
                    into_outcomes_end[action_height] = outcome_height
                    action_height += 1
                    into_constant[action_height] = 0.0
            if not chooses:
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            into_actions_end[i * seats + role] = action_height
        shares_before += last_action - first_action
    return exits_bound
