"""Evaluation schedules of roll graphs: the branch-free steps of a sweep, common to all states with one roll graph.

The value of an equation inside a roll is computed in *slots*: first those of the exits, then an empty one (no action),
then those that the schedule fills in, one after the other:

- each step takes the better of two slots. Exit lists share steps: the maximum over a list is the maximum over parts of
  it, and most parts are exit lists of other equations, too;
- each sum is an equation with inner actions, children first, the state itself last: the maximum of its exit list and of
  the sums of its actions, over slots of other equations. Equations without inner actions equal their exit lists;
- each limit is a copy of an equation without inner actions: computations of bounds limit them in every equation.
"""

from enum import IntEnum
from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import I16, I32, I64, MAX_INDEX, allocate, check_indices
from komi.graph.transitions import begin
from komi.jit.intrinsics import count_ones
from komi.transient.roll_graph import RollGraphs
from komi.tuning import NEAR_LISTS


class ScheduleKind(IntEnum):
    """The kinds of arrays in `Schedules`, in the order in which `Schedules.used` counts them."""

    SCHEDULE = 0
    STEP = 1
    SUM = 2
    NODE = 3
    LIMIT = 4
    ROOT_ENTRY = 5


class Schedules(NamedTuple):
    """The evaluation schedules of roll graphs, in arrays with spare capacity."""

    used: I64  # [6], the used length of each kind of array
    of_graph: I32  # [roll graphs] the schedule, or -1 yet
    exits: I64  # [schedules] the number of exits, which is the empty slot
    slots: I64  # [schedules] the number of slots
    steps: I64  # [schedules] one past the last step
    one: I32  # [steps] slot
    other: I32  # [steps] slot
    sums: I64  # [schedules] one past the last sum
    sum_list: I32  # [sums] the slot of its list
    sum_actions: I64  # [sums] one past its last action in the interior
    nodes: I64  # [schedules] one past the last node of the interior
    node_slot: I32  # [nodes]
    node_limit: I32  # [nodes] the slot that has the node's bounds, limited
    limits: I64  # [schedules] one past the last limit
    limit_list: I32  # [limits] the slot of its list
    root_entries: I64  # [schedules] one past the last exit of the state itself
    entry_exit: I32  # [exits] its slot
    entry_action: I16  # [exits] the action

    @classmethod
    def empty(cls, graphs: int, capacity: int) -> Self:
        """Allocate `capacity` schedules for `graphs` roll graphs."""

        def shape(name: str) -> int:
            if name in ("exits", "slots", "steps", "sums", "nodes", "limits", "root_entries"):
                return capacity
            return (16 if name.startswith("sum_") else 64) * capacity

        return allocate(cls, shape, used=np.zeros(len(ScheduleKind), np.int64), of_graph=np.full(graphs, -1, np.int32))

    def doubled(self) -> Self:
        """Double the capacity.

        Raises:
            SolveError: if 32 bits cannot number all slots of a schedule then, which are of four kinds.
        """
        check_indices(2 * max(len(array) for array in self), "entries of a table of rolls", MAX_INDEX // 4)
        arrays = {name: array for name, array in self._asdict().items() if name not in ("used", "of_graph")}
        return self._replace(**{name: np.concatenate((array, array)) for name, array in arrays.items()})


def write_schedule(graphs: RollGraphs, graph: int, exits: int, schedules: Schedules) -> bool:
    """Write the schedule of a roll graph with `exits` exits; return whether the capacity sufficed."""
    used = schedules.used
    interior, assignment = graphs.graph_interior[graph], graphs.graph_assignment[graph]
    first_node, end_node = begin(graphs.interior_nodes, interior), graphs.interior_nodes[interior]
    first_list, end_list = begin(graphs.assignment_lists, assignment), graphs.assignment_lists[assignment]
    nodes, lists = end_node - first_node, end_list - first_list
    entries = graphs.list_entries[end_list - 1] - begin(graphs.list_entries, first_list)
    if (
        used[ScheduleKind.SCHEDULE] == len(schedules.exits)
        or used[ScheduleKind.STEP] + entries > len(schedules.one)
        or used[ScheduleKind.SUM] + nodes > len(schedules.sum_list)
        or used[ScheduleKind.NODE] + nodes > len(schedules.node_slot)
        or used[ScheduleKind.LIMIT] + lists > len(schedules.limit_list)
        or used[ScheduleKind.ROOT_ENTRY] + entries > len(schedules.entry_exit)
    ):
        return False
    schedule, node_slot, node_limit = used[ScheduleKind.SCHEDULE], schedules.node_slot, schedules.node_limit
    list_slot, list_limit = np.empty(lists, np.int64), np.full(lists, -1, np.int64)
    slot = _write_steps(graphs, first_list, exits, schedules, list_slot)
    listed = begin(graphs.assignment_nodes, assignment)
    for i in range(nodes):
        node = first_node + i
        if graphs.node_actions[node] > begin(graphs.node_actions, node) or i == nodes - 1:
            schedules.sum_list[used[ScheduleKind.SUM]] = list_slot[graphs.assigned_list[listed + i]]
            schedules.sum_actions[used[ScheduleKind.SUM]] = graphs.node_actions[node]
            node_slot[used[ScheduleKind.NODE] + i] = node_limit[used[ScheduleKind.NODE] + i] = slot
            used[ScheduleKind.SUM] += 1
            slot += 1
    for i in range(nodes):
        node, exit_list = first_node + i, graphs.assigned_list[listed + i]
        if graphs.node_actions[node] > begin(graphs.node_actions, node) or i == nodes - 1:
            continue
        if list_limit[exit_list] < 0:
            list_limit[exit_list] = slot
            schedules.limit_list[used[ScheduleKind.LIMIT]] = list_slot[exit_list]
            used[ScheduleKind.LIMIT] += 1
            slot += 1
        node_slot[used[ScheduleKind.NODE] + i], node_limit[used[ScheduleKind.NODE] + i] = (
            list_slot[exit_list],
            list_limit[exit_list],
        )
    last = first_list + graphs.assigned_list[listed + nodes - 1]
    for entry in range(begin(graphs.list_entries, last), graphs.list_entries[last]):
        schedules.entry_exit[used[ScheduleKind.ROOT_ENTRY]] = graphs.entry_exit[entry]
        schedules.entry_action[used[ScheduleKind.ROOT_ENTRY]] = graphs.entry_action[entry]
        used[ScheduleKind.ROOT_ENTRY] += 1
    used[ScheduleKind.NODE] += nodes
    used[ScheduleKind.SCHEDULE] += 1
    schedules.exits[schedule], schedules.slots[schedule], schedules.nodes[schedule] = (
        exits,
        slot,
        used[ScheduleKind.NODE],
    )
    schedules.steps[schedule], schedules.sums[schedule], schedules.limits[schedule] = (
        used[ScheduleKind.STEP],
        used[ScheduleKind.SUM],
        used[ScheduleKind.LIMIT],
    )
    schedules.root_entries[schedule] = used[ScheduleKind.ROOT_ENTRY]
    schedules.of_graph[graph] = schedule
    return True


def _write_steps(graphs: RollGraphs, first_list: int, exits: int, schedules: Schedules, list_slot: Any) -> Any:
    """Write the steps of all exit lists of a roll graph, and the slot of each list; return the first free slot.

    A list is composed greedily of earlier lists that are subsets of it, each time the one that covers most of the rest.
    """
    blocks = (exits >> 6) + 1
    members = np.zeros((len(list_slot), blocks), np.uint64)
    missing = np.empty(blocks, np.uint64)
    slot = exits + 1
    entry = begin(graphs.list_entries, first_list)
    order = np.argsort(_sizes(graphs, first_list, len(list_slot)), kind="mergesort")
    for exit_list in range(len(list_slot)):
        while entry < graphs.list_entries[first_list + exit_list]:
            exit_ = graphs.entry_exit[entry]
            members[exit_list, exit_ >> 6] |= np.uint64(1) << np.uint64(exit_ & 63)
            entry += 1
    for index in range(len(order)):
        exit_list = order[index]
        missing[:] = members[exit_list]
        made = -1
        while True:
            best, found = 0, -1
            for before in range(max(index - NEAR_LISTS, 0), index):
                gained = _gained(members, order[before], exit_list, missing)
                if gained > best:
                    best, found = gained, before
            if best > 1:
                part = list_slot[order[found]]
                for block in range(blocks):
                    missing[block] &= ~members[order[found], block]
            else:
                part = _take_first(missing)
                if part < 0:
                    break
            if made < 0:
                made = part
                continue
            schedules.one[schedules.used[ScheduleKind.STEP]], schedules.other[schedules.used[ScheduleKind.STEP]] = (
                made,
                part,
            )
            schedules.used[ScheduleKind.STEP] += 1
            made = slot
            slot += 1
        list_slot[exit_list] = made if made >= 0 else exits
    return slot


def _sizes(graphs: RollGraphs, first_list: int, count: int) -> Any:
    """Count the entries of each of `count` lists."""
    sizes = np.empty(count, np.int64)
    for exit_list in range(count):
        sizes[exit_list] = graphs.list_entries[first_list + exit_list] - begin(
            graphs.list_entries, first_list + exit_list
        )
    return sizes


def _gained(members: Any, part: int, whole: int, missing: Any) -> int:
    """Count the missing members that a part covers; 0 if it is not a subset of the whole."""
    gained = 0
    for block in range(len(missing)):
        if members[part, block] & ~members[whole, block]:
            return 0
        gained += count_ones(members[part, block] & missing[block])
    return gained


def _take_first(missing: Any) -> Any:
    """Remove the first member and return it, or -1."""
    for block in range(len(missing)):
        lowest = missing[block] & (~missing[block] + np.uint64(1))
        if lowest:
            missing[block] ^= lowest
            return np.int64((block << 6) + count_ones(lowest - np.uint64(1)))
    return np.int64(-1)
