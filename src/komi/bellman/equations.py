"""The equations of a component, copied in solving order, with all known values folded into constants.

An equation belongs to a state in a role. There is one role if all players play alike (optimal play, a policy against
itself), and one for each player otherwise: role 0 follows policy 0, and so on. In a role the player to move is free
to choose the best action, or bound to a policy.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I16, I32, I64, check_indices
from komi.bellman.policy_equations import PolicyEquations
from komi.graph.transitions import Transitions, begin, count_columns, gain_at, inner_index, linear_term
from komi.jit.specialization import always_inline


class ActionCode(IntEnum):
    """Numbers that take the place of a policy's action: how the player to move chooses."""

    UNIFORM = -2  # each legal action with equal probability
    FREE = -3  # the best action
    MIXED = -4  # each action with the probability in `Workspace.share`
    UNREACHED = -5  # not at all: play does not reach this state, and its value does not matter
    SUBSET = -6  # the best of the actions with a positive `Workspace.share`
    EXCEPT = -7  # EXCEPT - a: the best action other than a


VALUE, ACTIONS, TURNS, CHANCE_MOVES = -1, 0, 1, 2
"""The quantities of equations: the value, or the expected length, in actions of players, in turns, or in moves at
chance nodes."""
MEASURES = ("actions", "turns", "chance moves")


class Objective(NamedTuple):
    """The objective of a game.

    In a two-player zero-sum game, values are the mover's and the opponent gets one minus them. The outcomes in
    equations are then encoded by `graph.transitions.linear_term`.
    """

    is_zero_sum: bool  # of two players; otherwise there is one player, or values are those of a fixed one
    sign: float  # 1.0 to maximize, -1.0 to minimize: values are stored times this
    lowest: float  # a lower bound of all values, if known
    highest: float  # an upper bound
    slack: float = 0.0  # the rounding error bound of one backup, of terms that sum to at most 2 or to a magnitude

    @property
    def gain_columns(self) -> int:
        """The number of views of rewards that a batch needs."""
        return 1 if self.is_zero_sum else 2


WIN_PROBABILITY = Objective(True, 1.0, 0.0, 1.0)
"""Two players, each of whom maximizes the probability of winning."""


class Component(NamedTuple):
    """A strongly connected component: `size` states of a batch, from the state `first` on."""

    batch: Transitions
    first: int
    size: int


class Boundary(NamedTuple):
    """A quantity in all solved states, at index state * roles + role, and its error bounds."""

    value: F64
    bound: F32  # [states, 1] if all roles have the same


class Equations(NamedTuple):
    """Bellman equations in solving order, as compressed sparse rows.

    An equation is value = max over its actions of (constant + sum of weight * value[target]). It reads equations
    before it, and feedback vertices.
    """

    actions_end: I64  # [equations] one past the last action
    constant: F64  # [actions] the known part of an action's value: rewards and boundary values
    outcomes_end: I64  # [actions] one past the last outcome
    target: I32  # [outcomes] equations; only outcomes within the component
    weight: F64  # [outcomes] probabilities; negative where the turn passes to the opponent


class Workspace(NamedTuple):
    """Buffers for the equations of the largest component, in solving order."""

    order: I32  # [states] states of the component in solving order
    position: I32  # [states] the inverse permutation
    path: I32  # [states]
    next: I64  # [states]
    feedback: I32  # [equations] the feedback vertex set: equations that are read before they are written
    actions_end: I64  # as in `Equations`, like constant, outcomes_end, target and weight
    constant: F64
    sure: F64  # [actions] `constant` without the 1 of `linear_term` for passing inner outcomes
    leaving: F64  # [actions] the probability that play leaves the component
    terms: F64  # [actions] a bound on the sum of the absolute terms of `sure`
    number: I16  # [actions] the action's number
    outcomes_end: I64
    target: I32
    weight: F64
    value: F64  # [equations]
    below: F64  # [equations] the functions of a certificate
    above: F64  # [equations]
    choice: I32  # [equations] an index into all actions of the component
    share: F64  # [actions of the batch] where a policy is MIXED, or bound to a SUBSET

    @classmethod
    def empty(cls, roles: int, states: int, actions: int, outcomes: int, shares: int = 0) -> "Workspace":
        """Allocate buffers for components with these numbers of states, actions and outcomes.

        Raises:
            SolveError: if there are more equations or actions than can be numbered.
        """
        equations, actions = roles * states, roles * actions
        check_indices(max(equations, actions), "actions in states that lead to each other")
        order, position, path = np.empty((3, states), np.int32)
        constant, sure, leaving, terms = np.empty((4, actions))
        value, below, above = np.empty((3, equations))
        return cls(
            order,
            position,
            path,
            np.empty(states, np.int64),
            np.empty(equations, np.int32),
            np.empty(equations, np.int64),
            constant,
            sure,
            leaving,
            terms,
            np.empty(actions, np.int16),
            np.empty(actions, np.int64),
            np.empty(roles * outcomes, np.int32),
            np.empty(roles * outcomes),
            value,
            below,
            above,
            np.empty(equations, np.int32),
            np.zeros(shares),
        )


