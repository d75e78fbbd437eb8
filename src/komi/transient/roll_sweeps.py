"""Sweeps over the states of a component through their rolls, in place of those in `fixed_point` and `certificate`.

In a sweep only the equations of the state itself read those inside its roll. So the latter are evaluated in a small
buffer that is reused for each state, according to the evaluation schedule (`schedules`) of its roll graph; many states
share a schedule, which stays in the processor's cache.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I32, I64, allocate
from komi.bellman import Bounds, Scale, add_action, add_outcome, is_finite, limit_bounds
from komi.graph.transitions import begin
from komi.jit.specialization import always_inline
from komi.transient.roll_graph import RollGraphs
from komi.transient.schedules import Schedules


class Slots(NamedTuple):
    """Buffers for the slots of one state's evaluation schedule; `below` and `above` are the bounds of `certificate`."""

    value: F64  # [slots]
    chosen: F64  # [slots] the value of the exit that the policy g takes
    below: F64  # [slots]
    above: F64  # [slots]

    @classmethod
    def empty(cls, slots: int) -> "Slots":
        """Allocate a number of slots."""
        return allocate(cls, slots)


class ExitEquations(NamedTuple):
    """The equations of the exits of a cyclic component, state by state in solving order.

    Each consists of a constant and a weighted value, with weight 0 if an exit leads to no state of the component;
    further successors of an exit are listed separately.
    """

    graph: I32  # [states]
    exits_end: I64  # [states] one past a state's last exit
    constant: F64  # [exits] rewards and boundary values
    weight: F64  # [exits]
    target: I32  # [exits] states, in solving order
    more_end: I64  # [states] one past the last further successor of its exits
    more_slot: I32  # [more] the slot of the exit
    more_weight: F64  # [more]
    more_target: I32  # [more]

    @classmethod
    def empty(cls, states: int, exits: int, outcomes: int) -> "ExitEquations":
        """Allocate equations for these numbers of states, exits and outcomes."""

        def shape(name: str) -> int:
            if name in ("graph", "exits_end", "more_end"):
                return states
            return outcomes if name.startswith("more_") else exits

        return allocate(cls, shape)


class RollEquations(NamedTuple):
    """The equations of all states of a cyclic component and of their rolls."""

    states: int  # their number
    exits: ExitEquations
    graphs: RollGraphs
    schedules: Schedules  # of the roll graphs
    sign: float  # of the objective
    slots: Slots  # buffers


def sweep_rolls(equations: RollEquations, value: F64) -> None:
    """Perform one Gauss-Seidel sweep of Bellman backups."""
    states, exits, graphs, schedules, sign, slots = equations
    slot_value = slots.value
    exit_: Any = np.int64(0)
    more = exit_
    for i in range(states):
        exit_, more = _value_ports(exits, i, exit_, more, value, slot_value)
        value[i] = run_schedule(graphs, exits.graph[i], schedules, sign, slot_value)


def largest_roll_magnitude(equations: RollEquations, value: F64) -> float:
    """Compute the largest magnitude of a value, in all states and in their rolls."""
    states, exits, graphs, schedules, sign, slots = equations
    slot_value = slots.value
    largest = 0.0
    exit_: Any = np.int64(0)
    more = exit_
    for i in range(states):
        schedule = schedules.of_graph[exits.graph[i]]
        exit_, more = _value_ports(exits, i, exit_, more, value, slot_value)
        run_schedule(graphs, exits.graph[i], schedules, sign, slot_value)
        slot_value[schedules.exits[schedule]] = 0.0
        largest = max(largest, abs(value[i]))
        for slot in range(schedules.slots[schedule] - schedules.limits[schedule] + begin(schedules.limits, schedule)):
            largest = max(largest, abs(slot_value[slot]))
    return largest


