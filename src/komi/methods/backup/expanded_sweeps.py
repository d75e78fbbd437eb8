"""Sweeps over the states of a component through their rolls, in place of those in `fixed_point` and `certificate`.

In a sweep only the rows of the state itself read those inside its roll. So these are worked out in a small room that is
used again for each state, first what its ports are worth, then the best of each list of them, then the rows; what the
shapes say of it is the same for many states, and stays near the processor.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.methods.backup.certificate import prices_of, with_action, with_outcome
from komi.model.rolls.shapes import Shapes
from komi.model.transitions import begin


class RollRoom(NamedTuple):
    """Room for the roll of one state; `below` and `above` are the bounds of `certificate`."""

    port_value: Any  # float64[ports]
    port_below: Any  # float64[ports]
    port_above: Any  # float64[ports]
    list_value: Any  # float64[lists] of the best port; -inf without any
    list_chosen: Any  # float64[lists] the value of the port that the bounded policy takes
    list_entry: Any  # int64[lists] which that is; -1 none
    list_below: Any  # float64[lists]
    list_above: Any  # float64[lists]
    row_value: Any  # float64[rows]
    row_below: Any  # float64[rows]
    row_above: Any  # float64[rows]

    @classmethod
    def empty(cls, ports: int, lists: int, rows: int) -> "RollRoom":
        """Room for so many."""
        sizes = {"port": ports, "list": lists, "row": rows}
        room = {name: np.empty(sizes[name.partition("_")[0]]) for name in cls._fields}
        return cls(**room | {"list_entry": np.empty(lists, np.int64)})


def sweep_rolls(rows: Any, value: Any) -> None:
    """One Gauss-Seidel sweep of Bellman backups; the largest magnitude of a value is left in the last of `rows`."""
    shapes, shape_of, ports_end, constant, outcomes_end, target, weight, sign, room, largest = rows
    largest[0] = 0.0
    port = 0
    outcome = 0
    for i in range(len(shape_of)):
        first = port
        while port < ports_end[i]:
            total = constant[port]
            while outcome < outcomes_end[port]:
                total += weight[outcome] * value[target[outcome]]
                outcome += 1
            room.port_value[port - first] = total
            port += 1
        value[i], magnitude = back_up_roll(shapes, shape_of[i], sign, room)
        largest[0] = max(largest[0], magnitude)


def back_up_roll(shapes: Shapes, shape: int, sign: float, room: Any) -> tuple[float, float]:
    """What a state is worth, and the largest magnitude in its roll, given what its ports are worth."""
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    port_value, list_value, row_value = room.port_value, room.list_value, room.row_value
    first_list = begin(shapes.exits_lists, exits)
    entry = begin(shapes.list_entries, first_list)
    for each in range(first_list, shapes.exits_lists[exits]):
        best = -np.inf
        while entry < shapes.list_entries[each]:
            best = max(best, port_value[shapes.entry_port[entry]])
            entry += 1
        list_value[each - first_list] = best
    first_row = begin(shapes.graph_rows, graph)
    count = shapes.graph_rows[graph] - first_row
    listed = begin(shapes.exits_listed, exits)
    action = begin(shapes.row_actions, first_row)
    term = begin(shapes.action_terms, action)
    largest = 0.0
    for i in range(count):
        best = list_value[shapes.listed_list[listed + i]]
        while action < shapes.row_actions[first_row + i]:
            total = sign * shapes.action_gain[action]
            while term < shapes.action_terms[action]:
                total += shapes.term_weight[term] * row_value[shapes.term_row[term]]
                term += 1
            largest = max(largest, abs(total))
            best = max(best, total)
            action += 1
        row_value[i] = best
        largest = max(largest, abs(best))
    return row_value[count - 1], largest


def action_of_root(shapes: Shapes, shape: int, sign: float, value: float, room: Any) -> int:
    """The number of an action with which a state is worth this, once its roll is backed up."""
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    root = shapes.graph_rows[graph] - 1
    first_row = begin(shapes.graph_rows, graph)
    last = begin(shapes.exits_lists, exits) + shapes.listed_list[begin(shapes.exits_listed, exits) + root - first_row]
    for entry in range(begin(shapes.list_entries, last), shapes.list_entries[last]):
        if room.port_value[shapes.entry_port[entry]] == value:
            return shapes.entry_number[entry]  # type: ignore[no-any-return]
    best = -np.inf
    number = 0
    for action in range(begin(shapes.row_actions, root), shapes.row_actions[root]):
        total = sign * shapes.action_gain[action]
        for term in range(begin(shapes.action_terms, action), shapes.action_terms[action]):
            total += shapes.term_weight[term] * room.row_value[shapes.term_row[term]]
        if total > best:
            best, number = total, shapes.action_number[action]
    return number


def sweep_rolls_bounds(
    rows: Any,
    value: Any,
    feedback: Any,
    x: Any,
    least: float,
    slack: float,
    tie: float,
    limits: Any,
    below: Any,
    above: Any,
    choice: Any,
) -> tuple[float, float]:
    """As `certificate.sweep_bounds`; a choice is the number of the action."""
    shapes, shape_of, ports_end, constant, outcomes_end, target, weight, sign, room, _ = rows
    lowest, highest = limits
    unit = 1.0 / least
    prices = prices_of(unit, slack, tie)
    residual = 0.0
    largest = 0.0
    port = 0
    outcome = 0
    next_feedback = 0
    for i in range(len(shape_of)):
        first = port
        farthest = 1.0
        while port < ports_end[i]:
            total = constant[port]
            total_below = total_above = 1.0
            while outcome < outcomes_end[port]:
                after = target[outcome]
                total, total_below, total_above = with_outcome(
                    total, total_below, total_above, weight[outcome], value[after], below[after], above[after]
                )
                outcome += 1
            room.port_value[port - first] = total
            room.port_below[port - first] = total_below
            room.port_above[port - first] = total_above
            farthest = max(farthest, total_above)
            port += 1
        _bound_lists(shapes, shapes.shape_exits[shape_of[i]], farthest, prices, room)
        best, soonest, longest, choice[i], inside = _bound_rows(shapes, shape_of[i], sign, prices, unit, limits, room)
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
        above[i] = min(longest, max(highest - value[i], 0.0) * unit)
        below[i] = min(soonest, max(value[i] - lowest, 0.0) * unit)
        largest = max(largest, inside, below[i], above[i])
    return residual, largest


def _bound_lists(shapes: Shapes, exits: int, farthest: float, prices: Any, room: Any) -> None:
    """The best port of each list, and what bounds it; `farthest` is the largest of `above` among the ports.

    A port so much worse than the best that its price exceeds this bounds nothing.
    """
    discount, price, tie = prices
    far = max(tie, farthest / discount)
    first_list = begin(shapes.exits_lists, exits)
    end = begin(shapes.list_entries, first_list)
    for each in range(first_list, shapes.exits_lists[exits]):
        first, end = end, shapes.list_entries[each]
        best = -np.inf
        for entry in range(first, end):
            best = max(best, room.port_value[shapes.entry_port[entry]])
        longest, soonest = -np.inf, np.inf
        chosen = -1
        for entry in range(first, end):
            port = shapes.entry_port[entry]
            gap = best - room.port_value[port]
            if gap <= far:
                longest = max(longest, room.port_above[port] - discount * gap)
                sooner = room.port_below[port] + price * gap
                if gap <= tie and sooner < soonest:
                    soonest, chosen = sooner, entry
        place = each - first_list
        room.list_value[place], room.list_above[place], room.list_below[place] = best, longest, soonest
        room.list_entry[place] = chosen
        room.list_chosen[place] = room.port_value[shapes.entry_port[chosen]] if chosen >= 0 else -np.inf


def _bound_rows(
    shapes: Shapes, shape: int, sign: float, prices: Any, unit: float, limits: Any, room: Any
) -> tuple[float, float, float, int, float]:
    """The best action of the state itself, and what bounds it, given its lists.

    Returns:
        (its value, below, above, the number of the action that the bounded policy takes, the largest bound inside)
    """
    lowest, highest = limits
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first_row = begin(shapes.graph_rows, graph)
    count = shapes.graph_rows[graph] - first_row
    listed = begin(shapes.exits_listed, exits)
    action = begin(shapes.row_actions, first_row)
    term = begin(shapes.action_terms, action)
    best = chosen = longest = -np.inf
    soonest = np.inf
    number = -1
    largest = 0.0
    for i in range(count):
        place = shapes.listed_list[listed + i]
        best, chosen, entry = room.list_value[place], room.list_chosen[place], room.list_entry[place]
        longest, soonest = room.list_above[place], room.list_below[place]
        number = shapes.entry_number[entry] if entry >= 0 else -1
        while action < shapes.row_actions[first_row + i]:
            total = sign * shapes.action_gain[action]
            total_below = total_above = 1.0
            while term < shapes.action_terms[action]:
                after = shapes.term_row[term]
                total, total_below, total_above = with_outcome(
                    total,
                    total_below,
                    total_above,
                    shapes.term_weight[term],
                    room.row_value[after],
                    room.row_below[after],
                    room.row_above[after],
                )
                term += 1
            best, chosen, longest, soonest, taken = with_action(
                best, chosen, longest, soonest, total, total_below, total_above, prices
            )
            if taken:
                number = shapes.action_number[action]
            action += 1
        if i < count - 1:
            room.row_value[i] = best
            room.row_above[i] = min(longest, max(highest - best, 0.0) * unit)
            room.row_below[i] = min(soonest, max(best - lowest, 0.0) * unit)
            largest = max(largest, room.row_below[i], room.row_above[i])
    return best, soonest, longest, number, largest
