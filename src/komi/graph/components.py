"""The pipeline that finds the strongly connected components of a game and solves them in order."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from komi.arrays import F32, I32, I64
from komi.graph import limits
from komi.graph.component_search import COMPLETE, ComponentSearch, SearchStatus
from komi.graph.sources import TransitionSource
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions
from komi.progress import Progress, silent
from komi.tuning import BATCH_STATES, QUEUED_BATCHES

OUTCOMES_PER_ACTION = 2  # typical number, for the size of buffers
ALL_SOLVED = -1  # returned in place of a state
STACKED_BYTES = 40  # of an action and an outcome on the stacks of the search


class ComponentSolver(Protocol):
    """Solves the equations of components, which arrive in reverse topological order."""

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with a given number of states, actions and outcomes."""

    def solve(self, batch: Transitions, ends: I64) -> int:
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
        """Return the error that explains why the component of this state could not be solved."""
        ...


def solve_components(
    source: TransitionSource,
    states: StateSet,
    counts: GraphCounts,
    roots: Sequence[Any],
    solver: ComponentSolver,
    *,
    known: I64 | None = None,
    gain_columns: int = 1,
    progress: Progress = silent,
    side_by_side: bool = True,
    bounds: F32 | None = None,
) -> None:
    """Solve all states that are reachable from the roots, component by component, in reverse topological order.

    The search for the next components and the solution of earlier ones run concurrently, on two cores.

    Args:
        source: the transitions of the game.
        states: all states, including those known before.
        counts: the counts of the reachability analysis for the new states.
        roots: the initial states.
        solver: solves each component.
        known: indices of states that were solved before.
        gain_columns: 1 for two-player constant-sum games; 2 for single-player games; the number of seats if the gains
            of all seats are computed.
        progress: called with the number of states that are done.
        side_by_side: whether to use two threads; one is better if other work occupies the other cores.
        bounds: float32[all states], the solver's error bounds, if the search can share their memory: positive for
            known states, else 0; the solver must not write other numbers than positive ones.

    Raises:
        SolveError: the error that `solver.error` returns.
    """
    if gain_columns == 1 and source.compiled.game.players(source.rules) != 2:
        raise ValueError("one column of gains is for two seats")
    if bounds is not None:
        status = status_of_bounds(bounds)
    else:
        status = np.zeros(states.size, np.int32)
        if known is not None:
            status[known] = COMPLETE
    source.allocate(states)
    pipeline = _Pipeline(source, states, counts, solver, gain_columns, status)
    pipeline.run(roots, progress, side_by_side)


def status_of_bounds(bounds: F32) -> I32:
    """Return the memory of error bounds as the `status` of a component search, which saves a random access per state.

    The search uses the entry of a state until its component is complete, and the solver from then on: the bits of a
    positive float32 are a positive int32, and those of 0.0 are 0, so that a state with a positive bound is complete,
    and one without is not visited.

    Raises:
        ValueError: if a bound is negative.
    """
    if np.signbit(bounds).any():
        raise ValueError("error bounds must not be negative")
    status: I32 = bounds.view(np.int32)
    return status


class _Pipeline:
    """The component search, and a queue of the batches that the solver has not solved yet."""

    def __init__(
        self,
        source: TransitionSource,
        states: StateSet,
        counts: GraphCounts,
        solver: ComponentSolver,
        gain_columns: int,
        status: I32,
    ) -> None:
        self._source, self._states, self._new = source, states, counts.states
        self._solver, self._gain_columns = solver, gain_columns
        self._search = self._allocate_search(counts, status)
        actions = BATCH_STATES * source.typical_actions
        self._capacity = (
            min(BATCH_STATES, counts.states),
            min(actions, counts.actions),
            min(OUTCOMES_PER_ACTION * actions, counts.outcomes),
        )
        self._batches = [Transitions.empty(*self._capacity, gain_columns) for _ in range(QUEUED_BATCHES)]
        self._ends = [np.empty(BATCH_STATES, np.int64) for _ in range(QUEUED_BATCHES)]
        self._pending: list[Future[int] | None] = [None] * QUEUED_BATCHES
        solver.allocate(*self._capacity)

    def _allocate_search(self, counts: GraphCounts, status: I32) -> ComponentSearch:
        """Allocate the search, with stacks for all transitions or, if the source says so, up to the memory limit."""
        spare = self._source.max_pushed(counts)
        actions, outcomes = counts.actions, counts.outcomes
        if spare and max(actions, outcomes) * STACKED_BYTES > limits.max_memory():
            most = limits.max_memory() // STACKED_BYTES + spare
            actions, outcomes = min(actions, most), min(outcomes, most)
        else:
            spare = 0
        return ComponentSearch.allocate(status, counts.states, actions, outcomes, self._gain_columns, spare)

    def run(self, roots: Sequence[Any], progress: Progress, side_by_side: bool) -> None:
        """Search and solve all components."""
        pairs = np.array([(self._states.handle(root), self._states.index_of(root)) for root in roots], np.int64)
        done = turn = 0
        with ThreadPoolExecutor(1) as pool:
            try:
                while done < self._new:
                    self._check(self._pending[turn])
                    batch, ends = self._batches[turn], self._ends[turn]
                    how, count, *sizes = self._source.search(self._states, pairs, self._search, batch, ends)
                    if how == SearchStatus.OVERFULL:
                        limits.refuse_cycles(self._source.compiled.game, sizes[0], STACKED_BYTES * max(sizes))
                    if how == SearchStatus.TOO_LARGE:
                        self._enlarge(turn, sizes)
                        continue
                    self._pending[turn] = pool.submit(self._solver.solve, batch, ends[:count])
                    if not side_by_side:
                        self._check(self._pending[turn])
                    done += sizes[0]
                    turn = (turn + 1) % QUEUED_BATCHES
                    progress("solving", done, self._new)
                for last in self._pending[turn:] + self._pending[:turn]:
                    self._check(last)
            except BaseException:
                self._solver.stop()
                raise

    def _enlarge(self, turn: int, sizes: Sequence[int]) -> None:
        """Allocate a larger batch for a component of these sizes, and buffers to solve it."""
        for future in self._pending:
            self._check(future)
        states, actions, outcomes = map(max, self._capacity, sizes)
        self._capacity = (states, actions, outcomes)
        self._batches[turn] = Transitions.empty(*self._capacity, self._gain_columns)
        self._solver.allocate(*self._capacity)

    def _check(self, pending: "Future[int] | None") -> None:
        """Wait for the solution of a batch, and raise its error if it failed."""
        index = pending.result() if pending else ALL_SOLVED
        if index != ALL_SOLVED:
            raise self._solver.error(index)