@always_inline
def _value_ports(exits: ExitEquations, i: int, exit_: int, more: int, value: F64, slot_value: F64) -> tuple[int, int]:
    """Fill in the slots of a state's exits; return the first exit and the first further successor of the next state."""
    first, end = exit_, exits.exits_end[i]
    for exit_ in range(first, end):
        slot_value[exit_ - first] = exits.constant[exit_] + exits.weight[exit_] * value[exits.target[exit_]]
    while more < exits.more_end[i]:
        slot_value[exits.more_slot[more]] += exits.more_weight[more] * value[exits.more_target[more]]
        more += 1
    return end, more


@always_inline
def run_schedule(graphs: RollGraphs, graph: int, schedules: Schedules, sign: float, slot_value: F64) -> float:
    """Fill in the slots after those of the exits; return the value of the state."""
    schedule = schedules.of_graph[graph]
    slot = schedules.exits[schedule]
    slot_value[slot] = -np.inf
    slot += 1
    for step in range(begin(schedules.steps, schedule), schedules.steps[schedule]):
        one, other = slot_value[schedules.one[step]], slot_value[schedules.other[step]]
        slot_value[slot] = one if one > other else other
        slot += 1
    node = begin(schedules.nodes, schedule)
    action = begin(graphs.node_actions, begin(graphs.interior_nodes, graphs.graph_interior[graph]))
    term = begin(graphs.action_terms, action)
    best = -np.inf
    for index in range(begin(schedules.sums, schedule), schedules.sums[schedule]):
        best = slot_value[schedules.sum_list[index]]
        while action < schedules.sum_actions[index]:
            total = sign * graphs.action_gain[action]
            while term < graphs.action_terms[action]:
                total += graphs.term_weight[term] * slot_value[schedules.node_slot[node + graphs.term_node[term]]]
                term += 1
            best = total if total > best else best
            action += 1
        slot_value[slot] = best
        slot += 1
    return best


def sweep_rolls_bounds(
    equations: RollEquations, value: F64, feedback: I32, x: F64, scale: Scale, bounds: Bounds
) -> tuple[float, float]:
    """Perform `certificate.sweep_bounds` through rolls; a choice is the number of the action."""
    states, exits, graphs, schedules, sign, slots = equations
    below, above, choice = bounds
    residual = 0.0
    largest = 0.0
    exit_: Any = np.int64(0)
    more = next_feedback = exit_
    for i in range(states):
        graph = exits.graph[i]
        schedule = schedules.of_graph[graph]
        exit_, more = _bound_ports(exits, i, exit_, more, value, below, above, slots)
        _bound_steps(schedules, schedule, scale, slots)
        inside = _limit_rows(schedules, schedule, scale, slots)
        best, soonest, longest, choice[i], within = _bound_sums(graphs, graph, schedules, sign, scale, slots)
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
        below[i], above[i] = limit_bounds(soonest, longest, value[i], scale)
        if not (is_finite(best) and is_finite(value[i])):
            return np.inf, np.inf
        largest = max(largest, inside, within, below[i], above[i])
    return residual, largest


@always_inline
def _bound_ports(
    exits: ExitEquations, i: int, exit_: int, more: int, value: F64, below: F64, above: F64, slots: Slots
) -> tuple[int, int]:
    """Fill in the slots of a state's exits with bounds; see `_value_ports`."""
    first, end = exit_, exits.exits_end[i]
    for exit_ in range(first, end):
        after, slot = exits.target[exit_], exit_ - first
        slots.value[slot], slots.below[slot], slots.above[slot] = add_outcome(
            exits.constant[exit_], 1.0, 1.0, exits.weight[exit_], value[after], below[after], above[after]
        )
    while more < exits.more_end[i]:
        after, slot = exits.more_target[more], exits.more_slot[more]
        slots.value[slot], slots.below[slot], slots.above[slot] = add_outcome(
            slots.value[slot],
            slots.below[slot],
            slots.above[slot],
            exits.more_weight[more],
            value[after],
            below[after],
            above[after],
        )
        more += 1
    for slot in range(end - first):
        slots.chosen[slot] = slots.value[slot]
    return end, more


