"""Values of transient states: each is expanded and backed up from the stored states that its roll leads to."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.errors import GameError
from komi.graph.lookup import StateIndex, index_of, is_member, locate
from komi.graph.perspective import to_mover
from komi.graph.sources import action_limit
from komi.graph.state_sets import StateSet
from komi.graph.transitions import begin
from komi.rules.compiled import CompiledGame
from komi.rules.interface import state_from
from komi.transient.exits import evaluate_ports
from komi.transient.hash_consing import find_shape
from komi.transient.roll_graph import Ports, Shapes
from komi.transient.store import Rolls
from komi.transient.violations import NO_ROOM

MAX_KNOWN = 1_000_000  # the most states whose values are cached


class Moment(NamedTuple):
    """The value and an optimal action of a transient state.

    Attributes:
        value: its value to the player to move.
        choice: an optimal action.
        missing: stored states that its roll leads to and whose values are unknown; the other attributes are valid only
            if there are none.
    """

    value: float
    choice: int
    missing: Sequence[Any]


class Moments:
    """An evaluator of single transient states.

    Args:
        compiled, rules: the game.
        flips, sign: as in `bellman.Objective`.

    Attributes:
        known: the cached values of transient states inside the rolls that were expanded.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, flips: bool, sign: float) -> None:
        self._game, self._rules = compiled.game, rules
        self._rolls = Rolls(compiled, rules, shared=False)
        self._flips, self._sign = flips, sign
        self._room = np.empty((3, 1))
        self.known: dict[Any, float] = {}

    def look(self, states: StateSet, values: NDArray[np.float64], state: Any) -> Moment:
        """Expand a transient state and back it up.

        Args:
            states, values: of the stored states.
            state: the transient state.

        Raises:
            GameError: if the rules are broken there.
        """
        rolls, known = self._rolls, action_limit(self._game)
        while True:
            rolls.shapes.used[:] = 0
            stored = StateIndex(states.layout, _read_only(states.keys), _read_only(states.ranks))
            count, value, choice = rolls.kernels[back_up_moment](
                self._rules,
                rolls.seats,
                known,
                state,
                *rolls.arrays,
                rolls.witness,
                stored,
                _read_only(values),
                self._flips,
                self._sign,
                self._room,
            )
            if count >= 0:
                if count == 0:
                    self._note()
                ways = rolls.ports.fields[:count].tolist()
                return Moment(float(value), int(choice), [self._game.module.State(*fields) for fields in ways])
            if count != -1 - NO_ROOM:
                written = self._game.write(self._rules, state)
                raise GameError(f"{self._game.file.name}: the rules are broken inside the roll of {written}.", written)
            rolls.make_room()
            self._room = np.empty((3, len(rolls.ports.gain)))

    def _note(self) -> None:
        """Cache the values of all states inside the roll."""
        draft = self._rolls.draft
        rows = slice(draft.counted[0])
        if len(self.known) > MAX_KNOWN:
            self.known.clear()
        worths = (self._sign * self._room[2, draft.position[rows]]).tolist()
        for fields, source, worth in zip(draft.fields[rows].tolist(), draft.source[rows], worths, strict=True):
            if source < 0:
                self.known[self._game.module.State(*fields)] = worth


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, the array type of memory-mapped data, so that code is compiled once for both."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def back_up_moment(
    rules: Any,
    seats: int,
    known: int,
    state: Any,
    inside: Any,
    unshaping: Any,
    shapes: Shapes,
    draft: Any,
    ports: Ports,
    witness: Any,
    states: StateIndex,
    values: Any,
    flips: bool,
    sign: float,
    room: Any,
) -> Any:
    """Expand a state and back it up.

    Args:
        rules, seats, known, inside, unshaping, shapes, draft, ports, witness: as in `find_shape`.
        state: the state at which the roll begins.
        states: the `StateSet` of the stored states.
        values: float64[stored states].
        flips, sign: see `bellman.Objective`.
        room: float64[3, .], a buffer for ports, lists and equations.

    Returns:
        (the number of stored states that it leads to and that are not in the set, or -1 minus an error code; its value;
        an optimal action). The missing states are left at the start of `ports.fields`.
    """
    shape = find_shape(rules, seats, known, state, inside, unshaping, shapes, draft, witness)
    if shape < 0:
        return shape, 0.0, 0
    count = evaluate_ports(rules, seats, known, state, shape, inside, shapes, draft, ports, witness)
    if count < 0:
        return count, 0.0, 0
    graph, exits = shapes.shape_graph[shape], shapes.shape_exits[shape]
    first_row, end_row = begin(shapes.graph_rows, graph), shapes.graph_rows[graph]
    first_list, end_list = begin(shapes.exits_lists, exits), shapes.exits_lists[exits]
    if max(count, end_row - first_row, end_list - first_list) > room.shape[1]:
        return -1 - NO_ROOM, 0.0, 0
    missing = 0
    for port in range(count):
        value = sign * ports.gain[port]
        for outcome in range(begin(ports.end, port), ports.end[port]):
            after = state_from(ports.fields, outcome)
            place = locate(states, after)
            if not is_member(states, place):
                for i in range(len(after)):
                    ports.fields[missing, i] = after[i]
                missing += 1
                continue
            worth = sign * values[index_of(states, place)]
            if flips:
                worth = to_mover(worth, ports.passes[outcome])
            value += ports.probability[outcome] * worth
        room[0, port] = value
    entry = begin(shapes.list_entries, first_list)
    for each in range(first_list, end_list):
        best = -np.inf
        while entry < shapes.list_entries[each]:
            best = max(best, room[0, shapes.entry_port[entry]])
            entry += 1
        room[1, each - first_list] = best
    choice: Any = np.int64(0)
    listed = begin(shapes.exits_listed, exits)
    action = begin(shapes.row_actions, first_row)
    term = begin(shapes.action_terms, action)
    for i in range(end_row - first_row):
        best = room[1, shapes.listed_list[listed + i]]
        while action < shapes.row_actions[first_row + i]:
            value = sign * shapes.action_gain[action]
            while term < shapes.action_terms[action]:
                value += shapes.term_weight[term] * room[2, shapes.term_row[term]]
                term += 1
            if value > best:
                best, choice = value, np.int64(shapes.action_number[action])
            action += 1
        room[2, i] = best
    root = end_row - first_row - 1
    last = first_list + shapes.listed_list[listed + root]
    for entry in range(begin(shapes.list_entries, last), shapes.list_entries[last]):
        if room[0, shapes.entry_port[entry]] == room[2, root]:
            choice = np.int64(shapes.entry_number[entry])
            break
    return missing, sign * room[2, root], choice
