"""Evaluation schedules of roll graphs: the branch-free steps of a sweep, common to all states with one roll graph.

The value of an equation inside a roll is computed in *slots*: first those of the ports, then an empty one (no action),
then those that the schedule fills in, one after the other:

- each step takes the better of two slots. Exit lists share steps: the maximum over a list is the maximum over parts of
  it, and most parts are exit lists of other equations, too;
- each sum is an equation with inner actions, children first, the state itself last: the maximum of its exit list and of
  the sums of its actions, over slots of other equations. Equations without inner actions equal their exit lists;
- each limit is a copy of an equation without inner actions: computations of bounds limit them in every equation.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.graph.transitions import begin
from komi.jit.intrinsics import count_ones
from komi.transient.roll_graph import Shapes

PLANS, STEPS, SUMS, ROWS, LIMITS, EXITS = range(6)
NEAR = 256
"""The number of preceding lists that are tried as parts of a list."""


class Plans(NamedTuple):
    """The evaluation schedules of roll graphs, in arrays with spare capacity."""

    used: Any  # int64[6], the used length of each kind of array
    of_shape: Any  # int32[shapes] the schedule; -1 if there is none yet
    ports: Any  # int64[plans] the number of ports, which is the empty slot
    slots: Any  # int64[plans] the number of slots
    steps: Any  # int64[plans] one past the last step
    one: Any  # int32[steps] slot
    other: Any  # int32[steps] slot
    sums: Any  # int64[plans] one past the last sum
    sum_list: Any  # int32[sums] the slot of its list
    sum_actions: Any  # int64[sums] one past its last action in the shape's graph
    rows: Any  # int64[plans] one past the last row of the shape's graph
    row_slot: Any  # int32[rows]
    row_limit: Any  # int32[rows] the slot that has the row's bounds, limited
    limits: Any  # int64[plans] one past the last limit
    limit_list: Any  # int32[limits] the slot of its list
    exits: Any  # int64[plans] one past the last exit of the state itself
    exit_port: Any  # int32[exits] its slot
    exit_number: Any  # int16[exits] the action

    @classmethod
    def empty(cls, shapes: int, room: int) -> Self:
        """Allocate schedules for `shapes` roll graphs, with capacity for about `room` schedules."""
        return cls(
            np.zeros(6, np.int64),
            np.full(shapes, -1, np.int32),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty(64 * room, np.int32),
            np.empty(64 * room, np.int32),
            np.empty(room, np.int64),
            np.empty(16 * room, np.int32),
            np.empty(16 * room, np.int64),
            np.empty(room, np.int64),
            np.empty(64 * room, np.int32),
            np.empty(64 * room, np.int32),
            np.empty(room, np.int64),
            np.empty(64 * room, np.int32),
            np.empty(room, np.int64),
            np.empty(64 * room, np.int32),
            np.empty(64 * room, np.int16),
        )

    def doubled(self) -> Self:
        """Double the capacity."""
        arrays = {name: array for name, array in self._asdict().items() if name not in ("used", "of_shape")}
        return self._replace(**{name: np.concatenate((array, array)) for name, array in arrays.items()})


def write_plan(shapes: Shapes, shape: int, ports: int, plans: Plans) -> bool:
    """Write the schedule of a roll graph with `ports` ports; return whether the capacity sufficed."""
    used = plans.used
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first_row, end_row = begin(shapes.graph_rows, graph), shapes.graph_rows[graph]
    first_list, end_list = begin(shapes.exits_lists, exits), shapes.exits_lists[exits]
    rows, lists = end_row - first_row, end_list - first_list
    entries = shapes.list_entries[end_list - 1] - begin(shapes.list_entries, first_list)
    if (
        used[PLANS] == len(plans.ports)
        or used[STEPS] + entries > len(plans.one)
        or used[SUMS] + rows > len(plans.sum_list)
        or used[ROWS] + rows > len(plans.row_slot)
        or used[LIMITS] + lists > len(plans.limit_list)
        or used[EXITS] + entries > len(plans.exit_port)
    ):
        return False
    plan, row_slot, row_limit = used[PLANS], plans.row_slot, plans.row_limit
    list_slot, list_limit = np.empty(lists, np.int64), np.full(lists, -1, np.int64)
    slot = _write_steps(shapes, first_list, ports, plans, list_slot)
    listed = begin(shapes.exits_listed, exits)
    for i in range(rows):
        row = first_row + i
        if shapes.row_actions[row] > begin(shapes.row_actions, row) or i == rows - 1:
            plans.sum_list[used[SUMS]] = list_slot[shapes.listed_list[listed + i]]
            plans.sum_actions[used[SUMS]] = shapes.row_actions[row]
            row_slot[used[ROWS] + i] = row_limit[used[ROWS] + i] = slot
            used[SUMS] += 1
            slot += 1
    for i in range(rows):
        row, here = first_row + i, shapes.listed_list[listed + i]
        if shapes.row_actions[row] > begin(shapes.row_actions, row) or i == rows - 1:
            continue
        if list_limit[here] < 0:
            list_limit[here] = slot
            plans.limit_list[used[LIMITS]] = list_slot[here]
            used[LIMITS] += 1
            slot += 1
        row_slot[used[ROWS] + i], row_limit[used[ROWS] + i] = list_slot[here], list_limit[here]
    last = first_list + shapes.listed_list[listed + rows - 1]
    for entry in range(begin(shapes.list_entries, last), shapes.list_entries[last]):
        plans.exit_port[used[EXITS]] = shapes.entry_port[entry]
        plans.exit_number[used[EXITS]] = shapes.entry_number[entry]
        used[EXITS] += 1
    used[ROWS] += rows
    used[PLANS] += 1
    plans.ports[plan], plans.slots[plan], plans.rows[plan] = ports, slot, used[ROWS]
    plans.steps[plan], plans.sums[plan], plans.limits[plan] = used[STEPS], used[SUMS], used[LIMITS]
    plans.exits[plan] = used[EXITS]
    plans.of_shape[shape] = plan
    return True


def _write_steps(shapes: Shapes, first_list: int, ports: int, plans: Plans, list_slot: Any) -> Any:
    """Write the steps of all exit lists of a roll graph, and the slot of each list; return the first free slot.

    A list is composed greedily of earlier lists that are subsets of it, each time the one that covers most of the rest.
    """
    words = (ports >> 6) + 1
    members = np.zeros((len(list_slot), words), np.uint64)
    missing = np.empty(words, np.uint64)
    slot = ports + 1
    entry = begin(shapes.list_entries, first_list)
    order = np.argsort(_sizes(shapes, first_list, len(list_slot)), kind="mergesort")
    for each in range(len(list_slot)):
        while entry < shapes.list_entries[first_list + each]:
            port = shapes.entry_port[entry]
            members[each, port >> 6] |= np.uint64(1) << np.uint64(port & 63)
            entry += 1
    for place in range(len(order)):
        each = order[place]
        missing[:] = members[each]
        made = -1
        while True:
            best, found = 0, -1
            for before in range(max(place - NEAR, 0), place):
                gained = _gained(members, order[before], each, missing)
                if gained > best:
                    best, found = gained, before
            if best > 1:
                part = list_slot[order[found]]
                for word in range(words):
                    missing[word] &= ~members[order[found], word]
            else:
                part = _take_first(missing)
                if part < 0:
                    break
            if made < 0:
                made = part
                continue
            plans.one[plans.used[STEPS]], plans.other[plans.used[STEPS]] = made, part
            plans.used[STEPS] += 1
            made = slot
            slot += 1
        list_slot[each] = made if made >= 0 else ports
    return slot


def _sizes(shapes: Shapes, first_list: int, count: int) -> Any:
    """Count the entries of each of `count` lists."""
    sizes = np.empty(count, np.int64)
    for each in range(count):
        sizes[each] = shapes.list_entries[first_list + each] - begin(shapes.list_entries, first_list + each)
    return sizes


def _gained(members: Any, part: int, whole: int, missing: Any) -> int:
    """Count the missing members that a part covers; 0 if it is no subset of the whole."""
    gained = 0
    for word in range(len(missing)):
        if members[part, word] & ~members[whole, word]:
            return 0
        gained += count_ones(members[part, word] & missing[word])
    return gained


def _take_first(missing: Any) -> Any:
    """Remove the first member and return it; -1 if there is none."""
    for word in range(len(missing)):
        lowest = missing[word] & (~missing[word] + np.uint64(1))
        if lowest:
            missing[word] ^= lowest
            return np.int64((word << 6) + count_ones(lowest - np.uint64(1)))
    return np.int64(-1)
