"""The memory of Monte Carlo tree search: states that were visited, and the results of their actions.

A node is a slot of a hash table, found by a 64-bit hash of its state: paths that lead to the same state share it. The
edges of a node are its legal actions, one after the other in the arrays of edges; they are added when the node is
visited for the second time. All arrays double when they are full.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64, U64
from komi.rules.interface import legal
from komi.typing import Rules, State

FIRST_SLOTS = 1 << 12  # the capacity of a new tree, in slots; a power of two
MAX_SLOTS = 1 << 22  # 170 MB; playouts from states beyond it add no nodes
NODES, EDGES, IS_FULL = range(3)
NOT_EXPANDED = -1
_SEED = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


class Tree(NamedTuple):
    """A search tree in which nodes with the same state are one.

    Attributes:
        keys: uint64[slots], the hash of the node's state; 0 in an empty slot.
        visits: int64[slots], how often an action was selected there.
        stamps: int64[slots], the number of the last iteration that visited the node.
        first: int64[slots], the node's first edge; NOT_EXPANDED without edges.
        counts: int64[slots], the number of its edges.
        actions: int64[edges], the action.
        tried: int64[edges], how often it was taken.
        sums: float64[edges], the sum of what the mover received after it.
        squares: float64[edges], the sum of their squares.
        used: int64[3], the numbers of nodes and of edges, and 1 if a node had no space for its edges.
    """

    keys: U64
    visits: I64
    stamps: I64
    first: I64
    counts: I64
    actions: I64
    tried: I64
    sums: F64
    squares: F64
    used: I64


def hash_state(state: State) -> Any:
    """Hash a state to 64 bits, never 0."""
    hashed = _SEED
    for i in range(len(state)):
        hashed = (hashed ^ np.uint64(state[i])) * _MIX
        hashed ^= hashed >> _HALF
    return hashed | _ONE


def new_tree(slots: int, edges: int) -> Tree:
    """Allocate an empty tree, in compiled code."""
    return Tree(
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.empty(slots, np.int64),
        np.zeros(slots, np.int64),
        np.empty(edges, np.int64),
        np.empty(edges, np.int64),
        np.empty(edges),
        np.empty(edges),
        np.zeros(3, np.int64),
    )


def needs_space(tree: Tree) -> bool:
    """Return whether the tree must grow before the next iteration."""
    slots = len(tree.keys)
    return slots < MAX_SLOTS and (tree.used[IS_FULL] > 0 or 2 * tree.used[NODES] >= slots)


def grown(tree: Tree) -> Tree:
    """Return a copy of a tree with twice the capacity for what is full, in compiled code."""
    slots, edges = len(tree.keys), len(tree.actions)
    larger = new_tree(
        2 * slots if 2 * tree.used[NODES] >= slots else slots, 2 * edges if tree.used[IS_FULL] > 0 else edges
    )
    for slot in range(slots):
        if tree.keys[slot] != 0:
            to = find_slot(larger, tree.keys[slot])
            larger.keys[to] = tree.keys[slot]
            larger.visits[to] = tree.visits[slot]
            larger.stamps[to] = tree.stamps[slot]
            larger.first[to] = tree.first[slot]
            larger.counts[to] = tree.counts[slot]
    used = tree.used[EDGES]
    larger.actions[:used] = tree.actions[:used]
    larger.tried[:used] = tree.tried[:used]
    larger.sums[:used] = tree.sums[:used]
    larger.squares[:used] = tree.squares[:used]
    larger.used[NODES], larger.used[EDGES] = tree.used[NODES], used
    return larger


def find_slot(tree: Tree, key: np.uint64) -> int:
    """Return the slot of a node, or the empty slot for it."""
    mask = len(tree.keys) - 1
    slot = np.int64(key >> _ONE) & mask
    while tree.keys[slot] != 0 and tree.keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


def add_node(tree: Tree, slot: int, key: np.uint64) -> None:
    """Add a node without edges in an empty slot, unless the tree has reached its greatest size."""
    if 2 * tree.used[NODES] < len(tree.keys):
        tree.keys[slot] = key
        tree.first[slot] = NOT_EXPANDED
        tree.used[NODES] += 1


def expand(rules: Rules, state: State, tree: Tree, slot: int) -> bool:
    """Add the edges of a node; return False if there is no space for them."""
    first = edge = tree.used[EDGES]
    for action in legal(rules, state):
        if edge == len(tree.actions):
            tree.used[IS_FULL] = 1
            return False
        tree.actions[edge] = action
        tree.tried[edge] = 0
        tree.sums[edge] = tree.squares[edge] = 0.0
        edge += 1
    tree.first[slot], tree.counts[slot] = first, edge - first
    tree.used[EDGES] = edge
    return True
