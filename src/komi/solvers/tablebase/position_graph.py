"""The positions of games without chance, as a source of transitions for the reachability analysis."""

from threading import Lock
from typing import Any

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph.expanded_rules import ExpandedGame, expansion_at
from komi.graph.expansion import HIGH, LOW, NUMBER, OUTCOMES, OVER, PACKS_ENDINGS, PROBABLY
from komi.graph.exploration import expand_at, push_packed
from komi.graph.growing_set import GrowingSet
from komi.graph.lookup import (
    GrowingIndex,
    find_packed_slot,
    has_capacity,
    insert_packed_atomically,
    is_occupied,
)
from komi.graph.reachability_kernel import Exploration, ExplorationStatus, Total
from komi.graph.sources import GameTransitions
from komi.solvers.solver import OtherKindError
from komi.typing import Rules


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
        exploration = Exploration(found.index, stack, totals, witness)
        how, height = self.explore_by(explore_positions, exploration, height, budget, terminal.index)
        if how in (ExplorationStatus.MIXED, ExplorationStatus.PAYOFF):
            raise OtherKindError(
                f"{self.compiled.game.name} has chance or payoffs other than a win, a draw and a loss."
            )
        return how, height


def explore_positions(
    game: ExpandedGame, exploration: Exploration, height: int, budget: int, terminal: GrowingIndex
) -> Any:
    """Visit positions, as `exploration.explore` visits states.

    Args:
        game, exploration, height, budget: see `exploration.explore`.
        terminal: the positions found in which the game is over, in the layout of those in which it is not.

    Returns:
        as `exploration.explore`; MIXED for an action that has several outcomes, or is a chance move, PAYOFF for one
        other than 0, 1/2 and 1, or payoffs of the seats that sum to 1 only but for rounding.
    """
    found, stack, totals, witness = exploration
    expansion_at(game.context).counts[PACKS_ENDINGS] = 1
    for _ in range(budget):
        if height == 0:
            return ExplorationStatus.DONE, height
        height -= 1
        here = stack[height]
        into, actions = expand_at(game, found, here)
        if actions < 0:
            witness[:] = into.witness
            return -actions, height + (actions == -ExplorationStatus.UNLISTED)
        if into.counts[OUTCOMES] != actions or into.action[0, NUMBER] < 0:
            return ExplorationStatus.MIXED, height
        if into.deficit[0] != 0.0:
            return ExplorationStatus.PAYOFF, height
        for outcome in range(actions):
            if into.weight[outcome, PROBABLY] != 1.0:
                return ExplorationStatus.MIXED, height
            high, low = into.outcome[outcome, HIGH], into.outcome[outcome, LOW]
            if low < 0:
                stack[height] = here
                witness[:] = into.outside[0]
                return ExplorationStatus.OUTSIDE, height + 1
            if not into.outcome[outcome, OVER]:
                how, height = push_packed(found, stack, height, here, high, low)
                if how != ExplorationStatus.DONE:
                    return how, height
                continue
            value = into.payoff[outcome, 0]
            if value != 0.0 and value != 0.5 and value != 1.0:
                return ExplorationStatus.PAYOFF, height
            slot = find_packed_slot(terminal, high, low)
            if is_occupied(terminal, slot):
                continue
            if not has_capacity(terminal, 1):
                stack[height] = here
                return ExplorationStatus.CROWDED, height + 1
            insert_packed_atomically(terminal, slot, high, low)
        totals[Total.STATES] += 1
    return ExplorationStatus.PAUSED, height
