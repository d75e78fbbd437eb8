"""One strongly connected component after the other: values, their bounds, and how long play lasts.

Each state has a row for each role that a player to move can have: one where both sides play alike (optimal
play, a policy against itself), two in a match of two policies. In a role the player to move may be free to
choose the best action, or be bound to a policy.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.compile.bits import prefetch
from komi.methods.fixed_point import settle, sweep
from komi.methods.ordering import order_rows
from komi.methods.race.certificate import certify
from komi.model.search import begin

SOLVED, UNPROVED, STOPPED = range(3)

FREE = -3
"""In place of a policy's action: the player to move chooses the best."""
UNIFORM = -2
"""In place of a policy's action: each legal one with equal chances."""

MEASURES = ("actions", "turns")
"""How long play lasts, counted in these."""
LONGEST = 1e12


class Findings(NamedTuple):
    """What is found of each state in each role, at index state * roles + role.

    Lengths of no states are not wanted, and left alone.
    """

    value: Any  # float64[.] what the game is worth to the player to move
    bound: Any  # float32[.] how far off that can be
    choice: Any  # int16[.] the action taken: a best one where the player is free
    length: Any  # float64[measures, .] how long play goes on, on average, if all play as chosen
    length_bound: Any  # float32[.] how far off that can be

    @classmethod
    def empty(cls, rows: int, lengths: bool) -> "Findings":
        """Room for the findings of so many rows."""
        return cls(
            np.empty(rows, np.float64),
            np.zeros(rows, np.float32),
            np.empty(rows, np.int16),
            np.empty((len(MEASURES), rows if lengths else 0), np.float64),
            np.zeros(rows if lengths else 0, np.float32),
        )


class Scratch(NamedTuple):
    """Room for the largest component, its rows in the order in which they are solved."""

    order: Any  # int32[states] rows of the component in solving order
    position: Any  # int32[states] the inverse: position in the order of a row
    path: Any  # int32[states]
    next: Any  # int64[states]
    feedback: Any  # int32[rows] the rows that are read before they are written
    actions_end: Any  # int64[rows]
    constant: Any  # float64[actions] what an action is worth for sure, exits included
    number: Any  # int16[actions] the action's number
    outcomes_end: Any  # int64[actions]
    target: Any  # int32[outcomes] rows; outcomes within the component only
    weight: Any  # float64[outcomes]
    value: Any  # float64[rows]
    mine: Any  # float64[rows]
    theirs: Any  # float64[rows]
    choice: Any  # int32[rows]

    @classmethod
    def empty(cls, roles: int, states: int, actions: int, outcomes: int) -> "Scratch":
        """Room for components of so many states, actions and outcomes."""
        rows = roles * states
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(rows, np.int32),
            np.empty(rows, np.int64),
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


def solve_batch(batch: Any, ends: Any, policies: Any, slack: float, scratch: Any, findings: Any, stop: Any) -> Any:
    """Solve components in the order given, which must have all that they lead to before them.

    Args:
        batch: the `Transitions` of the components, one after the other.
        ends: int64[components] one past the last state of each.
        policies: int16[roles, all states], actions, FREE or UNIFORM; int16[roles, 0] if all are free.
        slack: what rounding can change in one backup.
        scratch: a `Scratch` with room for the largest.
        findings: `Findings` of states solved before; filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        (SOLVED, -1), or (UNPROVED or STOPPED, a state of the component that was not solved)
    """
    states, actions_end, constants, numbers, outcomes_end, targets, weights = batch
    values, bounds, choices, lengths, length_bounds = findings
    row: Any = np.int64(0)  # a plain 0 would have all that it is handed to compiled twice
    component = row
    while component < len(ends):
        count = _count_singles(
            actions_end, outcomes_end, targets, values, bounds, policies.shape[0], ends, component, row
        )
        if count:
            # fmt: off
            _solve_singles(
                states, actions_end, constants, numbers, outcomes_end, targets, weights,
                policies, values, bounds, choices, row, row + count, slack,
            )
            if lengths.shape[1]:
                _measure_singles(
                    states, actions_end, numbers, outcomes_end, targets, weights,
                    choices, lengths, length_bounds, row, row + count, policies.shape[0], slack,
                )
            # fmt: on
            component += count
            row += count
        else:
            how = _solve_cyclic(batch, row, ends[component], policies, slack, scratch, findings, stop)
            if how != SOLVED:
                return how, states[row]
            row = ends[component]
            component += 1
    return SOLVED, -1


