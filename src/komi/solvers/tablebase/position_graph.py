"""Reachability analysis of games without chance.

If the reachable positions are a good part of all packed states, the search follows the order of the packed states: a
scan from the lowest upwards visits each position that an earlier one leads up to; positions that a visited one leads
down to go on a stack and are visited at once. In games whose moves increase the packed state, for example by adding
counters, memory is accessed in order and the stack stays empty. If the reachable positions are few among all packed
states, every new position goes on the stack.

If the game has symmetries, and all images of the start are reachable from the start, then all images of every
reachable position are reachable. The search then visits one position of each orbit and marks all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64, U64
from komi.errors import GameError
from komi.game import Game
from komi.graph import limits
from komi.graph.growing_set import GrowingSet
from komi.graph.lookup import GrowingIndex, find_slot, has_capacity, insert, is_occupied, state_at
from komi.graph.reachability import check_steps
from komi.graph.state_sets import StateSet
from komi.jit.intrinsics import trailing_zeros
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over, pack, pack_long, payoff, possible, record_witness, symmetries
from komi.rules.packing import Layout
from komi.solvers.solver import OtherKindError
from komi.typing import Rules, State

# The results of a scan. All but the first three come with a state, and with an action if one is involved.
DONE, PAUSED, CROWDED, CHANCE, OUTSIDE, IMPOSSIBLE, DEAD_END, PAYOFF, PASSES = range(9)

WORDS_AT_ONCE = 1 << 22  # packed states between two checks for interrupts
MORE_ROOM = 64  # states added to the capacity, besides a quarter of it
FIRST_LOOK = 100  # states near the start among which the images of the start are sought


@dataclass(frozen=True)
class Positions:
    """The result of the reachability analysis.

    Attributes:
        states: the reachable positions in which the game is not over.
        terminal: the number of reachable positions in which the game is over.
    """

    states: StateSet
    terminal: int


def positions_of(compiled: CompiledGame, rules: Rules, roots: Sequence[Any], progress: Progress = silent) -> Positions:
    """Find the positions that are reachable from the roots.

    Raises:
        OtherKindError: if an action has more than one outcome or is a chance move, or a payoff is not 0, 1/2 or 1.
        GameError: if the rules are broken.
        SolveError: if there are too many positions.
    """
    game = compiled.game
    fields = len(game.module.State._fields)
    layout = Layout.of([0] * fields, [0] * fields, game.steps)
    images = _images(game, rules, roots)
    for state in (*roots, *images):
        check_steps(game, rules, state)
        layout = layout.widened_to(state)
    if not _reach(game, rules, roots, images):
        images = set()
    visited = 0
    while True:
        search = _Search(compiled, rules, roots, images, layout, visited)
        if search.run(progress):
            return search.positions()
        layout, visited = search.layout, search.visited


def _images(game: Game, rules: Rules, states: Sequence[Any]) -> set[Any]:
    """Compute the images of the states under the game's symmetries."""
    if not game.has("symmetries"):
        return set()
    return {image for state in states for image in game.part("symmetries")(rules, state)}


def _reach(game: Game, rules: Rules, roots: Sequence[Any], aims: set[Any]) -> bool:
    """Return whether all `aims` are among the first states that are reachable from the roots."""
    seen = list(roots)
    for state in seen:
        if aims <= set(seen) or len(seen) > FIRST_LOOK:
            break
        for action in game.part("legal")(rules, state):
            for _, after, _ in game.outcomes(rules, state, action):
                if after not in seen and not game.part("over")(rules, after):
                    seen.append(after)
    return aims <= set(seen)


