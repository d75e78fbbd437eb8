"""The positions of games without chance, as a source of transitions for the reachability analysis."""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64
from komi.game import MAX_PASSES
from komi.graph.growing_set import GrowingSet
from komi.graph.lookup import GrowingIndex, find_slot, has_capacity, insert_atomically, is_occupied, state_at
from komi.graph.reachability_kernel import (
    ACTION,
    CROWDED,
    DEAD_END,
    DONE,
    MIXED,
    OUTSIDE,
    PASSES,
    PAUSED,
    PAYOFF,
    STATES,
    Exploration,
    payoff_deficit,
    push_successor,
)
from komi.graph.sources import GameTransitions
from komi.rules.compiled import CompiledGame
from komi.rules.interface import VISITED, legal, outcomes, over, payoff, record_witness
from komi.rules.packing import Layout
from komi.solvers.solver import OtherKindError
from komi.typing import Rules, State


class PositionTransitions(GameTransitions):
    """The transitions of a game without chance.

    Args:
        compiled, rules: the game.

    Attributes:
        terminal: the positions found in which the game is over.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules) -> None:
        super().__init__(compiled, rules)
        self.terminal = GrowingSet(Layout.of([0], [1]))
        self._moving = Lock()

    @property
    def memory(self) -> int:
        """The bytes of the set of terminal positions."""
        return self.terminal.memory

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` positions, and push their successors."""
        terminal = self.terminal
        with self._moving:
            if terminal.layout != found.layout or terminal.is_dense != found.is_dense:
                terminal.move(found.layout, found.is_dense, [])
            terminal.reserve()
        kernel = self.compiled.checked.kernels[explore_positions]
        exploration = Exploration(found.index, stack, totals, witness)
        how, height = kernel(self.rules, self.compiled.game.action_limit, exploration, terminal.index, height, budget)
        if how in (MIXED, PAYOFF):
            raise OtherKindError(
                f"{self.compiled.game.name} has chance or payoffs other than a win, a draw and a loss."
            )
        return how, height


def explore_positions(
    rules: Rules, action_limit: int, exploration: Exploration, terminal: GrowingIndex, height: int, budget: int
) -> Any:
    """Visit positions, as `reachability_kernel.explore` visits states.

    Args:
        rules, action_limit, exploration, height, budget: see `reachability_kernel.explore`.
        terminal: the positions found in which the game is over, in the layout of those in which it is not.

    Returns:
        as `reachability_kernel.explore`; MIXED for an action that has several outcomes, is a chance move or none at
        all, PAYOFF for one other than 0, 1/2 and 1, or payoffs of the seats that do not sum to 1.
    """
    found, stack, totals, witness = exploration
    for _ in range(budget):
        if height == 0:
            return DONE, height
        height -= 1
        here = stack[height]
        state = state_at(found, here)
        record_witness(state, VISITED, witness)
        actions = 0
        for action in legal(rules, state):
            if action >= action_limit:
                record_witness(state, action, witness)
                return ACTION, height
            actions += 1
            for probability, after, passes in outcomes(rules, state, action):
                if not 0 <= action < action_limit or probability != 1.0:
                    return MIXED, height
                if not 0 <= passes < MAX_PASSES:
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
                    if (value != 0.0 and value != 0.5 and value != 1.0) or payoff_deficit(rules, after, 2) != 0.0:
                        return PAYOFF, height
                    if not has_capacity(terminal, 1):
                        stack[height] = here
                        return CROWDED, height + 1
                    insert_atomically(terminal, find_slot(terminal, after), after)
                    continue
                how, height = push_successor(rules, found, stack, height, here, after, witness)
                if how != DONE:
                    return how, height
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
