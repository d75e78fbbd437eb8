"""The equations of a component, copied in solving order, with all known values folded into constants.

An equation belongs to a state in a role. There is one role if all players play alike (optimal play, a policy against
itself), and one for each player otherwise: role 0 follows policy 0, and so on. In a role the player to move is free
to choose the best action, or bound to a policy.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.bellman.policy_equations import PolicyEquations
from komi.graph.perspective import linear_term
from komi.graph.reachability_kernel import DEFICIT_UNITS
from komi.graph.transitions import GraphCounts, begin, count_columns, gain_at

FREE = -3
"""In place of a policy's action: the player to move chooses the best."""
UNIFORM = -2
"""In place of a policy's action: each legal action with equal probability."""
UNREACHED = -5
"""In place of a policy's action: play does not reach this state, and its value does not matter."""

VALUE, ACTIONS, TURNS, CHANCE_MOVES = -1, 0, 1, 2
"""The quantities of equations: the value, or the expected length, in actions of players, in turns, or in moves at
chance nodes."""
MEASURES = ("actions", "turns", "chance moves")


class Objective(NamedTuple):
    """The objective of a game.

    In a two-player zero-sum game, values are the mover's and the opponent gets one minus them. The outcomes in
    equations are then encoded by `graph.perspective.linear_term`.
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


def rounding_slack(counts: GraphCounts, mixing: bool) -> float:
    """Bound the rounding error of one backup of terms that sum to at most 2.

    A backup sums at most `_terms` terms, each with a probability that is accurate to 4 units in its last place. If the
    probabilities of an action differ from a sum of 1 by more than that explains, each of them can have an error as
    large as the difference.
    """
    return (_terms(counts, mixing) + 6) * 2.0**-52 + probability_deficit(counts)


def probability_rounding(counts: GraphCounts, mixing: bool) -> float:
    """Bound the relative rounding error of a sum of probabilities, or of products with them."""
    return (4.0 + 0.5 * (_terms(counts, mixing) + 4)) * 2.0**-52


def probability_deficit(counts: GraphCounts) -> float:
    """Return the largest difference between an action's sum of probabilities and 1; 0 if it is within rounding."""
    return _uneven(counts, counts.max_outcomes + 4.0)


def _terms(counts: GraphCounts, mixing: bool) -> int:
    return counts.max_outcomes * (counts.max_actions if mixing else 1)


def roll_rounding_slack(counts: GraphCounts) -> float:
    """Bound the rounding error of one backup inside rolls, more closely than `rounding_slack`.

    Partial sums never exceed 1, so that each addition, and all products together, have an error of at most 2^-53. A
    probability is accurate to 5 units in its last place: it can be a share of one, divided by the sum of all.
    """
    additions = counts.max_outcomes
    return (5.0 + 0.5 * (additions + 1)) * 2.0**-52 + _uneven(counts, 5.0)


def _uneven(counts: GraphCounts, rounding_units: float) -> float:
    """Return the largest difference between an action's sum of probabilities and 1; 0 if it is within rounding.

    Args:
        counts: the counts of the reachability analysis.
        rounding_units: the largest difference that is attributed to rounding, in units of 2^-52.
    """
    deficit = counts.deficit / DEFICIT_UNITS
    return deficit if deficit > rounding_units * 2.0**-52 else 0.0


def rounding_error(objective: Any, magnitude: float) -> Any:
    """Bound the rounding error of a backup of terms whose magnitudes sum to `magnitude`."""
    return objective.slack if objective.is_zero_sum else objective.slack * (1.0 + magnitude)


class Workspace(NamedTuple):
    """Buffers for the equations of the largest component, in solving order."""

    order: Any  # int32[states] states of the component in solving order
    position: Any  # int32[states] the inverse permutation
    path: Any  # int32[states]
    next: Any  # int64[states]
    feedback: Any  # int32[rows] the feedback vertex set: equations that are read before they are written
    actions_end: Any  # int64[rows]
    constant: Any  # float64[actions] the known part of an action's value: rewards and boundary values
    sure: Any  # float64[actions] `constant` without the 1 of `perspective.linear_term` for passing inner outcomes
    leaving: Any  # float64[actions] the probability that play leaves the component
    terms: Any  # float64[actions] a bound on the sum of the absolute terms of `sure`
    number: Any  # int16[actions] the action's number
    outcomes_end: Any  # int64[actions]
    target: Any  # int32[outcomes] equations; only outcomes within the component
    weight: Any  # float64[outcomes]
    value: Any  # float64[rows]
    mine: Any  # float64[rows]
    theirs: Any  # float64[rows]
    choice: Any  # int32[rows]

    @classmethod
    def empty(cls, roles: int, states: int, actions: int, outcomes: int) -> "Workspace":
        """Allocate buffers for components with these numbers of states, actions and outcomes."""
        rows = roles * states
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(rows, np.int32),
            np.empty(rows, np.int64),
            np.empty(roles * actions, np.float64),
            np.empty(roles * actions, np.float64),
            np.empty(roles * actions, np.float64),
            np.empty(roles * actions, np.float64),
            np.empty(roles * actions, np.int16),
            np.empty(roles * actions, np.int64),
            np.empty(roles * outcomes, np.int32),
            np.empty(roles * outcomes, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.float64),
            np.empty(rows, np.int32),
        )


