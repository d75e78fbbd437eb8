"""Data structures for roll graphs: the transient states inside a roll, independent of where its exits lead.

The *nodes* of a roll graph are the transient states inside the roll, children first, and the stored state, the last. A
node has *inner actions*, after which play continues inside the roll or can do so, and *entries*: actions that leave the
roll. All entries of a roll with the same gain and the same successor have one *exit*.

The *interior* of a roll graph is its nodes with their inner actions, its *exit assignment* is the list of entries of
each node. Both are hash-consed, as are roll graphs: each is stored once, whatever the number of states that have it. Of
a state, only its roll graph is stored; the gains and successors of its exits are computed when they are needed. States
that differ only in their totals form an *equivalence class* and share a roll graph.

An outcome of an inner action that leaves the roll has a node of its own, with one exit. A long sum of outcomes is
divided into parts, each a node, of which chance draws one first. This reduces rounding errors.
"""

from enum import IntEnum
from typing import NamedTuple, Self

import numpy as np

from komi.arrays import F64, I16, I32, I64, U64, Flags, allocate


class GraphKind(IntEnum):
    """The kinds of arrays in `RollGraphs`, in the order in which `RollGraphs.used` counts them."""

    INTERIOR = 0
    NODE = 1
    ACTION = 2
    TERM = 3
    ASSIGNMENT = 4
    ASSIGNED = 5
    LIST = 6
    ENTRY = 7
    GRAPH = 8
    EXIT = 9
    CLASS = 10


KINDS = tuple(kind.name.lower() for kind in GraphKind)
FEW = ("interior", "node", "assignment", "graph", "class")
"""The kinds of arrays that have a smaller capacity than the others."""


def richness(name: str) -> int:
    """Return the ratio of the capacity of an array to that of the smallest arrays."""
    return 1 if name.partition("_")[0] in FEW else 16


class RollGraphs(NamedTuple):
    """All roll graphs found so far, in arrays with spare capacity."""

    used: I64  # [11], the used length of each kind of array
    interior_hash: U64  # [interiors]
    interior_nodes: I64  # [interiors] one past its last node
    interior_depth: I32  # [interiors] nodes on the longest path through it
    node_actions: I64  # [nodes] one past its last inner action
    action_number: I16  # [actions]
    action_gain: F64  # [actions] the constant part of its value
    action_terms: I64  # [actions] one past its last term
    term_weight: F64  # [terms] probability; in two-player games negative where the turn passes
    term_node: I32  # [terms] node of the graph
    assignment_hash: U64  # [assignments]
    assignment_nodes: I64  # [assignments] one past its last entry in `assigned_list`
    assignment_lists: I64  # [assignments] one past its last list
    assigned_list: I32  # [assigned] for each node of the interior: the index of its list
    list_entries: I64  # [lists] one past its last entry
    entry_exit: I32  # [entries]
    entry_action: I16  # [entries] the action
    graph_interior: I32  # [graphs]
    graph_assignment: I32  # [graphs]
    graph_exits: I64  # [graphs] one past its last exit, where exits are shared; else their number
    exit_fields: I64  # [exits, fields] the node from which it leaves the roll, in a state with the roll graph
    exit_action: I16  # [exits]
    exit_outcome: I32  # [exits] the index of the action's outcome; -1 all
    exit_at_root: Flags  # [exits] whether that node is the state itself
    class_fields: I64  # [classes, fields] of the states that share a roll graph, all but the totals
    class_graph: I32  # [classes]
    class_table: I32  # [.] hash table of classes, -1 in empty slots

    @classmethod
    def empty(cls, capacity: int, fields: int, shared: bool) -> Self:
        """Allocate buffers for `capacity` roll graphs; for classes and their exits only if they are `shared`."""
        shared_capacity = capacity if shared else 1

        def shape(name: str) -> int | tuple[int, ...]:
            size = (shared_capacity if name.startswith(("exit", "class")) else capacity) * richness(name)
            return (size, fields) if name.endswith("_fields") else size

        table = np.full(4 * shared_capacity, -1, np.int32)
        return allocate(cls, shape, used=np.zeros(len(KINDS), np.int64), class_table=table)


class Exits(NamedTuple):
    """The gains and successors of the exits of one state."""

    gain: F64  # [exits] expected rewards, and payoffs where the game ends
    magnitude: F64  # [exits] the expected absolute value of the same
    end: I64  # [exits] one past its last outcome
    fields: I64  # [outcomes, fields] of stored states
    probability: F64  # [outcomes]
    passes: I64  # [outcomes]

    @classmethod
    def empty(cls, capacity: int, fields: int) -> Self:
        """Allocate buffers for `capacity` exits and outcomes."""
        return allocate(cls, lambda name: (capacity, fields) if name == "fields" else capacity)
