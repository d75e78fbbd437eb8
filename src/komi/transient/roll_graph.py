"""Data structures for roll graphs: the transient states inside rolls and their exits, independent of where these lead.

A stored state is expanded to *rows*: the transient states inside its roll, children first, and itself, the last. A row
has inner actions, after which play continues inside the roll or may do so, and exits. All exits of a state with the
same gain and the same successor form one *port*. A *graph* is the rows with their inner actions, *exits* are the ports
of each row, and a *shape* is both. Shapes are hash-consed: each is stored once, whatever the number of states that have
it. Of a state, only its shape is stored; the gains and successors of its ports are computed when they are needed.

An outcome of an inner action that leaves the roll has a row of its own, with that one port. A long sum of outcomes is
divided into parts, each a row, of which chance draws one first. This reduces rounding errors.
"""

from typing import Any, NamedTuple, Self

import numpy as np

KINDS = ("graph", "row", "action", "term", "exits", "listed", "list", "entry", "shape", "port", "family")
"""The kinds of arrays in `Shapes`, in the order in which `Shapes.used` counts them."""
GRAPHS, ROWS, ACTIONS, TERMS, EXITS, LISTED, LISTS, ENTRIES, SHAPES, PORTS, FAMILIES = range(11)
CHAINS = 1024
"""The number of hash chains of ports, and of lists of exits."""


class Shapes(NamedTuple):
    """All shapes found so far, in arrays with spare capacity."""

    used: Any  # int64[11], the used length of each kind of array
    graph_hash: Any  # uint64[graphs]
    graph_rows: Any  # int64[graphs] one past its last row
    graph_depth: Any  # int32[graphs] rows on the longest path through it
    row_actions: Any  # int64[rows] one past its last inner action
    action_number: Any  # int16[actions]
    action_gain: Any  # float64[actions] the constant part of its value
    action_terms: Any  # int64[actions] one past its last term
    term_weight: Any  # float64[terms] probability; in two-player games negative where the turn passes
    term_row: Any  # int32[terms] row of the graph
    exits_hash: Any  # uint64[exits]
    exits_listed: Any  # int64[exits] one past its last entry in `listed_list`
    exits_lists: Any  # int64[exits] one past its last list
    listed_list: Any  # int32[listed] for each row of the graph: the index of its list
    list_entries: Any  # int64[lists] one past its last entry
    entry_port: Any  # int16[entries]
    entry_number: Any  # int16[entries] the action
    shape_graph: Any  # int32[shapes]
    shape_exits: Any  # int32[shapes]
    shape_ports: Any  # int64[shapes] one past its last port, where ports are shared; else their number
    port_fields: Any  # int64[ports, fields] the row from which a port leaves the roll, in a state that has the shape
    port_action: Any  # int16[ports]
    port_outcome: Any  # int32[ports] the index of the action's outcome; -1 all
    port_root: Any  # bool[ports] whether that row is the state itself
    family_fields: Any  # int64[families, fields] of the states that share a shape, all but the totals
    family_shape: Any  # int32[families]
    family_table: Any  # int32[.] hash table of families, -1 in empty slots

    @classmethod
    def empty(cls, room: int, fields: int, shared: bool) -> Self:
        """Allocate buffers for about `room` of each kind; for families and their ports only if they are `shared`."""
        few, many = room, 16 * room
        kept = room if shared else 1
        return cls(
            np.zeros(11, np.int64),
            np.empty(few, np.uint64),
            np.empty(few, np.int64),
            np.empty(few, np.int32),
            np.empty(few, np.int64),
            np.empty(many, np.int16),
            np.empty(many, np.float64),
            np.empty(many, np.int64),
            np.empty(many, np.float64),
            np.empty(many, np.int32),
            np.empty(few, np.uint64),
            np.empty(few, np.int64),
            np.empty(few, np.int64),
            np.empty(many, np.int32),
            np.empty(many, np.int64),
            np.empty(many, np.int16),
            np.empty(many, np.int16),
            np.empty(few, np.int32),
            np.empty(few, np.int32),
            np.empty(few, np.int64),
            np.empty((16 * kept, fields), np.int64),
            np.empty(16 * kept, np.int16),
            np.empty(16 * kept, np.int32),
            np.empty(16 * kept, np.bool_),
            np.empty((kept, fields), np.int64),
            np.empty(kept, np.int32),
            np.full(4 * kept, -1, np.int32),
        )


