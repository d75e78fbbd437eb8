"""The positions that play without chance can reach, found in the order of their words.

A scan from the lowest word upwards visits each position that an earlier one leads up to; what a
position leads down to is put on a stack and visited at once. Where play goes up in the order of words,
as where counters are added, memory is touched in order and the stack stays empty.

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
from komi.compile.rulebook import legal, outcomes, over, pack, payoff, possible, symmetries, unpack
from komi.compile.witness import note
from komi.errors import GameError, SolveError
from komi.game import Game
from komi.methods.method import OtherKindError
from komi.model.states import StateSet
from komi.progress import Progress, silent

# What a scan can end with. All but the first two name a state, and an action where there is one.
DONE, CROWDED, CHANCE, OUTSIDE, IMPOSSIBLE, DEAD_END, PAYOFF, PASSES = range(8)

MOST_BITS = 34  # of a packed state: each set of states is a bit array of this many bits
WORDS_AT_ONCE = 1 << 22  # between two looks at the clock and the keyboard
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
    layout = Layout.of([0] * fields, [0] * fields)
    images = _images(game, rules, roots)
    for state in (*roots, *images):
        layout = layout.widened(state)
    if not _reach(game, rules, roots, images):
        images = set()
    while True:
        if sum(layout.bits) > MOST_BITS:
            raise SolveError(
                f"{game.name} has too many positions to store: their words have more than {MOST_BITS} bits."
            )
        found = _find(compiled, rules, roots, images, layout, progress)
        if isinstance(found, Positions):
            return found
        layout = found


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


def _find(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    images: set[Any],
    layout: Layout,
    progress: Progress,
) -> Positions | Layout:
    """The positions; or a wider layout, if one of them does not fit into this."""
    game = compiled.game
    kernel = compiled.kernels[find]
    empty = StateSet.empty(layout)
    members = empty.bits
    ended = np.zeros_like(members)
    symmetric = bool(images)
    waiting = np.zeros_like(members) if symmetric else members
    stack = np.empty(1 << 16, np.int64)
    witness = np.zeros(len(layout.lows) + 1, np.int64)
    for state in (*roots, *images):
        word = empty.word(state)
        members[word >> 6] |= np.uint64(1 << (word & 63))
        if state in roots:
            waiting[word >> 6] |= np.uint64(1 << (word & 63))
    height = cursor = 0
    last = 64 * len(members)
    while cursor < last or height:
        end = min(cursor + WORDS_AT_ONCE, last) & ~63
        how, height, cursor = kernel(
            rules, layout, symmetric, members, ended, waiting, stack, height, cursor, end, witness
        )
        if how == CROWDED:
            stack = np.concatenate((stack, np.empty_like(stack)))
        elif how == OUTSIDE:
            return layout.widened(witness[:-1].tolist())
        elif how in (CHANCE, PAYOFF):
            raise OtherKindError(game.name)
        elif how != DONE:
            raise _broken(compiled, rules, how, witness.tolist())
        progress("finding positions", cursor, last)
    return Positions(StateSet.of(layout, members), int(np.bitwise_count(ended).sum(dtype=np.int64)))


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
    members: Any,
    ended: Any,
    waiting: Any,
    stack: Any,
    height: int,
    cursor: int,
    end: int,
    witness: Any,
) -> Any:
    """Visit the waiting states with words from `cursor` to `end`, and mark what they lead to.

    Args:
        rules: the rules.
        layout: how states are packed into words.
        symmetric: whether to mark all images of a state with it.
        members: uint64[words / 64], the set of the states found where play goes on.
        ended: uint64[words / 64], the set of those where it has ended.
        waiting: uint64[words / 64], the members to visit, if they are not below the cursor.
        stack: int64[.], words of members below the cursor to visit.
        height: how many there are.
        cursor: the scan has come so far.
        end: and shall come so far, a multiple of 64.
        witness: the fields of the state, and the action, that ended the scan.

    Returns:
        (how it ended, height of the stack, cursor)
    """
    while True:
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
                return DONE, height, cursor
            here = cursor + trailing_zeros(left)
            cursor = here + 1
        state = unpack(layout, here)
        actions = 0
        for action in legal(rules, state):
            actions += 1
            if action < 0:
                note(state, action, witness)
                return CHANCE, height, cursor
            for probability, after, passes in outcomes(rules, state, action):
                if probability != 1.0:
                    note(state, action, witness)
                    return CHANCE, height, cursor
                if passes < 0:
                    note(state, action, witness)
                    return PASSES, height, cursor
                word = pack(layout, after)
                if word < 0:
                    note(after, -1, witness)
                    return OUTSIDE, height, cursor
                block, bit = word >> 6, np.uint64(1) << np.uint64(word & 63)
                if (members[block] | ended[block]) & bit:
                    continue
                if over(rules, after):
                    worth = payoff(rules, after)
                    if worth != 0.0 and worth != 0.5 and worth != 1.0:
                        note(after, -1, witness)
                        return PAYOFF, height, cursor
                    ended[block] |= bit
                    outside = symmetric and not _mark_images(rules, layout, after, ended, witness)
                else:
                    if not possible(rules, after):
                        note(after, -1, witness)
                        return IMPOSSIBLE, height, cursor
                    if word >= cursor:
                        waiting[block] |= bit
                    elif height == len(stack) - 1:  # the last place is kept for coming back to this state
                        stack[height] = here
                        return CROWDED, height + 1, cursor
                    else:
                        stack[height] = word
                        height += 1
                    members[block] |= bit
                    outside = symmetric and not _mark_images(rules, layout, after, members, witness)
                if outside:
                    return OUTSIDE, height, cursor
        if actions == 0:
            note(state, -1, witness)
            return DEAD_END, height, cursor


def _mark_images(rules: Any, layout: Any, state: Any, members: Any, witness: Any) -> bool:
    """Mark the images of a state. Returns whether all fit into the layout."""
    for image in symmetries(rules, state):
        word = pack(layout, image)
        if word < 0:
            note(image, -1, witness)
            return False
        members[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
    return True