def _count_singles(
    actions_end: Any,
    outcomes_end: Any,
    targets: Any,
    values: Any,
    bounds: Any,
    roles: int,
    ends: Any,
    component: int,
    row: int,
) -> int:
    """How many of the next components have one state each, which cannot lead to itself at once.

    What they lead to is called for ahead of time.
    """
    count = 0
    while component + count < len(ends) and ends[component + count] == row + count + 1:
        first = begin(outcomes_end, begin(actions_end, row + count))
        for outcome in range(first, outcomes_end[actions_end[row + count] - 1]):
            if targets[outcome] < 0:
                return count
            prefetch(values, targets[outcome] * roles)
            prefetch(bounds, targets[outcome] * roles)
        count += 1
    return count


def _solve_singles(
    states: Any,
    actions_end: Any,
    constants: Any,
    numbers: Any,
    outcomes_end: Any,
    targets: Any,
    weights: Any,
    policies: Any,
    values: Any,
    bounds: Any,
    choices: Any,
    first_row: int,
    end_row: int,
    slack: float,
) -> None:
    """Back up states one by one, each from those after it."""
    roles = policies.shape[0]
    for row in range(first_row, end_row):
        state = states[row]
        first = begin(actions_end, row)
        for role in range(roles):
            wanted = policies[role, state] if policies.shape[1] else FREE
            best = -np.inf
            choice = UNIFORM
            mixed = 0.0
            worst_bound = np.float32(0.0)
            outcome = begin(outcomes_end, first)
            for action in range(first, actions_end[row]):
                value = constants[action]
                while outcome < outcomes_end[action]:
                    weight = weights[outcome]
                    after = targets[outcome] * roles + _role_after(role, weight, roles)
                    value += weight * values[after]
                    worst_bound = max(worst_bound, bounds[after])
                    outcome += 1
                mixed += value
                if (wanted == FREE and value > best) or wanted == numbers[action]:
                    best, choice = value, numbers[action]
            here = state * roles + role
            values[here] = mixed / (actions_end[row] - first) if wanted == UNIFORM else best
            bounds[here] = _above(worst_bound + slack)
            choices[here] = choice


def _measure_singles(
    states: Any,
    actions_end: Any,
    numbers: Any,
    outcomes_end: Any,
    targets: Any,
    weights: Any,
    choices: Any,
    lengths: Any,
    length_bounds: Any,
    first_row: int,
    end_row: int,
    roles: int,
    slack: float,
) -> None:
    """How long play goes on from states one by one if all play as chosen."""
    for row in range(first_row, end_row):
        first = begin(actions_end, row)
        for role in range(roles):
            here = states[row] * roles + role
            choice = choices[here]
            share = 1.0 / (actions_end[row] - first) if choice == UNIFORM else 1.0
            actions, turns = 1.0, 0.0
            worst_bound = np.float32(0.0)
            for action in range(first, actions_end[row]):
                if choice != UNIFORM and numbers[action] != choice:
                    continue
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    weight = share * weights[outcome]
                    after = targets[outcome] * roles + _role_after(role, weight, roles)
                    if weight < 0.0:
                        weight = -weight
                        turns += weight
                    actions += weight * lengths[0, after]
                    turns += weight * lengths[1, after]
                    worst_bound = max(worst_bound, length_bounds[after])
            lengths[0, here], lengths[1, here] = actions, turns
            length_bounds[here] = _above(worst_bound + 0.5 * slack * (actions + 1.0))


def _role_after(role: int, weight: float, roles: int) -> int:
    """Who is to move after an outcome: the other role if the turn has passed."""
    return role if weight > 0.0 or roles == 1 else 1 - role