def equations_of(workspace: Any, count: int) -> Equations:
    """Return the first `count` equations."""
    return Equations(
        workspace.actions_end[:count], workspace.constant, workspace.outcomes_end, workspace.target, workspace.weight
    )


def to_policy_equations(workspace: Workspace, count: int) -> PolicyEquations:
    """Copy the first `count` equations for policy iteration."""
    actions_end = workspace.actions_end[:count].copy()
    actions = int(actions_end[-1])
    outcomes_end = workspace.outcomes_end[:actions].copy()
    outcomes = int(outcomes_end[-1])
    return PolicyEquations(
        actions_end,
        outcomes_end,
        workspace.target[:outcomes].astype(np.int64),
        workspace.weight[:outcomes].copy(),
        workspace.sure[:actions].copy(),
        workspace.leaving[:actions].copy(),
        workspace.terms[:actions].copy(),
    )


def all_free(roles: int) -> I16:
    """Return the policies of players who are free to choose the best action in all states; see `prescribed_action`."""
    return np.full(roles, ActionCode.FREE, np.int16)


def prescribed_action(policies: I16, state: int, role: int, roles: int) -> Any:
    """Return the action that binds the player to move, or FREE, UNIFORM, MIXED, UNREACHED, SUBSET or EXCEPT - action.

    Args:
        policies: int16[all states * roles], or int16[roles] if it is the same in all states.
        state: the state.
        role, roles: the role, and the number of roles.
    """
    return np.int64(policies[role if len(policies) == roles else state * roles + role])


def role_after(role: int, passes: int, roles: int) -> int:
    """Return the role after an outcome."""
    if roles == 1:
        return 0
    role += passes
    return role - roles if role >= roles else role


class Terms(NamedTuple):
    """The parameters of an equation besides the transitions.

    Attributes:
        quantity: VALUE, ACTIONS, TURNS or CHANCE_MOVES.
        sign: the factor of rewards, and of the lengths of actions.
        role, roles: the role of the equation, and their number.
    """

    quantity: int
    sign: float
    role: int
    roles: int


