"""The positions that play without chance can reach.

Where they are a good part of all words, they are found in the order of their words: a scan from the lowest word upwards
visits each position that an earlier one leads up to; what a position leads down to is put on a stack and visited at
once. Where play goes up in the order of words, as where counters are added, memory is touched in order and the stack
stays empty. Where they are few among all words, all that is found goes on the stack.

Where the game has symmetries, and play from the start reaches all images of the start, it reaches all
images of every position; so of each set of images one is visited, and all are marked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.compile.bits import trailing_zeros
from komi.compile.compiled import CompiledGame
from komi.compile.packing import Layout
from komi.compile.places import has_room, is_taken, put, slot_of, state_at
from komi.compile.rulebook import legal, outcomes, over, pack, pack_long, payoff, possible, symmetries
from komi.compile.witness import note
from komi.errors import GameError
from komi.game import Game
from komi.methods.method import OtherKindError
from komi.model import limits
from komi.model.growing_set import GrowingSet
from komi.model.states import StateSet
from komi.model.survey import check_steps
from komi.progress import Progress, silent

# What a scan can end with. All but the first three name a state, and an action where there is one.
DONE, PAUSED, CROWDED, CHANCE, OUTSIDE, IMPOSSIBLE, DEAD_END, PAYOFF, PASSES = range(9)

WORDS_AT_ONCE = 1 << 22  # between two looks at the clock and the keyboard
MORE_ROOM = 64  # states, and a quarter of those that there is room for
FIRST_LOOK = 100  # states from the start that are looked at for the images of the start


@dataclass(frozen=True)
class Positions:
    """What play can reach.

    Attributes:
        states: those where play goes on.
        terminal: how many more there are where the game has ended.
    """

    states: StateSet
    terminal: int


def positions_of(compiled: CompiledGame, rules: Any, roots: Sequence[Any], progress: Progress = silent) -> Positions:
    """The positions that play can reach from the roots.

    Raises:
        OtherKindError: if an action has more than one outcome, or is nobody's, or a payoff is in between.
        GameError: if the rules are broken.
        SolveError: if there are too many positions.
    """
    game = compiled.game
    fields = len(game.module.State._fields)
    layout = Layout.of([0] * fields, [0] * fields, game.steps)
    images = _images(game, rules, roots)
    for state in (*roots, *images):
        check_steps(game, rules, state)
        layout = layout.widened(state)
    if not _reach(game, rules, roots, images):
        images = set()
    visited = 0
    while True:
        search = _Search(compiled, rules, roots, images, layout, visited)
        if search.run(progress):
            return search.positions()
        layout, visited = search.layout, search.visited


def _images(game: Game, rules: Any, states: Sequence[Any]) -> set[Any]:
    """What the symmetries make of the states."""
    if not game.has("symmetries"):
        return set()
    return {image for state in states for image in game.part("symmetries")(rules, state)}


def _reach(game: Game, rules: Any, roots: Sequence[Any], aims: set[Any]) -> bool:
    """Whether play from the roots reaches all aims soon."""
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
    """The positions found so far.

    Attributes:
        layout: in which they are stored, or, when the search has to begin anew, are to be stored.
        visited: how many have been looked at.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Any,
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
        """Find all positions; false if the search has to begin anew, for they are to be stored in another way."""
        cursor, last = 0, 64 * len(self._waiting)
        while cursor < last or self._height:
            how, cursor = self._go_on(cursor, min(cursor + WORDS_AT_ONCE, last) & ~63)
            if how == OUTSIDE:
                state = self._compiled.game.module.State(*self._witness[:-1].tolist())
                check_steps(self._compiled.game, self._rules, state)
                self.layout = self.layout.widened(state)
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
        """All that were found."""
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
            self.layout,
            self._symmetric,
            found.keys,
            found.table,
            found.size,
            self._ended,
            self._waiting,
            self._stack,
            self._height,
            cursor,
            end,
            WORDS_AT_ONCE,
            self._witness,
        )
        self._visits += visits
        self.visited = max(self.visited, self._visits if self._dense else int(found.size[0]))
        return how, cursor

    def _make_room(self) -> None:
        if self._height == len(self._stack):
            self._stack = np.concatenate((self._stack, np.empty_like(self._stack)))
        elif not self._dense:
            room = len(self._found.keys)
            self._found.make_room(room // 4 + MORE_ROOM + room - int(self._found.size[0]))  # for any number of images
            self._ended.resize(len(self._found.keys), refcheck=False)

    def _suits_dense(self, found: GrowingSet) -> bool:
        """Whether dense sets are better, and have room: those of what has ended and of what is to be visited, too."""
        memory = self.layout.words // 8 * (3 + self._symmetric)
        return found.suits_dense(self.layout, self.visited) and memory <= limits.most_memory()

    def _check_width(self) -> None:
        limits.check_width(self._compiled.game, self.layout, self.layout.lows, self.layout.highest)

    def _check_size(self, growing: bool) -> None:
        game, found = self._compiled.game, self._found
        example = found.fields(int(self._stack[self._height - 1])) if self._height else self._witness[:-1].tolist()
        limits.check_size(game, self._rules, self.layout, self.visited, growing, example)
        limits.check_memory(game, self.layout, found.memory + self._ended.nbytes, self.visited)


def _broken(compiled: CompiledGame, rules: Any, how: int, witness: list[int]) -> GameError:
    game = compiled.game
    state = game.module.State(*witness[:-1])
    what = {
        IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        DEAD_END: "there is no legal action, and the game is not over",
        PASSES: "an action passes the turn on by a negative number of seats",
    }[how]
    return GameError(f"{game.file.name}: {what} in {game.write(rules, state)}.")


def find(
    rules: Any,
    layout: Any,
    symmetric: bool,
    keys: Any,
    table: Any,
    size: Any,
    ended: Any,
    waiting: Any,
    stack: Any,
    height: int,
    cursor: int,
    end: int,
    budget: int,
    witness: Any,
) -> Any:
    """Visit the stacked states, and the waiting ones with words from `cursor` to `end`, and mark what they lead to.

    Args:
        rules: the rules.
        layout, keys, table, size: the set of the states found, a `GrowingSet`.
        symmetric: whether to mark all images of a state with it.
        ended: states where the game has ended: a dense set's are uint64[words / 64], a set apart; a sparse set has
            them too, and uint8[room] says of each place whether it is such a state.
        waiting: uint64[words / 64], the members of a dense set to visit, if they are not below the cursor.
        stack: int64[.], places of other members to visit.
        height: how many there are.
        cursor: the scan has come so far.
        end: and shall come so far, a multiple of 64.
        budget: pause after so many visits.
        witness: the fields of the state, and the action, that ended the scan.

    Returns:
        (how it ended, height of the stack, cursor, visits)
    """
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
        state = state_at(layout, keys, here)
        actions = 0
        for action in legal(rules, state):
            actions += 1
            if action < 0:
                note(state, action, witness)
                return CHANCE, height, cursor, visits
            for probability, after, passes in outcomes(rules, state, action):
                if probability != 1.0:
                    note(state, action, witness)
                    return CHANCE, height, cursor, visits
                if passes < 0:
                    note(state, action, witness)
                    return PASSES, height, cursor, visits
                slot = slot_of(layout, keys, table, after)
                if slot < 0:
                    note(after, -1, witness)
                    stack[height] = here
                    return OUTSIDE, height + 1, cursor, visits
                if _is_known(keys, table, ended, slot):
                    continue
                ends = over(rules, after)
                if ends:
                    worth = payoff(rules, after)
                    if worth != 0.0 and worth != 0.5 and worth != 1.0:
                        note(after, -1, witness)
                        return PAYOFF, height, cursor, visits
                elif not possible(rules, after):
                    note(after, -1, witness)
                    return IMPOSSIBLE, height, cursor, visits
                how = _prepared(rules, layout, keys, table, size, symmetric, after, witness)
                if how != DONE or height == len(stack) - 1:  # the last entry is kept for coming back to this state
                    stack[height] = here
                    return (CROWDED if how == DONE else how), height + 1, cursor, visits
                place = _mark(layout, keys, table, size, ended, slot, ends, after)
                if not ends and not _waits(keys, waiting, cursor, place):
                    stack[height] = place
                    height += 1
                if symmetric and not _mark_images(rules, layout, keys, table, size, ended, ends, after, witness):
                    return OUTSIDE, height, cursor, visits
        if actions == 0:
            note(state, -1, witness)
            return DEAD_END, height, cursor, visits
    return PAUSED, height, cursor, budget


def _is_known(keys: Any, table: Any, ended: Any, slot: int) -> Any:
    if keys.ndim == 1:
        return (keys[slot >> 6] | ended[slot >> 6]) & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return is_taken(keys, table, slot)


def _prepared(
    rules: Any, layout: Any, keys: Any, table: Any, size: Any, symmetric: bool, state: Any, witness: Any
) -> int:
    """Whether a sparse set can be given the state and its images, before it is: DONE, CROWDED or OUTSIDE.

    The search for a dense set begins anew when one of them does not fit.
    """
    if keys.ndim == 1:
        return DONE
    count = 1
    if symmetric:
        for image in symmetries(rules, state):
            count += 1
            if pack_long(layout, image)[0] < 0:
                note(image, -1, witness)
                return OUTSIDE
    return DONE if has_room(keys, table, size, count) else CROWDED


def _mark(layout: Any, keys: Any, table: Any, size: Any, ended: Any, slot: int, ends: bool, state: Any) -> Any:
    """Put a state into its set; its place."""
    if keys.ndim == 1:
        if ends:
            ended[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        else:
            keys[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        return slot
    place = put(layout, keys, table, size, slot, state)
    ended[place] = ends
    return place


def _waits(keys: Any, waiting: Any, cursor: int, place: int) -> bool:
    """Have the scan visit a state, if it still comes to it."""
    if keys.ndim == 1:
        if place >= cursor:
            waiting[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
            return True
        return False
    return False


def _mark_images(
    rules: Any, layout: Any, keys: Any, table: Any, size: Any, ended: Any, ends: bool, state: Any, witness: Any
) -> bool:
    """Put the images of a state into its set. Returns whether all fit into the layout."""
    if keys.ndim == 1:
        return _mark_bits(rules, layout, ended if ends else keys, state, witness)
    for image in symmetries(rules, state):
        slot = slot_of(layout, keys, table, image)
        if slot < 0:
            note(image, -1, witness)
            return False
        if not is_taken(keys, table, slot):
            _mark(layout, keys, table, size, ended, slot, ends, image)
    return True


def _mark_bits(rules: Any, layout: Any, bits: Any, state: Any, witness: Any) -> bool:
    """The same in a dense set, of which only one part is touched."""
    for image in symmetries(rules, state):
        word = pack(layout, image)
        if word < 0:
            note(image, -1, witness)
            return False
        bits[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
    return True