def _above(bound: Any) -> Any:
    """The bound, with room for its own rounding and for being kept in single precision."""
    return bound * (1.0 + 2.0**-22)


def _solve_cyclic(
    batch: Any, first: int, end: int, policies: Any, slack: float, scratch: Any, findings: Any, stop: Any
) -> int:
    roles = policies.shape[0]
    size = end - first
    states, order, feedback = batch.state, scratch.order, scratch.feedback
    count = roles * order_rows(batch, first, size, scratch, findings.value)
    for j in range(count - 1, -1, -1):  # from positions to rows, in place
        feedback[j] = feedback[j // roles] * roles + j % roles
    exits_bound = _lay_out(batch, first, size, policies, scratch, findings)
    rows = (
        scratch.actions_end[: size * roles],
        scratch.constant,
        scratch.outcomes_end,
        scratch.target,
        scratch.weight,
    )
    value = scratch.value
    for i in range(size * roles):
        value[i] = 0.5
    how = SOLVED
    longest = 0.0
    if count and settle(rows, value, feedback[:count], 1.0, stop):
        how = STOPPED
    else:
        residual, longest = certify(
            rows, value, feedback[:count], slack, scratch.mine, scratch.theirs, scratch.choice, stop
        )
        if longest < 0.0:
            how = STOPPED if stop[0] else UNPROVED
        bound = _above(exits_bound + residual * longest)
    if how == SOLVED:
        for i in range(size):
            for role in range(roles):
                index = states[first + order[i]] * roles + role
                findings.value[index] = value[i * roles + role]
                findings.bound[index] = bound
        _note_choices(batch, first, size, policies, scratch, findings.choice)
        if findings.length.shape[1]:
            how = _measure_lengths(batch, first, size, slack, longest, count, roles, scratch, findings, stop)
    return how


def _lay_out(batch: Any, first: int, size: int, policies: Any, scratch: Any, findings: Any) -> Any:
    """Copy the component's rows in solving order, exits folded into constants.

    Sweeps then read memory straight through. Returns the largest bound among the exits.
    """
    _, actions_end, constants, numbers, outcomes_end, targets, weights = batch
    states, order, position = batch.state, scratch.order, scratch.position
    into_actions_end, into_constant, into_outcomes_end = (
        scratch.actions_end,
        scratch.constant,
        scratch.outcomes_end,
    )
    into_target, into_weight, into_number = scratch.target, scratch.weight, scratch.number
    values, bounds = findings.value, findings.bound
    roles = policies.shape[0]
    bound_to_policies = policies.shape[1] > 0
    exits_bound = np.float32(0.0)
    action_height = 0
    outcome_height = 0
    wanted = FREE
    for i in range(size):
        row = first + order[i]
        first_action = begin(actions_end, row)
        for role in range(roles):
            if bound_to_policies:
                wanted = policies[role, states[row]]
            share = 1.0
            if wanted == UNIFORM:
                share = 1.0 / (actions_end[row] - first_action)
                into_constant[action_height] = 0.0
                into_number[action_height] = UNIFORM
            for action in range(first_action, actions_end[row]):
                if wanted >= 0 and numbers[action] != wanted:
                    continue
                constant = share * constants[action]
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    target, weight = targets[outcome], share * weights[outcome]
                    after = _role_after(role, weight, roles)
                    if target < 0:
                        into_target[outcome_height] = position[-1 - target] * roles + after
                        into_weight[outcome_height] = weight
                        outcome_height += 1
                    else:
                        constant += weight * values[target * roles + after]
                        exits_bound = max(exits_bound, bounds[target * roles + after])
                if wanted == UNIFORM:
                    into_constant[action_height] += constant
                    continue
                into_constant[action_height] = constant
                into_number[action_height] = numbers[action]
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            if wanted == UNIFORM:
                into_outcomes_end[action_height] = outcome_height
                action_height += 1
            into_actions_end[i * roles + role] = action_height
    return exits_bound


def _note_choices(batch: Any, first: int, size: int, policies: Any, scratch: Any, choices: Any) -> None:
    roles = policies.shape[0]
    states, order, choice, number = batch.state, scratch.order, scratch.choice, scratch.number
    for i in range(size):
        for role in range(roles):
            choices[states[first + order[i]] * roles + role] = number[choice[i * roles + role]]


def _measure_lengths(
    batch: Any,
    first: int,
    size: int,
    slack: float,
    longest: float,
    count: int,
    roles: int,
    scratch: Any,
    findings: Any,
    stop: Any,
) -> int:
    """How long play goes on from each state if all play as chosen, in each measure.

    The equations are those of values with one action a row. The certificate's w bounds how a residual adds up:
    twice, because it may end for the one side where the other is sure to win, and goes on for that side.
    """
    states, order, feedback, value = batch.state, scratch.order, scratch.feedback, scratch.value
    lengths, length_bounds = findings.length, findings.length_bound
    worst = 0.0
    for measure in range(len(MEASURES)):
        exits_bound, highest = _lay_out_lengths(batch, first, size, roles, measure, scratch, findings)
        rows = (
            scratch.actions_end[: size * roles],
            scratch.constant,
            scratch.outcomes_end,
            scratch.target,
            scratch.weight,
        )
        for i in range(size * roles):
            value[i] = highest
        if count and settle(rows, value, feedback[:count], LONGEST, stop):
            return STOPPED
        old = np.empty(count)
        for j in range(count):
            old[j] = value[feedback[j]]
        sweep(rows, value)
        residual = 0.0
        for j in range(count):
            residual = max(residual, abs(value[feedback[j]] - old[j]))
        for i in range(size):
            for role in range(roles):
                length = value[i * roles + role]
                lengths[measure, states[first + order[i]] * roles + role] = length
                highest = max(highest, length)
        # A sweep later a non-feedback row is off by at most what its feedback rows have moved. Lengths have no
        # negative terms, so rounding is half of what it can be in a backup of values, relative to the sum.
        worst = max(worst, exits_bound + (2.0 * residual + 0.5 * slack * (highest + 1.0)) * 2.0 * longest)
    for i in range(size):
        for role in range(roles):
            length_bounds[states[first + order[i]] * roles + role] = _above(worst)
    return SOLVED


def _lay_out_lengths(batch: Any, first: int, size: int, roles: int, measure: int, scratch: Any, findings: Any) -> Any:
    """Rows of the chosen actions, with what they add to the measure in place of what they win.

    Returns the largest bound and the largest length among the exits.
    """
    _, actions_end, _, numbers, outcomes_end, targets, weights = batch
    states, order, position = batch.state, scratch.order, scratch.position
    into_actions_end, into_constant, into_outcomes_end = (
        scratch.actions_end,
        scratch.constant,
        scratch.outcomes_end,
    )
    into_target, into_weight = scratch.target, scratch.weight
    lengths, length_bounds, choices = findings.length, findings.length_bound, findings.choice
    exits_bound = np.float32(0.0)
    highest = 0.0
    outcome_height = 0
    for i in range(size):
        row = first + order[i]
        first_action = begin(actions_end, row)
        for role in range(roles):
            here = i * roles + role
            wanted = choices[states[row] * roles + role]
            share = 1.0 / (actions_end[row] - first_action) if wanted == UNIFORM else 1.0
            constant = 1.0 if measure == 0 else 0.0
            for action in range(first_action, actions_end[row]):
                if wanted >= 0 and numbers[action] != wanted:
                    continue
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    target, weight = targets[outcome], share * weights[outcome]
                    passed = weight < 0.0
                    after = _role_after(role, weight, roles)
                    if passed:
                        weight = -weight
                        if measure == 1:
                            constant += weight
                    if target < 0:
                        into_target[outcome_height] = position[-1 - target] * roles + after
                        into_weight[outcome_height] = weight
                        outcome_height += 1
                    else:
                        index = target * roles + after
                        constant += weight * lengths[measure, index]
                        exits_bound = max(exits_bound, length_bounds[index])
                        highest = max(highest, lengths[measure, index])
            into_constant[here] = constant
            into_outcomes_end[here] = outcome_height
            into_actions_end[here] = here + 1
    return exits_bound, highest
