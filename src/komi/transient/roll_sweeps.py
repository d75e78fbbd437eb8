"""Sweeps over the states of a component through their rolls, in place of those in `fixed_point` and `certificate`.

In a sweep only the equations of the state itself read those inside its roll. So the latter are evaluated in a small
buffer that is reused for each state, according to the evaluation schedule (`plans`) of its roll graph; many states
share a schedule, which stays in the processor's cache.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.bellman import Bounds, Scale, add_action, add_outcome, limit_bounds
from komi.graph.transitions import begin
from komi.jit.specialization import always_inline
from komi.transient.roll_graph import Shapes
from komi.transient.schedules import Plans


class Slots(NamedTuple):
    """Buffers for the slots of one state's evaluation schedule; `below` and `above` are the bounds of `certificate`."""

    value: Any  # float64[slots]
    chosen: Any  # float64[slots] the value of the port that the policy g takes
    below: Any  # float64[slots]
    above: Any  # float64[slots]

    @classmethod
    def empty(cls, slots: int) -> "Slots":
        """Allocate a number of slots."""
        return cls(*np.empty((4, slots)))


class PortRows(NamedTuple):
    """The equations of the ports of a cyclic component, state by state in solving order.

    Each consists of a constant and a weighted value, with weight 0 if a port leads to no state of the component;
    further successors of a port are listed separately.
    """

    shape: Any  # int32[states]
    ports_end: Any  # int64[states] one past a state's last port
    constant: Any  # float64[ports] rewards and boundary values
    weight: Any  # float64[ports]
    target: Any  # int32[ports] states, in solving order
    more_end: Any  # int64[states] one past the last further successor of its ports
    more_port: Any  # int32[more] the slot of the port
    more_weight: Any  # float64[more]
    more_target: Any  # int32[more]

    @classmethod
    def empty(cls, states: int, ports: int, outcomes: int) -> "PortRows":
        """Allocate equations for these numbers of states, ports and outcomes."""
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(ports, np.float64),
            np.empty(ports, np.float64),
            np.empty(ports, np.int32),
            np.empty(states, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
            np.empty(outcomes, np.int32),
        )


def sweep_rolls(rows: Any, value: Any) -> None:
    """Perform one Gauss-Seidel sweep of Bellman backups."""
    states, ports, shapes, plans, sign, slots = rows
    worth = slots.value
    port: Any = np.int64(0)
    more = port
    for i in range(states):
        port, more = _value_ports(ports, i, port, more, value, worth)
        value[i] = follow(shapes, ports.shape[i], plans, sign, worth)


def largest_roll_magnitude(rows: Any, value: Any) -> float:
    """Compute the largest magnitude of a value, in the states and in their rolls."""
    states, ports, shapes, plans, sign, slots = rows
    worth = slots.value
    largest = 0.0
    port: Any = np.int64(0)
    more = port
    for i in range(states):
        plan = plans.of_shape[ports.shape[i]]
        port, more = _value_ports(ports, i, port, more, value, worth)
        follow(shapes, ports.shape[i], plans, sign, worth)
        worth[plans.ports[plan]] = 0.0
        largest = max(largest, abs(value[i]))
        for slot in range(plans.slots[plan] - plans.limits[plan] + begin(plans.limits, plan)):
            largest = max(largest, abs(worth[slot]))
    return largest


@always_inline
def _value_ports(ports: PortRows, i: int, port: Any, more: Any, value: Any, worth: Any) -> tuple[int, int]:
    """Fill in the slots of a state's ports; return the first port and the first further successor of the next state."""
    first, end = port, ports.ports_end[i]
    for port in range(first, end):
        worth[port - first] = ports.constant[port] + ports.weight[port] * value[ports.target[port]]
    while more < ports.more_end[i]:
        worth[ports.more_port[more]] += ports.more_weight[more] * value[ports.more_target[more]]
        more += 1
    return end, more