def _bound_steps(schedules: Schedules, schedule: int, scale: Scale, slots: Slots) -> None:
    """Compute the better of two slots, with bounds as if `add_action` were applied to the exits of both."""
    discount, price, tie = scale.discount, scale.price, scale.tie
    slot = schedules.exits[schedule]
    slots.value[slot] = slots.chosen[slot] = slots.above[slot] = -np.inf
    slots.below[slot] = np.inf
    slot += 1
    for step in range(begin(schedules.steps, schedule), schedules.steps[schedule]):
        one, other = schedules.one[step], schedules.other[step]
        if slots.value[other] > slots.value[one] or slots.value[other] != slots.value[other]:  # NaN: it must stay
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


def _limit_rows(schedules: Schedules, schedule: int, scale: Scale, slots: Slots) -> float:
    """Limit the bounds of equations without inner actions; return the largest of them."""
    first, end = begin(schedules.limits, schedule), schedules.limits[schedule]
    slot = schedules.slots[schedule] - (end - first)
    largest = 0.0
    for limit in range(first, end):
        before = schedules.limit_list[limit]
        best = slots.value[before]
        slots.value[slot] = best
        slots.below[slot], slots.above[slot] = limit_bounds(slots.below[before], slots.above[before], best, scale)
        largest = max(largest, slots.above[slot], slots.below[slot])
        slot += 1
    return largest


def _bound_sums(
    graphs: RollGraphs,
    graph: int,
    schedules: Schedules,
    sign: float,
    scale: Scale,
    slots: Slots,
) -> tuple[float, float, float, int, float]:
    """Compute the best action of the state itself with its bounds, given its exit lists.

    Returns:
        (its value, below, above, the number of the action that the policy g takes, the largest bound inside the roll)
    """
    schedule = schedules.of_graph[graph]
    first, end = begin(schedules.sums, schedule), schedules.sums[schedule]
    slot = schedules.slots[schedule] - (schedules.limits[schedule] - begin(schedules.limits, schedule)) - (end - first)
    base = begin(schedules.nodes, schedule)
    action = begin(graphs.node_actions, begin(graphs.interior_nodes, graphs.graph_interior[graph]))
    term = begin(graphs.action_terms, action)
    best = chosen = longest = -np.inf
    soonest = np.inf
    number = -1
    largest = 0.0
    for node in range(first, end):
        before = schedules.sum_list[node]
        best, chosen = slots.value[before], slots.chosen[before]
        longest, soonest = slots.above[before], slots.below[before]
        number = -1
        while action < schedules.sum_actions[node]:
            total = sign * graphs.action_gain[action]
            total_below = total_above = 1.0
            while term < graphs.action_terms[action]:
                after = schedules.node_limit[base + graphs.term_node[term]]
                total, total_below, total_above = add_outcome(
                    total,
                    total_below,
                    total_above,
                    graphs.term_weight[term],
                    slots.value[after],
                    slots.below[after],
                    slots.above[after],
                )
                term += 1
            best, chosen, longest, soonest, taken = add_action(
                best, chosen, longest, soonest, total, total_below, total_above, scale
            )
            if taken:
                number = graphs.action_number[action]
            action += 1
        if node < end - 1:
            slots.value[slot] = best
            slots.below[slot], slots.above[slot] = limit_bounds(soonest, longest, best, scale)
            largest = max(largest, slots.below[slot], slots.above[slot])
        slot += 1
    if number < 0:
        number = _chosen_exit(schedules, schedule, scale, slots)
    return best, soonest, longest, number, largest


def _chosen_exit(schedules: Schedules, schedule: int, scale: Scale, slots: Slots) -> Any:
    """Return the number of the exit of the state itself that the policy g takes."""
    price, tie = scale.price, scale.tie
    first, end = begin(schedules.root_entries, schedule), schedules.root_entries[schedule]
    best = -np.inf
    for entry in range(first, end):
        best = max(best, slots.value[schedules.entry_exit[entry]])
    soonest, number = np.inf, np.int64(-1)
    for entry in range(first, end):
        exit_ = schedules.entry_exit[entry]
        gap = best - slots.value[exit_]
        sooner = slots.below[exit_] + price * gap
        if gap <= tie and sooner < soonest:
            soonest, number = sooner, np.int64(schedules.entry_action[entry])
    return number