def to_policy_equations(scratch: Workspace, rows: int) -> PolicyEquations:
    """Copy the first `rows` equations that `write_equations` has written, for policy iteration."""
    actions_end = scratch.actions_end[:rows].copy()
    actions = int(actions_end[-1])
    outcomes_end = scratch.outcomes_end[:actions].copy()
    outcomes = int(outcomes_end[-1])
    return PolicyEquations(
        actions_end,
        outcomes_end,
        scratch.target[:outcomes].astype(np.int64),
        scratch.weight[:outcomes].copy(),
        scratch.sure[:actions].copy(),
        scratch.leaving[:actions].copy(),
        scratch.terms[:actions].copy(),
    )


def prescribed_action(policies: Any, row: int) -> Any:
    """Return the action that binds the player to move in an equation, or FREE, UNIFORM or UNREACHED."""
    if policies is None:
        return np.int64(FREE)
    return np.int64(policies[row])


def role_after(role: int, passes: int, roles: int) -> int:
    """Return the role after an outcome."""
    if roles == 1:
        return 0
    role += passes
    return role - roles if role >= roles else role


def write_equations(
    batch: Any,
    first: int,
    size: int,
    policies: Any,
    roles: int,
    quantity: int,
    objective: Any,
    scratch: Any,
    exits: Any,
    exit_bounds: Any,
) -> Any:
    """Copy the component's equations in solving order, with boundary values folded into constants.

    Sweeps then read memory sequentially.

    Args:
        batch: `Transitions`.
        first, size: the first state of the component in the batch, and the number of its states.
        policies: int16[all states * roles], actions, FREE, UNIFORM or UNREACHED; None if every player is free.
        roles: the number of roles.
        quantity: VALUE, ACTIONS, TURNS or CHANCE_MOVES.
        objective: an `Objective`.
        scratch: a `Workspace` with its order and position filled in; the rest is filled in here.
        exits: float64[all states * roles], the quantity in the states at the component's boundary.
        exit_bounds: float32[all states * roles], their error bounds.

    Returns:
        (the largest error bound at the boundary, the largest magnitude of a constant's terms)
    """
    _, _, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes, endings = batch
    states, order, position = batch.state, scratch.order, scratch.position
    into_actions_end, into_constant, into_outcomes_end = scratch.actions_end, scratch.constant, scratch.outcomes_end
    into_target, into_weight, into_number = scratch.target, scratch.weight, scratch.number
    into_sure, into_leaving, into_terms = scratch.sure, scratch.leaving, scratch.terms
    is_duel = count_columns(gains) == 1
    flips, sign = quantity == VALUE and is_duel, 1.0 if is_duel else objective.sign
    if policies is None:
        roles = 1  # a compile-time constant
    exits_bound = np.float32(0.0)
    magnitude = 0.0
    action_height = 0
    outcome_height = 0
    for i in range(size):
        row = first + order[i]
        first_action = begin(actions_end, row)
        for role in range(roles):
            view = 0 if is_duel else (roles - role) % roles
            wanted = prescribed_action(policies, states[row] * roles + role)
            if wanted == UNREACHED:
                into_constant[action_height], into_number[action_height] = 0.0, UNREACHED
                into_sure[action_height], into_leaving[action_height], into_terms[action_height] = 0.0, 1.0, 0.0
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
                into_actions_end[i * roles + role] = action_height
                continue
            share = 1.0
            if wanted == UNIFORM:
                share = 1.0 / (actions_end[row] - first_action)
                into_constant[action_height] = 0.0
                into_number[action_height] = UNIFORM
                into_sure[action_height], into_leaving[action_height], into_terms[action_height] = 0.0, 0.0, 0.0
            for action in range(first_action, actions_end[row]):
                if wanted >= -1 and numbers[action] != wanted:
                    continue
                if quantity == VALUE:
                    constant = share * sign * gain_at(gains, action, view)
                    terms = share * gain_at(gains, action, count_columns(gains) - 1)
                else:
                    counted = ACTIONS if numbers[action] >= 0 else CHANCE_MOVES
                    constant = share if quantity == counted else 0.0
                    terms = constant
                sure, leaving = constant, share * endings[action]
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    target, weight, turn = targets[outcome], share * probabilities[outcome], passes[outcome]
                    after = role_after(role, turn, roles)
                    if quantity == TURNS and turn:
                        constant += weight
                        sure += weight
                        terms += weight
                    added = 0.0
                    if flips:
                        added, weight = linear_term(weight, turn)
                        constant += added
                    if target < 0:
                        into_target[outcome_height] = position[-1 - target] * roles + after
                        into_weight[outcome_height] = weight
                        outcome_height += 1
                    else:
                        index = target * roles + after
                        constant += weight * exits[index]
                        sure += added + weight * exits[index]
                        terms += abs(weight * exits[index])
                        leaving += abs(weight)
                        exits_bound = max(exits_bound, exit_bounds[index])
                magnitude = max(magnitude, terms)
                terms = leaving if flips else terms + leaving  # no payoff is above 1
                if wanted == UNIFORM:
                    into_constant[action_height] += constant
                    into_sure[action_height] += sure
                    into_leaving[action_height] += leaving
                    into_terms[action_height] += terms
                    continue
                into_sure[action_height], into_leaving[action_height] = sure, leaving
                into_terms[action_height] = terms
                into_constant[action_height] = constant
                into_number[action_height] = numbers[action]
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            if wanted == UNIFORM:
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            into_actions_end[i * roles + role] = action_height
    return exits_bound, magnitude