@always_inline
def follow(shapes: Shapes, shape: int, plans: Plans, sign: float, worth: Any) -> Any:
    """Fill in the slots after those of the ports; return the value of the state."""
    plan = plans.of_shape[shape]
    slot = plans.ports[plan]
    worth[slot] = -np.inf
    slot += 1
    for step in range(begin(plans.steps, plan), plans.steps[plan]):
        one, other = worth[plans.one[step]], worth[plans.other[step]]
        worth[slot] = one if one > other else other
        slot += 1
    row = begin(plans.rows, plan)
    action = begin(shapes.row_actions, begin(shapes.graph_rows, shapes.shape_graph[shape]))
    term = begin(shapes.action_terms, action)
    best = -np.inf
    for each in range(begin(plans.sums, plan), plans.sums[plan]):
        best = worth[plans.sum_list[each]]
        while action < plans.sum_actions[each]:
            total = sign * shapes.action_gain[action]
            while term < shapes.action_terms[action]:
                total += shapes.term_weight[term] * worth[plans.row_slot[row + shapes.term_row[term]]]
                term += 1
            best = total if total > best else best
            action += 1
        worth[slot] = best
        slot += 1
    return best


def sweep_rolls_bounds(
    rows: Any, value: Any, feedback: Any, x: Any, scale: Scale, bounds: Bounds
) -> tuple[float, float]:
    """Perform `certificate.sweep_bounds` through rolls; a choice is the number of the action."""
    states, ports, shapes, plans, sign, slots = rows
    below, above, choice = bounds
    residual = 0.0
    largest = 0.0
    port: Any = np.int64(0)
    more = next_feedback = port
    for i in range(states):
        shape = ports.shape[i]
        plan = plans.of_shape[shape]
        port, more = _bound_ports(ports, i, port, more, value, below, above, slots)
        _bound_steps(plans, plan, scale, slots)
        inside = _limit_rows(plans, plan, scale, slots)
        best, soonest, longest, choice[i], within = _bound_sums(shapes, shape, plans, sign, scale, slots)
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
        below[i], above[i] = limit_bounds(soonest, longest, value[i], scale)
        largest = max(largest, inside, within, below[i], above[i])
    return residual, largest


@always_inline
def _bound_ports(
    ports: PortRows, i: int, port: Any, more: Any, value: Any, below: Any, above: Any, slots: Slots
) -> tuple[int, int]:
    """Fill in the slots of a state's ports with bounds; see `_value_ports`."""
    first, end = port, ports.ports_end[i]
    for port in range(first, end):
        after, slot = ports.target[port], port - first
        slots.value[slot], slots.below[slot], slots.above[slot] = add_outcome(
            ports.constant[port], 1.0, 1.0, ports.weight[port], value[after], below[after], above[after]
        )
    while more < ports.more_end[i]:
        after, slot = ports.more_target[more], ports.more_port[more]
        slots.value[slot], slots.below[slot], slots.above[slot] = add_outcome(
            slots.value[slot],
            slots.below[slot],
            slots.above[slot],
            ports.more_weight[more],
            value[after],
            below[after],
            above[after],
        )
        more += 1
    for slot in range(end - first):
        slots.chosen[slot] = slots.value[slot]
    return end, more


def _bound_steps(plans: Plans, plan: int, scale: Scale, slots: Slots) -> None:
    """Compute the better of two slots, with bounds as if `with_action` were applied to the ports of both."""
    discount, price, tie = scale.discount, scale.price, scale.tie
    slot = plans.ports[plan]
    slots.value[slot] = slots.chosen[slot] = slots.above[slot] = -np.inf
    slots.below[slot] = np.inf
    slot += 1
    for step in range(begin(plans.steps, plan), plans.steps[plan]):
        one, other = plans.one[step], plans.other[step]
        if slots.value[other] > slots.value[one]:
            one, other = other, one
        best = slots.value[one]
        gap = best - slots.value[other]
        slots.value[slot] = best
        slots.above[slot] = max(slots.above[one], slots.above[other] - discount * gap)
        sooner = slots.below[other] + price * gap
        if slots.chosen[other] >= best - tie and sooner < slots.below[one]:
            slots.chosen[slot], slots.below[slot] = slots.chosen[other], sooner
        else:
            slots.chosen[slot], slots.below[slot] = slots.chosen[one], slots.below[one]
        slot += 1


