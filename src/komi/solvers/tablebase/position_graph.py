"""The positions of games without chance, as a source of transitions for the reachability analysis.

If the game has symmetries, and all images of the start are reachable from the start, then all images of every
reachable position are reachable. The analysis then visits one position of each orbit, and adds all of it.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64
from komi.graph.growing_set import GrowingSet
from komi.graph.lookup import GrowingIndex, find_slot, has_capacity, insert, insert_atomically, is_occupied, state_at
from komi.graph.reachability_kernel import (
    ACTION,
    CROWDED,
    DEAD_END,
    DONE,
    IMPOSSIBLE,
    MIXED,
    OUTSIDE,
    PASSES,
    PAUSED,
    PAYOFF,
    STATES,
    Exploration,
)
from komi.graph.sources import GameTransitions, action_limit
from komi.jit.intrinsics import fetch_or
from komi.rules import enumeration
from komi.rules.compiled import CompiledGame
from komi.rules.interface import legal, outcomes, over, pack, payoff, possible, record_witness, symmetries
from komi.rules.interpreter import Interpreter
from komi.rules.packing import Layout
from komi.solvers.solver import OtherKindError
from komi.typing import Rules, State

FIRST_STATES = 100  # among which the images of the start are sought


class PositionTransitions(GameTransitions):
    """The transitions of a game without chance, of one position of each orbit.

    Args:
        compiled, rules: the game.
        roots: the positions from which play begins.

    Attributes:
        terminal: the positions found in which the game is over.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, roots: Sequence[Any]) -> None:
        super().__init__(compiled, rules)
        self._symmetric = compiled.game.has("symmetries") and len(roots) == 1
        images = {*compiled.game.part("symmetries")(rules, roots[0])} - {*roots} if self._symmetric else set()
        if images:
            first_states, _ = enumeration.explore(Interpreter(compiled.game, rules), FIRST_STATES)
            self._symmetric = roots[0] == next(iter(first_states)) and first_states.keys() >= images
        self.terminal = GrowingSet(Layout.of([0], [1]))
        self._moving = Lock()

    @property
    def memory(self) -> int:
        """The bytes of the set of terminal positions."""
        return self.terminal.memory

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` positions, and push one successor of each orbit."""
        terminal = self.terminal
        with self._moving:
            if terminal.layout != found.layout or terminal.is_dense != found.is_dense:
                terminal.move(found.layout, found.is_dense, [])
            terminal.reserve()
        kernel = self.compiled.kernels[explore_positions]
        exploration = Exploration(found.index, stack, totals, witness)
        options = self._symmetric, action_limit(self.compiled.game)
        how, height = kernel(self.rules, options, exploration, terminal.index, height, budget)
        if not found.is_dense:  # with images more positions are found than visited
            totals[STATES] = found.count
        if how in (MIXED, PAYOFF):
            raise OtherKindError(
                f"{self.compiled.game.name} has chance or payoffs other than a win, a draw and a loss."
            )
        return how, height


def explore_positions(
    rules: Rules, options: tuple[bool, int], exploration: Exploration, terminal: GrowingIndex, height: int, budget: int
) -> Any:
    """Visit positions, as `reachability_kernel.explore` visits states.

    Args:
        rules, exploration, height, budget: see `reachability_kernel.explore`.
        options: (whether to add all images of a position with it, the upper bound on action numbers, exclusive).
        terminal: the positions found in which the game is over, in the layout of those in which it is not.

    Returns:
        as `reachability_kernel.explore`; MIXED for an action that has several outcomes or is a chance move, PAYOFF for
        one other than 0, 1/2 and 1.
    """
    found, stack, totals, witness = exploration
    symmetric, limit = options
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        state = state_at(found, here)
        actions = 0
        for action in legal(rules, state):
            if action >= limit:
                record_witness(state, action, witness)
                return ACTION, height
            actions += 1
            for probability, after, passes in outcomes(rules, state, action):
                if action < 0 or probability != 1.0:
                    return MIXED, height
                if passes < 0:
                    record_witness(state, action, witness)
                    return PASSES, height
                slot = find_slot(found, after)
                if slot < 0:
                    stack[height] = here
                    record_witness(after, -1, witness)
                    return OUTSIDE, height + 1
                if _is_known(found.keys, found, terminal, slot, after):
                    continue
                if over(rules, after):
                    value = payoff(rules, after)
                    if value != 0.0 and value != 0.5 and value != 1.0:
                        return PAYOFF, height
                    how, _ = _add_orbit(terminal.keys, rules, symmetric, terminal, slot, after, witness)
                elif not possible(rules, after):
                    record_witness(after, -1, witness)
                    return IMPOSSIBLE, height
                elif height == len(stack) - 1:  # the last entry stays free
                    how = CROWDED
                else:
                    how, stack[height] = _add_orbit(found.keys, rules, symmetric, found, slot, after, witness)
                    height += how == DONE
                if how != DONE:
                    stack[height] = here
                    return how, height + 1
        if actions == 0:
            record_witness(state, -1, witness)
            return DEAD_END, height
        totals[STATES] += 1
    return PAUSED, height


def _is_known(keys: NDArray[Any], found: GrowingIndex, terminal: GrowingIndex, slot: int, state: State) -> Any:
    """Return whether a position has been found before; both bits of dense sets are read without a branch."""
    if keys.ndim == 1:
        return (keys[slot >> 6] | terminal.keys[slot >> 6]) & (np.uint64(1) << np.uint64(slot & 63)) != np.uint64(0)
    return is_occupied(found, slot) or is_occupied(terminal, find_slot(terminal, state))


def _add_orbit(
    keys: NDArray[Any], rules: Rules, symmetric: bool, states: GrowingIndex, slot: int, state: State, witness: I64
) -> tuple[Any, Any]:
    """Add a new state to a set after its images, so that this can be repeated where some of them did not fit.

    Returns:
        (DONE, CROWDED or OUTSIDE; the handle of the state)
    """
    if symmetric:
        how = _add_images(keys, rules, states, slot, state, witness)
        if how != DONE:
            return how, np.int64(-1)
    if not has_capacity(states, 1):
        return CROWDED, np.int64(-1)
    handle = insert_atomically(states, find_slot(states, state), state)
    return DONE, handle if handle >= 0 else slot  # another thread may have added it as an image


def _add_images(keys: NDArray[Any], rules: Rules, states: GrowingIndex, slot: int, state: State, witness: I64) -> int:
    """Add the other images of a state to its set; return DONE, CROWDED or OUTSIDE."""
    if keys.ndim == 1:
        return _add_bits(rules, states.layout, keys, slot, state, witness)
    for image in symmetries(rules, state):
        image_slot = find_slot(states, image)
        if image_slot < 0:
            record_witness(image, -1, witness)
            return OUTSIDE
        if image != state and not is_occupied(states, image_slot):
            if not has_capacity(states, 1):
                return CROWDED
            insert(states, image_slot, image)
    return DONE


def _add_bits(rules: Rules, layout: Layout, bits: Any, slot: int, state: State, witness: I64) -> int:
    """Add the other images of a state to a dense set; a function of its own is faster."""
    for image in symmetries(rules, state):
        image_slot = pack(layout, image)
        if image_slot < 0:
            record_witness(image, -1, witness)
            return OUTSIDE
        if image_slot != slot:
            fetch_or(bits, image_slot >> 6, np.uint64(1) << np.uint64(image_slot & 63))
    return DONE