class Listing(NamedTuple):
    """Buffers for the actions of one state and the outcomes of one action: a small tuple, since it is passed often."""

    action: Any  # int64[actions]
    fields: Any  # int64[outcomes, fields + 2] the successor, whether the game ends, how far the turn passes
    probability: Any  # float64[outcomes]
    gain: Any  # float64[outcomes]
    transient: Any  # bool[outcomes]
    stays: Any  # bool[outcomes] inside the roll
    deficit: Any  # int64[1] the largest difference of a total probability from 1, in DEFICIT_UNITS

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Allocate buffers for `room` actions and outcomes."""
        return cls(
            np.empty(room, np.int64),
            np.empty((room, fields + 2), np.int64),
            np.empty(room, np.float64),
            np.empty(room, np.float64),
            np.empty(room, np.bool_),
            np.empty(room, np.bool_),
            np.zeros(1, np.int64),
        )


class Draft(NamedTuple):
    """Buffers of the roll graph builder for one state: its rows in the order of discovery, the state first."""

    fields: Any  # int64[rows, fields]
    source: Any  # int32[rows] of a row that is one outcome of an inner action: the acting row; else -1
    source_action: Any  # int32[rows]
    source_outcome: Any  # int32[rows]
    table: Any  # int32[.] hash table of the rows, -1 in empty slots
    slot: Any  # int64[rows] their hash slots
    row_actions: Any  # int64[rows] as in `Shapes`
    action_number: Any
    action_gain: Any
    action_terms: Any
    term_weight: Any
    term_rest: Any  # float64[terms] the rounding error of the weight
    term_row: Any
    row_exits: Any  # int64[rows] one past its last exit
    exit_port: Any  # int32[exits]
    exit_number: Any  # int16[exits]
    port_hash: Any  # uint64[ports] of its gain and successor
    port_first: Any  # int32[CHAINS] the first port of a hash chain; -1 none
    port_next: Any  # int32[ports] the next one; -1 none
    port_row: Any  # int32[ports]
    port_fields: Any  # int64[ports, fields + 2] the successor, whether the game ends, how far the turn passes
    port_gain: Any  # float64[ports]
    port_action: Any  # int32[ports]
    port_outcome: Any  # int32[ports]
    port_number: Any  # int32[ports] in the shape; -1 not yet
    port_of: Any  # int32[ports] the inverse
    listing: Listing
    order: Any  # int32[rows] children first
    position: Any  # int32[rows] their indices in the graph
    path: Any  # int32[rows]
    follow: Any  # int64[rows]
    depth: Any  # int32[rows]
    extra: Any  # int32[rows] the number of rows before it in the graph for the parts of its long sums
    list_hash: Any  # uint64[rows] of the entries of a list of exits
    list_first: Any  # int32[CHAINS] the first list of a hash chain; -1 none
    list_next: Any  # int32[rows] the next one; -1 none
    counted: Any  # int64[3]: rows; most terms of a sum, passing outcomes of a port counted twice; most actions of a row
    graph: Any  # int64[1] the graph of the rows; -1 not yet stored, or some of them are outcomes that leave the roll

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Allocate buffers for `room` rows, and for more of everything else."""
        many = 16 * room
        return cls(
            np.empty((room, fields), np.int64),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.full(4 * room, -1, np.int32),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty(many, np.int16),
            np.empty(many, np.float64),
            np.empty(many, np.int64),
            np.empty(many, np.float64),
            np.empty(many, np.float64),
            np.empty(many, np.int32),
            np.empty(room, np.int64),
            np.empty(many, np.int32),
            np.empty(many, np.int16),
            np.empty(many, np.uint64),
            np.empty(CHAINS, np.int32),
            np.empty(many, np.int32),
            np.empty(many, np.int32),
            np.empty((many, fields + 2), np.int64),
            np.empty(many, np.float64),
            np.empty(many, np.int32),
            np.empty(many, np.int32),
            np.empty(many, np.int32),
            np.empty(many, np.int32),
            Listing.empty(many, fields),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.empty(room, np.int64),
            np.empty(room, np.int32),
            np.empty(room, np.int32),
            np.empty(room, np.uint64),
            np.empty(CHAINS, np.int32),
            np.empty(room, np.int32),
            np.zeros(3, np.int64),
            np.full(1, -1, np.int64),
        )


class Ports(NamedTuple):
    """The gains and successors of the ports of one state."""

    gain: Any  # float64[ports] expected rewards, and payoffs where the game ends
    magnitude: Any  # float64[ports] the expected absolute value of the same
    end: Any  # int64[ports] one past its last outcome
    fields: Any  # int64[outcomes, fields] of stored states
    probability: Any  # float64[outcomes]
    passes: Any  # int64[outcomes]

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Allocate buffers for `room` ports and outcomes."""
        return cls(
            np.empty(room, np.float64),
            np.empty(room, np.float64),
            np.empty(room, np.int64),
            np.empty((room, fields), np.int64),
            np.empty(room, np.float64),
            np.empty(room, np.int64),
        )
