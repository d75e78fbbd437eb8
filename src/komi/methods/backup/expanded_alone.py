"""The roll of a stored state that lies on no cycle: its rows, children first."""

from typing import Any, NamedTuple

import numpy as np

from komi.model.rolls.shapes import Shapes
from komi.model.transitions import begin


class RollRoom(NamedTuple):
    """Room for the roll of one state."""

    port_value: Any  # float64[ports]
    list_value: Any  # float64[lists] of the best port; -inf without any
    row_value: Any  # float64[rows]

    @classmethod
    def empty(cls, ports: int, lists: int, rows: int) -> "RollRoom":
        """Room for so many."""
        return cls(np.empty(ports), np.empty(lists), np.empty(rows))


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
