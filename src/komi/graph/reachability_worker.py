"""One worker of the reachability analysis, with its own stack of states to visit."""

from typing import Any

import numpy as np

from komi.arrays import I64
from komi.game import Game
from komi.graph import reachability_kernel as survey
from komi.graph.growing_set import GrowingSet
from komi.rules.compiled import CompiledGame
from komi.transient.on_demand import Visitor
from komi.transient.store import Rolls

MAX_ACTIONS = 1 << 15  # choices are stored in 16 bits
TOTALS = 6


def known_actions(game: Game) -> int:
    """Return the upper bound on action numbers, exclusive."""
    return min(MAX_ACTIONS if game.has("label") else len(game.module.actions), MAX_ACTIONS)


class ReachabilityWorker:
    """Visits states, and adds their successors to the set that all workers share.

    Attributes:
        height: the number of states on its stack.
        totals: its counts, as in `survey.survey`.
        reason: the way in which its last visit ended.
        witness: the fields of the state, and the action, that ended it.
    """

    def __init__(
        self, compiled: CompiledGame, rules: Any, found: GrowingSet, rolls: Rolls | Visitor | None = None
    ) -> None:
        self.height = 0
        self.totals = np.zeros(TOTALS, np.int64)
        self.reason = survey.DONE
        self.witness = np.zeros(len(found.layout.lows) + 1, np.int64)
        self._stack = np.empty(1 << 16, np.int64)
        self._found = found
        self._rules = rules
        self._known = known_actions(compiled.game)
        self._rolls = rolls
        self._kernel = compiled.kernels[survey.survey] if rolls is None else rolls.kernel

    def visit(self, steps: int) -> None:
        """Visit `steps` states, or all on the stack if these are fewer."""
        before = () if self._rolls is None else (self._rolls.seats,)
        after = () if self._rolls is None else self._rolls.survey_arrays(self._found.layout)
        self.reason, self.height = self._kernel(
            self._rules,
            *before,
            self._known,
            self._found.index,
            self._stack,
            self.height,
            steps,
            self.totals,
            self.witness,
            *after,
        )
        if self._rolls is not None and self.reason == survey.NO_ROOM:
            self._rolls.make_room()
            self.reason = survey.PAUSED
        if isinstance(self._rolls, Rolls) and self.reason == survey.UNKNOWN:
            self._rolls.learn(self._found.fields(int(self.witness[0])), int(self.witness[1]))
            self.reason = survey.PAUSED
        if self.reason == survey.CROWDED and self.height == len(self._stack):
            self._grow()
        elif self.reason == survey.CROWDED:
            self._found.reserve()

    def take(self, places: I64) -> None:
        """Push these states onto the stack."""
        while self.height + len(places) >= len(self._stack):
            self._grow()
        self._stack[self.height : self.height + len(places)] = places
        self.height += len(places)

    def give(self, count: int) -> I64:
        """Remove the oldest states from the stack for another worker: most unvisited states are reachable from them."""
        places = self._stack[:count].copy()
        self.height -= count
        self._stack[: self.height] = self._stack[count : count + self.height].copy()
        return places

    @property
    def waiting(self) -> I64:
        """The places of the states on the stack."""
        return self._stack[: self.height]

    def next_state(self) -> tuple[int, ...]:
        """Return the fields of the state that is visited next."""
        return self._found.fields(int(self._stack[self.height - 1]))

    def _grow(self) -> None:
        self._stack = np.concatenate((self._stack, np.empty_like(self._stack)))
