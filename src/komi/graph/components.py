"""The pipeline that finds the strongly connected components of a game and solves them in order."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from komi.graph import limits
from komi.graph.reachability import GraphCounts
from komi.graph.scc import COMPLETE, OVERFULL, TOO_LARGE, Search, search_components
from komi.graph.state_sets import StateSet
from komi.graph.transitions import Transitions
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.transient.store import Rolls

BATCH = 1 << 14  # states of a batch, unless one component has more
PORTS = 4  # factor by which a batch's capacity for actions is larger if these are the ports of rolls
AHEAD = 4  # maximal length of the queue of batches
ALL_SOLVED = -1
STACKED_BYTES = 40  # of an action and an outcome on the stacks of the search


class ComponentSolver(Protocol):
    """Solves the equations of components, which arrive in reverse topological order."""

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with a given number of states, actions and outcomes."""

    def solve(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Solve the components of a batch, in order.

        Args:
            batch: their transitions, one component after the other.
            ends: int64[components], one past the last state of each.

        Returns:
            ALL_SOLVED, or the index of a state of the component where this failed.
        """
        ...

    def stop(self) -> None:
        """Interrupt `solve`, which runs in another thread."""

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of this state could not be backed up."""
        ...


def solve_components(
    compiled: CompiledGame,
    rules: Any,
    states: StateSet,
    counts: GraphCounts,
    roots: Sequence[Any],
    solver: ComponentSolver,
    known: NDArray[np.int64] | None = None,
    gain_columns: int = 1,
    progress: Progress = silent,
    side_by_side: bool = True,
    rolls: Rolls | None = None,
    places: NDArray[np.int32] | None = None,
) -> None:
    """Back up all states that are reachable from the roots, component by component, in reverse topological order.

    The search for the next components and the solution of earlier ones run concurrently, on two cores.

    Args:
        compiled, rules: the game.
        states: all states, including those known before.
        counts: the counts of the reachability analysis for the new states.
        roots: the initial states.
        solver: solves each component.
        known: indices of states that were backed up before.
        views: 1 for two-player constant-sum games; 2 for single-player games; the number of seats if the gains of all
            seats are computed.
        progress: called with the number of states that are done.
        side_by_side: whether to use two threads; one is better if other work occupies the other cores.
        rolls: the rolls of the states, if states inside a roll are not stored: the actions of a state in a batch are
            then the ports of its roll.
        places: int32[all states], a buffer for `Search.place`, if its memory can be shared: positive for known states,
            else 0. The backup of a state may write any other positive number, and reads it from then on.

    Raises:
        SolveError: the error that `solver.error` returns.
    """
    if gain_columns == 1 and compiled.game.players(rules) != 2:
        raise ValueError("one view is for two seats")
    if places is None:
        places = np.zeros(states.size, np.int32)
        if known is not None:
            places[known] = COMPLETE
    work = _Work(compiled, rules, states, counts, solver, gain_columns, rolls, places)
    work.run(roots, progress, side_by_side)


class _Work:
    def __init__(
        self,
        compiled: CompiledGame,
        rules: Any,
        states: StateSet,
        counts: GraphCounts,
        solver: ComponentSolver,
        gain_columns: int,
        rolls: Rolls | None,
        places: NDArray[np.int32],
    ) -> None:
        self._rolls = rolls
        self._compiled, self._rules, self._states, self._new = compiled, rules, states, counts.states
        self._seats = compiled.game.players(rules)
        self._solver, self._gain_columns = solver, gain_columns
        stacked = max(counts.actions, counts.outcomes)
        self._spare = 0
        if rolls is not None and stacked * STACKED_BYTES > limits.max_memory():
            self._spare = max(len(rolls.ports.gain), counts.max_actions * counts.max_outcomes)
            stacked = limits.max_memory() // STACKED_BYTES + self._spare
        self.search = Search.over(
            places, counts.states, min(counts.actions, stacked), min(counts.outcomes, stacked), gain_columns
        )
        wide = 1 if rolls is None else PORTS
        self._room = (
            min(BATCH, counts.states),
            min(2 * BATCH * wide, counts.actions),
            min(4 * BATCH * wide, counts.outcomes),
        )
        self._batches = [Transitions.empty(*self._room, gain_columns) for _ in range(AHEAD)]
        self._ends = [np.empty(BATCH, np.int64) for _ in range(AHEAD)]
        solver.allocate(*self._room)

    def run(self, roots: Sequence[Any], progress: Progress, side_by_side: bool) -> None:
        kernels = self._compiled.kernels if self._rolls is None else self._rolls.kernels
        kernel = kernels[search_components]
        rolls = None if self._rolls is None else self._rolls.search_arrays(self._states.layout)
        words = np.array([self._states.handle(root) for root in roots], np.int64)
        done = turn = 0
        pending: list[Future[int] | None] = [None] * AHEAD
        with ThreadPoolExecutor(1) as pool:
            try:
                while done < self._new:
                    self._check(pending[turn])
                    batch, ends = self._batches[turn], self._ends[turn]
                    how, count, *sizes = kernel(
                        self._rules,
                        self._seats,
                        self._states,
                        words,
                        self.search,
                        batch,
                        ends,
                        rolls,
                        self._spare,
                    )
                    if how == OVERFULL:
                        limits.refuse_cycles(self._compiled.game, sizes[0], STACKED_BYTES * max(sizes))
                    if how == TOO_LARGE:
                        self._make_room(turn, sizes, pending)
                        continue
                    pending[turn] = pool.submit(self._solver.solve, batch, ends[:count])
                    if not side_by_side:
                        self._check(pending[turn])
                    done += sizes[0]
                    turn = (turn + 1) % AHEAD
                    progress("solving", done, self._new)
                for last in pending[turn:] + pending[:turn]:
                    self._check(last)
            except BaseException:
                self._solver.stop()
                raise

    def _make_room(self, turn: int, sizes: Sequence[int], pending: "list[Future[int] | None]") -> None:
        """Allocate a larger batch for a component of these sizes, and buffers to back it up."""
        for future in pending:
            self._check(future)
        states, actions, outcomes = map(max, self._room, sizes)
        self._room = (states, actions, outcomes)
        self._batches[turn] = Transitions.empty(*self._room, self._gain_columns)
        self._solver.allocate(*self._room)

    def _check(self, pending: "Future[int] | None") -> None:
        """Wait for the solution of a batch, and raise its error if it failed."""
        index = pending.result() if pending else ALL_SOLVED
        if index != ALL_SOLVED:
            raise self._solver.error(index)
