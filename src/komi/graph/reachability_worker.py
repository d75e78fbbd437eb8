"""One worker of the reachability analysis, with its own stack of states to visit."""

import numpy as np

from komi.arrays import I64
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_kernel import TOTALS, ExplorationStatus
from komi.graph.sources import Explorer

INITIAL_STACK = 1 << 16  # states


class ReachabilityWorker:
    """Visits states, and adds their successors to the set that all workers share.

    Args:
        explorer: the explorer of this worker's thread.
        found: the set of all states found.

    Attributes:
        height: the number of states on its stack.
        totals: its counts, as in `exploration.explore`.
        reason: the way in which its last visit ended.
        witness: the fields of the state, and the action, that ended it.
    """

    def __init__(self, explorer: Explorer, found: GrowingSet) -> None:
        self.height = 0
        self.totals = np.zeros(TOTALS, np.int64)
        self.reason: int = ExplorationStatus.DONE
        self.witness = np.zeros(len(found.layout.lows) + 1, np.int64)
        self._stack = np.empty(INITIAL_STACK, np.int64)
        self._explorer, self._found = explorer, found

    def visit(self, budget: int) -> None:
        """Visit `budget` states, or all on the stack if these are fewer."""
        self.reason, self.height = self._explorer.explore(
            self._found, self._stack, self.height, budget, self.totals, self.witness
        )
        if self.reason == ExplorationStatus.CROWDED and self.height == len(self._stack):
            self._grow()
        elif self.reason == ExplorationStatus.CROWDED:
            self._found.reserve()

    def take(self, handles: I64) -> None:
        """Push these states onto the stack."""
        while self.height + len(handles) >= len(self._stack):
            self._grow()
        self._stack[self.height : self.height + len(handles)] = handles
        self.height += len(handles)

    def give(self, count: int) -> I64:
        """Remove the oldest states from the stack for another worker: most unvisited states are reachable from them."""
        handles = self._stack[:count].copy()
        self.height -= count
        self._stack[: self.height] = self._stack[count : count + self.height].copy()
        return handles

    @property
    def unvisited(self) -> I64:
        """The handles of the states on the stack."""
        return self._stack[: self.height]

    def next_state(self) -> tuple[int, ...]:
        """Return the fields of the state that is visited next."""
        return self._found.fields(int(self._stack[self.height - 1]))

    def _grow(self) -> None:
        self._stack = np.concatenate((self._stack, np.empty_like(self._stack)))