def write_equations(
    component: Component,
    policies: I16,
    roles: int,
    quantity: int,
    objective: Objective,
    workspace: Workspace,
    boundary: Boundary,
) -> Any:
    """Copy the component's equations in solving order, with boundary values folded into constants.

    Sweeps then read memory sequentially.

    Args:
        component: its transitions.
        policies: see `prescribed_action`.
        roles: the number of roles.
        quantity: VALUE, ACTIONS, TURNS or CHANCE_MOVES.
        objective: the objective; its sign is also that of lengths.
        workspace: with its order and position filled in; the equations are filled in here.
        boundary: the quantity in all states solved before.

    Returns:
        (the largest error bound at the boundary, the largest magnitude of a constant's terms)
    """
    batch, first, size = component
    actions_end, numbers, share = batch.actions_end, batch.action, workspace.share
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    action = 0
    outcome: Any = np.int64(0)
    for i in range(size):
        row = first + workspace.order[i]
        begins, end = begin(actions_end, row), actions_end[row]
        for role in range(roles):
            terms_of = Terms(quantity, objective.sign, role, roles)
            prescribed = prescribed_action(policies, batch.state[row], role, roles)
            is_single = prescribed in (ActionCode.UNIFORM, ActionCode.MIXED, ActionCode.UNREACHED)
            if is_single:
                _clear(workspace, action, prescribed)
            if prescribed == ActionCode.UNREACHED:
                workspace.leaving[action] = 1.0
                end = begins
            for k in range(begins, end):
                weight = 1.0
                if prescribed == ActionCode.UNIFORM:
                    weight = 1.0 / (end - begins)
                elif prescribed in (ActionCode.MIXED, ActionCode.SUBSET):
                    weight = share[k]
                elif (prescribed >= -1 and numbers[k] != prescribed) or numbers[k] == ActionCode.EXCEPT - prescribed:
                    weight = 0.0
                if weight == 0.0:
                    continue
                if not is_single:
                    _clear(workspace, action, numbers[k])
                outcome, bound, terms = _add(batch, k, weight, terms_of, workspace, boundary, action, outcome)
                exits_bound, magnitude = max(exits_bound, bound), max(magnitude, terms)
                if not is_single:
                    workspace.outcomes_end[action] = outcome
                    action += 1
            if is_single:
                workspace.outcomes_end[action] = outcome
                action += 1
            workspace.actions_end[i * roles + role] = action
            end = actions_end[row]
    return exits_bound, magnitude


@always_inline
def _clear(workspace: Workspace, action: int, number: int) -> None:
    """Begin an action without terms."""
    workspace.constant[action] = workspace.sure[action] = 0.0
    workspace.leaving[action] = workspace.terms[action] = 0.0
    workspace.number[action] = number


@always_inline
def _add(
    batch: Transitions,
    k: int,
    share: float,
    terms_of: Terms,
    workspace: Workspace,
    boundary: Boundary,
    action: int,
    outcome: Any,
) -> Any:
    """Add the batch's action `k`, taken with probability `share`, to an action of the equations.

    Returns:
        (one past its last outcome in the equations, the largest error bound at the boundary, the magnitude of terms)
    """
    quantity, sign, role, roles = terms_of
    is_zero_sum = count_columns(batch.gain) == 1
    has_turns = quantity == VALUE and is_zero_sum
    if quantity == VALUE:
        view = 0 if is_zero_sum else (roles - role) % roles
        constant = share * sign * gain_at(batch.gain, k, view)
        terms = share * gain_at(batch.gain, k, count_columns(batch.gain) - 1)
    else:
        counted = ACTIONS if batch.action[k] >= 0 else CHANCE_MOVES
        constant = share * sign if quantity == counted else 0.0
        terms = abs(constant)
    bound = np.float32(0.0)
    sure, leaving = constant, share * batch.ending[k]
    for source in range(begin(batch.outcomes_end, k), batch.outcomes_end[k]):
        target, weight, turn = batch.target[source], share * batch.probability[source], batch.passes[source]
        after = role_after(role, turn, roles)
        if quantity == TURNS and turn:
            constant += weight
            sure += weight
            terms += weight
        added = 0.0
        if has_turns:
            added, weight = linear_term(weight, turn)
            constant += added
        if target < 0:
            workspace.target[outcome] = workspace.position[inner_index(target)] * roles + after
            workspace.weight[outcome] = weight
            outcome += 1
        else:
            index = target * roles + after
            constant += weight * boundary.value[index]
            sure += added + weight * boundary.value[index]
            terms += abs(weight * boundary.value[index])
            leaving += abs(weight)
            bound = max(bound, _bound_of(boundary.bound, target, index))
    workspace.constant[action] += constant
    workspace.sure[action] += sure
    workspace.leaving[action] += leaving
    workspace.terms[action] += leaving if has_turns else terms + leaving  # no payoff is above 1
    return outcome, bound, terms


@always_inline
def _bound_of(bounds: Any, state: int, index: int) -> Any:
    """Return the error bound at the boundary."""
    if bounds.ndim == 2:
        return bounds[state, 0]
    return bounds[index]