def _limit_rows(plans: Plans, plan: int, scale: Scale, slots: Slots) -> float:
    """Limit the bounds of equations without inner actions; return the largest of them."""
    first, end = begin(plans.limits, plan), plans.limits[plan]
    slot = plans.slots[plan] - (end - first)
    largest = 0.0
    for limit in range(first, end):
        before = plans.limit_list[limit]
        best = slots.value[before]
        slots.value[slot] = best
        slots.below[slot], slots.above[slot] = limit_bounds(slots.below[before], slots.above[before], best, scale)
        largest = max(largest, slots.above[slot], slots.below[slot])
        slot += 1
    return largest


def _bound_sums(
    shapes: Shapes, shape: int, plans: Plans, sign: float, scale: Scale, slots: Slots
) -> tuple[float, float, float, int, float]:
    """Compute the best action of the state itself with its bounds, given its exit lists.

    Returns:
        (its value, below, above, the number of the action that the policy g takes, the largest bound inside the roll)
    """
    plan = plans.of_shape[shape]
    first, end = begin(plans.sums, plan), plans.sums[plan]
    slot = plans.slots[plan] - (plans.limits[plan] - begin(plans.limits, plan)) - (end - first)
    base = begin(plans.rows, plan)
    action = begin(shapes.row_actions, begin(shapes.graph_rows, shapes.shape_graph[shape]))
    term = begin(shapes.action_terms, action)
    best = chosen = longest = -np.inf
    soonest = np.inf
    number = -1
    largest = 0.0
    for row in range(first, end):
        before = plans.sum_list[row]
        best, chosen = slots.value[before], slots.chosen[before]
        longest, soonest = slots.above[before], slots.below[before]
        number = -1
        while action < plans.sum_actions[row]:
            total = sign * shapes.action_gain[action]
            total_below = total_above = 1.0
            while term < shapes.action_terms[action]:
                after = plans.row_limit[base + shapes.term_row[term]]
                total, total_below, total_above = add_outcome(
                    total,
                    total_below,
                    total_above,
                    shapes.term_weight[term],
                    slots.value[after],
                    slots.below[after],
                    slots.above[after],
                )
                term += 1
            best, chosen, longest, soonest, taken = add_action(
                best, chosen, longest, soonest, total, total_below, total_above, scale
            )
            if taken:
                number = shapes.action_number[action]
            action += 1
        if row < end - 1:
            slots.value[slot] = best
            slots.below[slot], slots.above[slot] = limit_bounds(soonest, longest, best, scale)
            largest = max(largest, slots.below[slot], slots.above[slot])
        slot += 1
    if number < 0:
        number = _chosen_exit(plans, plan, scale, slots)
    return best, soonest, longest, number, largest


def _chosen_exit(plans: Plans, plan: int, scale: Scale, slots: Slots) -> Any:
    """Return the number of the exit of the state itself that the policy g takes."""
    price, tie = scale.price, scale.tie
    first, end = begin(plans.exits, plan), plans.exits[plan]
    best = -np.inf
    for place in range(first, end):
        best = max(best, slots.value[plans.exit_port[place]])
    soonest, number = np.inf, np.int64(-1)
    for place in range(first, end):
        port = plans.exit_port[place]
        gap = best - slots.value[port]
        sooner = slots.below[port] + price * gap
        if gap <= tie and sooner < soonest:
            soonest, number = sooner, np.int64(plans.exit_number[place])
    return number
