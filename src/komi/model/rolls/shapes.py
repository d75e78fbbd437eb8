"""The shapes of rolls: what can happen inside them, and which ways lead out, apart from where these lead.

A stored state is expanded to *rows*: the transient states inside its roll, children first, and itself, the last. A row
has inner actions, with which play goes on inside the roll or may do so, and exits. All exits of a state that gain the
same and lead to the same state are one *port*. A *graph* is the rows with their inner actions, *exits* say which ports
each row has, and a *shape* is both. Shapes are kept once each, whatever the number of states that have them; of a
state only its shape and what its ports gain and lead to is kept for as long as it is worked with.

An outcome of an inner action that leaves the roll has a row of its own, with that one port. A long sum of outcomes is
one of parts, each a row: chance first draws the part. That keeps rounding small.
"""

from typing import Any, NamedTuple, Self

import numpy as np

KINDS = ("graph", "row", "action", "term", "exits", "listed", "list", "entry", "shape", "port", "family")
"""Of arrays in `Shapes`, in the order in which `Shapes.used` counts them."""
GRAPHS, ROWS, ACTIONS, TERMS, EXITS, LISTED, LISTS, ENTRIES, SHAPES, PORTS, FAMILIES = range(11)
CHAINS = 1024
"""Of ports, and of lists of exits, that are found by what their hashes end with."""


class Shapes(NamedTuple):
    """All shapes met, in arrays with spare room."""

    used: Any  # int64[11], how far each kind of array is in use
    graph_hash: Any  # uint64[graphs]
    graph_rows: Any  # int64[graphs] one past its last row
    graph_depth: Any  # int32[graphs] rows on the longest way through it
    row_actions: Any  # int64[rows] one past its last inner action
    action_number: Any  # int16[actions]
    action_gain: Any  # float64[actions] what it gains for sure
    action_terms: Any  # int64[actions] one past its last term
    term_weight: Any  # float64[terms] probability; of two seats negative where the turn passes
    term_row: Any  # int32[terms] row of the graph
    exits_hash: Any  # uint64[exits]
    exits_listed: Any  # int64[exits] one past its last entry in `listed_list`
    exits_lists: Any  # int64[exits] one past its last list
    listed_list: Any  # int32[listed] for each row of the graph: which of the lists
    list_entries: Any  # int64[lists] one past its last entry
    entry_port: Any  # int16[entries]
    entry_number: Any  # int16[entries] the action
    shape_graph: Any  # int32[shapes]
    shape_exits: Any  # int32[shapes]
    shape_ports: Any  # int64[shapes] one past its last port, where ports are shared; else how many
    port_fields: Any  # int64[ports, fields] the row from which a port leads out, in a state that has the shape
    port_action: Any  # int16[ports]
    port_outcome: Any  # int32[ports] which of the action's outcomes; -1 all
    port_root: Any  # bool[ports] whether that row is the state itself
    family_fields: Any  # int64[families, fields] of the states that share a shape, all but the totals
    family_shape: Any  # int32[families]
    family_table: Any  # int32[.] hash table of families, -1 where it is empty

    @classmethod
    def empty(cls, room: int, fields: int, shared: bool) -> Self:
        """Room for so many of each kind, about; for families and their ports only if they are `shared`."""
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
    """Room for the actions of one state, and the outcomes of one of them: small, as it is handed on so often."""

    action: Any  # int64[actions]
    fields: Any  # int64[outcomes, fields + 2] what it leads to, whether that is the end, how far the turn passes
    probability: Any  # float64[outcomes]
    gain: Any  # float64[outcomes]
    transient: Any  # bool[outcomes]
    stays: Any  # bool[outcomes] inside the roll
    deficit: Any  # int64[1] how far from 1 probabilities summed up at worst, in units of a survey

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Room for so many of each."""
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
    """Room to expand one state: its rows in the order in which they are found, the state first."""

    fields: Any  # int64[rows, fields]
    source: Any  # int32[rows] of a row that is one outcome of an inner action: whose; else -1
    source_action: Any  # int32[rows]
    source_outcome: Any  # int32[rows]
    table: Any  # int32[.] hash table of the rows, -1 where it is empty
    slot: Any  # int64[rows] where they are in it
    row_actions: Any  # int64[rows] as in `Shapes`
    action_number: Any
    action_gain: Any
    action_terms: Any
    term_weight: Any
    term_rest: Any  # float64[terms] what rounding has left out of the weight
    term_row: Any
    row_exits: Any  # int64[rows] one past its last exit
    exit_port: Any  # int32[exits]
    exit_number: Any  # int16[exits]
    port_hash: Any  # uint64[ports] of what it gains and leads to
    port_first: Any  # int32[CHAINS] one of the ports whose hash ends so; -1 none
    port_next: Any  # int32[ports] another one; -1 none
    port_row: Any  # int32[ports]
    port_fields: Any  # int64[ports, fields + 2] what it leads to, whether that is the end, how far the turn passes
    port_gain: Any  # float64[ports]
    port_action: Any  # int32[ports]
    port_outcome: Any  # int32[ports]
    port_number: Any  # int32[ports] in the shape; -1 not yet
    port_of: Any  # int32[ports] the inverse
    listing: Listing
    order: Any  # int32[rows] children first
    position: Any  # int32[rows] where they are in the graph
    path: Any  # int32[rows]
    follow: Any  # int64[rows]
    depth: Any  # int32[rows]
    extra: Any  # int32[rows] how many rows of the graph come before it for the parts of its long sums
    list_hash: Any  # uint64[rows] of the entries of a list of exits
    list_first: Any  # int32[CHAINS] one of the lists whose hash ends so; -1 none
    list_next: Any  # int32[rows] another one; -1 none
    counted: Any  # int64[3]: rows; most terms of one sum, of which a port has two where it passes; most actions of one
    graph: Any  # int64[1] the graph of the rows; -1 not yet kept, or some of them are outcomes that leave the roll

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Room for so many rows, and a few more of everything else."""
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
    """What the ports of one state gain and lead to."""

    gain: Any  # float64[ports] expected, and payoffs where the game ends
    magnitude: Any  # float64[ports] of the terms of that
    end: Any  # int64[ports] one past its last outcome
    fields: Any  # int64[outcomes, fields] of stored states
    probability: Any  # float64[outcomes]
    passes: Any  # int64[outcomes]

    @classmethod
    def empty(cls, room: int, fields: int) -> Self:
        """Room for so many ports and outcomes."""
        return cls(
            np.empty(room, np.float64),
            np.empty(room, np.float64),
            np.empty(room, np.int64),
            np.empty((room, fields), np.int64),
            np.empty(room, np.float64),
            np.empty(room, np.int64),
        )