class _Search:
    """A reachability analysis in progress.

    Attributes:
        layout: the layout of the packed states; after a restart is required, the layout to restart with.
        visited: the number of states visited.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Rules,
        roots: Sequence[Any],
        images: set[Any],
        layout: Layout,
        visited: int,
    ) -> None:
        self._compiled, self._rules = compiled, rules
        self._symmetric = bool(images)
        self.layout, self.visited = layout, visited
        self._check_width()
        empty = GrowingSet(Layout.of([0] * len(layout.lows), [0] * len(layout.lows), layout.steps))
        self._dense = self._suits_dense(empty)
        empty.move(layout, self._dense, [])
        self._found = empty
        self._ended = np.zeros_like(empty.keys) if self._dense else np.zeros(0, np.uint8)
        self._stack = np.empty(1 << 16, np.int64)
        self._witness = np.zeros(len(layout.lows) + 1, np.int64)
        self._waiting = np.zeros(0, np.uint64)
        self._height = self._visits = 0
        places = self._found.add(roots)
        self._found.add([*images])
        if not self._dense:
            self._ended.resize(len(self._found.keys), refcheck=False)
            self._stack[: len(places)] = places
            self._height = len(places)
        elif self._symmetric:
            self._waiting = np.zeros_like(self._found.keys)
            np.bitwise_or.at(self._waiting, places >> 6, np.uint64(1) << (places & 63).astype(np.uint64))
        else:
            self._waiting = self._found.keys

    def run(self, progress: Progress) -> bool:
        """Find all positions. Return False if the search has to restart with another layout or representation."""
        cursor, last = 0, 64 * len(self._waiting)
        while cursor < last or self._height:
            how, cursor = self._go_on(cursor, min(cursor + WORDS_AT_ONCE, last) & ~63)
            if how == OUTSIDE:
                state = self._compiled.game.module.State(*self._witness[:-1].tolist())
                check_steps(self._compiled.game, self._rules, state)
                self.layout = self.layout.widened_to(state)
                self._check_width()
                self._check_size(growing=True)
                if self._dense or self._suits_dense(self._found):
                    return False
                self._found.move(self.layout, False, [])
            elif how == CROWDED:
                self._make_room()
            elif how in (CHANCE, PAYOFF):
                raise OtherKindError(self._compiled.game.name)
            elif how not in (DONE, PAUSED):
                raise _broken(self._compiled, self._rules, how, self._witness.tolist())
            if not self._dense:
                self._check_size(growing=False)
                if self._suits_dense(self._found):
                    return False
            progress("finding positions", *((cursor, last) if self._dense else (self.visited, 0)))
        return True

    def positions(self) -> Positions:
        """Return all positions that were found, and release the buffers."""
        if self._dense:
            ended = int(np.bitwise_count(self._ended).sum(dtype=np.int64))
            self._ended = self._waiting = np.zeros(0, np.uint64)
        else:
            ended = self._found.keep(self._ended[: int(self._found.size[0])] == 0)
        return Positions(self._found.finished(), ended)

    def _go_on(self, cursor: int, end: int) -> tuple[int, int]:
        found = self._found
        how, self._height, cursor, visits = self._compiled.kernels[find](
            self._rules,
            self._symmetric,
            Scan(found.index, self._ended, self._waiting, self._stack, self._witness),
            self._height,
            cursor,
            end,
            WORDS_AT_ONCE,
        )
        self._visits += visits
        self.visited = max(self.visited, self._visits if self._dense else int(found.size[0]))
        return how, cursor

    def _make_room(self) -> None:
        if self._height == len(self._stack):
            self._stack = np.concatenate((self._stack, np.empty_like(self._stack)))
        elif not self._dense:
            room = len(self._found.keys)
            self._found.reserve(room // 4 + MORE_ROOM + room - int(self._found.size[0]))  # enough for all images
            self._ended.resize(len(self._found.keys), refcheck=False)

    def _suits_dense(self, found: GrowingSet) -> bool:
        """Return whether dense sets are preferable and fit into memory, also those of terminal and waiting states."""
        memory = self.layout.key_count // 8 * (3 + self._symmetric)
        return found.suits_dense(self.layout, self.visited) and memory <= limits.max_memory()

    def _check_width(self) -> None:
        limits.check_width(self._compiled.game, self.layout, self.layout.lows, self.layout.maxima)

    def _check_size(self, growing: bool) -> None:
        game, found = self._compiled.game, self._found
        example = found.fields(int(self._stack[self._height - 1])) if self._height else self._witness[:-1].tolist()
        limits.check_size(game, self._rules, self.layout, self.visited, growing, example)
        limits.check_memory(game, self.layout, found.memory + self._ended.nbytes, self.visited)


def _broken(compiled: CompiledGame, rules: Rules, how: int, witness: list[int]) -> GameError:
    game = compiled.game
    state = game.module.State(*witness[:-1])
    what = {
        IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        DEAD_END: "there is no legal action, and the game is not over",
        PASSES: "an action passes the turn on by a negative number of seats",
    }[how]
    return GameError(f"{game.file.name}: {what} in {game.write(rules, state)}.")


class Scan(NamedTuple):
    """The arrays that the search for positions reads and writes.

    Attributes:
        found: the set of the states found.
        ended: the terminal states. Of a dense set uint64[packed states / 64], a separate bit set; a sparse set contains
            the terminal states, and uint8[capacity] is 1 at their indices.
        waiting: uint64[packed states / 64], the members of a dense set to visit, if they are not below the cursor.
        stack: int64[.], positions in the set of other members to visit.
        witness: int64[fields + 1], filled with the state, and the action, that ended the scan.
    """

    found: GrowingIndex
    ended: NDArray[Any]
    waiting: U64
    stack: I64
    witness: I64


def find(rules: Rules, symmetric: bool, scan: Scan, height: int, cursor: int, end: int, budget: int) -> Any:
    """Visit the stacked states and the waiting ones between `cursor` and `end`, and mark their successors.

    Args:
        rules: the rules.
        symmetric: whether to mark all images of a state with it.
        scan: modified in place.
        height: the height of the stack.
        cursor: the packed state at which the scan continues.
        end: the packed state at which the scan stops, a multiple of 64.
        budget: the number of visits after which to pause.

    Returns:
        (how it ended, height of the stack, cursor, visits)
    """
    found, ended, waiting, stack, witness = scan
    for visits in range(budget):
        if height > 0:
            height -= 1
            here = stack[height]
        else:
            left = np.uint64(0)
            while cursor < end:
                left = waiting[cursor >> 6] >> np.uint64(cursor & 63)
                if left:
                    break
                cursor = ((cursor >> 6) + 1) << 6
            if cursor >= end:
                return DONE, height, cursor, visits
            here = cursor + trailing_zeros(left)
            cursor = here + 1
        state = state_at(found, here)
        actions = 0
        for action in legal(rules, state):
            actions += 1
            if action < 0:
                record_witness(state, action, witness)
                return CHANCE, height, cursor, visits
            for probability, after, passes in outcomes(rules, state, action):
                if probability != 1.0:
                    record_witness(state, action, witness)
                    return CHANCE, height, cursor, visits
                if passes < 0:
                    record_witness(state, action, witness)
                    return PASSES, height, cursor, visits
                slot = find_slot(found, after)
                if slot < 0:
                    record_witness(after, -1, witness)
                    stack[height] = here
                    return OUTSIDE, height + 1, cursor, visits
                if _is_known(found.keys, found, ended, slot):
                    continue
                ends = over(rules, after)
                if ends:
                    worth = payoff(rules, after)
                    if worth != 0.0 and worth != 0.5 and worth != 1.0:
                        record_witness(after, -1, witness)
                        return PAYOFF, height, cursor, visits
                elif not possible(rules, after):
                    record_witness(after, -1, witness)
                    return IMPOSSIBLE, height, cursor, visits
                how = _prepare(found.keys, rules, found, symmetric, after, witness)
                if how != DONE or height == len(stack) - 1:  # the last entry is reserved for revisiting this state
                    stack[height] = here
                    return (CROWDED if how == DONE else how), height + 1, cursor, visits
                place = _mark(found.keys, found, ended, slot, ends, after)
                if not ends and not _waits(found.keys, waiting, cursor, place):
                    stack[height] = place
                    height += 1
                if symmetric and not _mark_images(found.keys, rules, found, ended, ends, after, witness):
                    return OUTSIDE, height, cursor, visits
        if actions == 0:
            record_witness(state, -1, witness)
            return DEAD_END, height, cursor, visits
    return PAUSED, height, cursor, budget


def _is_known(keys: NDArray[Any], found: GrowingIndex, ended: Any, slot: int) -> Any:
    if keys.ndim == 1:
        return (keys[slot >> 6] | ended[slot >> 6]) & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return is_occupied(found, slot)


def _prepare(keys: NDArray[Any], rules: Rules, found: GrowingIndex, symmetric: bool, state: State, witness: I64) -> int:
    """Check that a sparse set can take the state and its images; return DONE, CROWDED or OUTSIDE.

    A dense set needs no check: its search restarts when a state does not fit.
    """
    if keys.ndim == 1:
        return DONE
    count = 1
    if symmetric:
        for image in symmetries(rules, state):
            count += 1
            if pack_long(found.layout, image)[0] < 0:
                record_witness(image, -1, witness)
                return OUTSIDE
    return DONE if has_capacity(found, count) else CROWDED


def _mark(keys: NDArray[Any], found: GrowingIndex, ended: Any, slot: int, ends: bool, state: State) -> Any:
    """Add a state to its set, and return its index there."""
    if keys.ndim == 1:
        if ends:
            ended[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        else:
            keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return slot
    place = insert(found, slot, state)
    ended[place] = ends
    return place


def _waits(keys: NDArray[Any], waiting: Any, cursor: int, place: int) -> bool:
    """Mark a state for the scan, and return True, unless the scan has passed it already."""
    if keys.ndim == 1:
        if place >= cursor:
            waiting[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
            return True
        return False
    return False


def _mark_images(
    keys: NDArray[Any], rules: Rules, found: GrowingIndex, ended: Any, ends: bool, state: State, witness: I64
) -> bool:
    """Add the images of a state to its set. Return whether all fit into the layout."""
    if keys.ndim == 1:
        return _mark_bits(rules, found.layout, ended if ends else keys, state, witness)
    for image in symmetries(rules, state):
        slot = find_slot(found, image)
        if slot < 0:
            record_witness(image, -1, witness)
            return False
        if not is_occupied(found, slot):
            _mark(keys, found, ended, slot, ends, image)
    return True


def _mark_bits(rules: Rules, layout: Layout, bits: Any, state: State, witness: I64) -> bool:
    """Add the images of a state to a dense set, of which only one bit array is accessed."""
    for image in symmetries(rules, state):
        word = pack(layout, image)
        if word < 0:
            record_witness(image, -1, witness)
            return False
        bits[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
    return True
