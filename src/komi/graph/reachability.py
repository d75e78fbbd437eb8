"""Reachability analysis: find the states that play can reach, and check the rules on the way."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import mul
from typing import Any

import numpy as np

from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import GameError
from komi.graph import limits
from komi.graph import reachability_kernel as kernel
from komi.graph.broken_rules import broken_rule
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_kernel import ExplorationStatus, Total
from komi.graph.reachability_worker import ReachabilityWorker
from komi.graph.sources import ExplorationSource
from komi.graph.state_sets import StateSet, empty_bits
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.tuning import MAX_STEPS, MIN_STEPS
from komi.typing import Rules, State

MIN_ESTIMATED = 100_000  # states found, after which their total number is estimated


def find_reachable(
    source: ExplorationSource,
    roots: Sequence[Any],
    known: StateSet | None = None,
    progress: Progress = silent,
    side_by_side: bool = True,
) -> tuple[StateSet, GraphCounts]:
    """Find the states that are reachable from the roots.

    Args:
        source: the transitions of the game.
        roots: the initial states.
        known: states that are not visited again.
        progress: called with the number of states found.
        side_by_side: whether to use several threads; one is better if other work occupies the other cores.

    Returns:
        the set of these and the known states, and the counts of the new ones.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large.
    """
    _check_roots(source.compiled.game, source.rules, roots)
    threads = source.max_threads if side_by_side else 1
    analysis = _Analysis(source, roots, known, threads)
    try:
        with ThreadPoolExecutor(1) as pool:
            while analysis.is_unfinished:
                analysis.go_on(pool)
                progress("finding states", analysis.visited, 0)
    except GameError:
        if threads == 1:
            raise
        return find_reachable(source, roots, known, progress, side_by_side=False)  # always reports the same state
    counts = analysis.counts()
    return analysis.finish(), counts


def find_possible(compiled: CompiledGame, rules: Rules, layout: Layout) -> StateSet:
    """Find all states of a layout that the game declares possible and in which it is not over."""
    bits = empty_bits(layout)
    compiled.kernels[kernel.mark_possible](rules, layout, bits)
    return StateSet.from_bits(layout, bits)


def check_steps(game: Game, rules: Rules, state: State) -> None:
    """Check that a state fits into a layout of sufficient width.

    Raises:
        GameError: if one of its fields is not a multiple of its step.
    """
    if wrong := game.off_step(state):
        written = game.write(rules, state)
        raise GameError(f"{game.file.name}: by 'steps' {wrong} in {written}.", written)


def _check_roots(game: Game, rules: Rules, roots: Sequence[Any]) -> None:
    for root in roots:
        check_steps(game, rules, root)
        if game.part("over")(rules, root):
            raise GameError(f"{game.name} is over before it begins: {game.write(rules, root)}.")
        if not game.possible(rules, root):
            raise GameError(
                f"{game.name} begins in a state that its own rules do not allow: {game.write(rules, root)}."
            )


class _Analysis:
    """A reachability analysis in progress: the states found so far, and the workers that find more.

    Attributes:
        visited: the number of states visited.
    """

    def __init__(self, source: ExplorationSource, roots: Sequence[Any], known: StateSet | None, threads: int) -> None:
        self._source, self._game, self._rules = source, source.compiled.game, source.rules
        empty = Layout.of([0] * len(roots[0]), [0] * len(roots[0]), self._game.steps)
        self._found = GrowingSet.of(known) if known else GrowingSet(empty)
        self._known = known.size if known else 0
        self.visited = 0
        layout = self._found.layout
        self._lowest = [*map(min, map(mul, layout.lows, layout.steps), *roots)]
        self._highest = [*map(max, layout.maxima, *roots)]
        self._workers = [ReachabilityWorker(source.explorer(thread), self._found) for thread in range(threads)]
        self._fit_layout()
        self._workers[0].take(self._found.add(roots))

    @property
    def is_unfinished(self) -> bool:
        """True if there are unvisited states."""
        return any(worker.height for worker in self._workers)

    def go_on(self, pool: ThreadPoolExecutor) -> None:
        """Let every worker visit some states, after work stealing: workers with few states take half of the surplus.

        Raises:
            GameError: if the rules are broken.
            SolveError: if the game is too large.
        """
        steps = min(max(self.visited // 8, MIN_STEPS), MAX_STEPS)
        first, *others = sorted(self._workers, key=lambda worker: -worker.height)
        for other in others:
            if self._found.is_dense and other.height < min(steps, first.height):
                other.take(first.give((first.height - other.height) // 2))
        pending = [pool.submit(other.visit, steps) for other in others if other.height]
        first.visit(steps)
        for future in pending:
            future.result()
        self.visited = sum(int(worker.totals[Total.STATES]) for worker in self._workers)
        self._widen_layout()
        if self.is_unfinished:
            self._check_size(growing=False)

    def counts(self) -> GraphCounts:
        """Combine the counts of all workers."""
        totals = np.array([worker.totals for worker in self._workers])
        sums, maxima = totals[:, : Total.MAX_OUTCOMES].sum(axis=0), totals[:, Total.MAX_OUTCOMES :].max(axis=0)
        return GraphCounts(*map(int, (*sums, *maxima)))

    def finish(self) -> StateSet:
        """Return the set of all states found, and release the workers."""
        del self._workers[:]  # their stacks
        return self._found.finished()

    def _widen_layout(self) -> None:
        """Widen the layout to the states that did not fit into it."""
        for worker in self._workers:
            if worker.reason == ExplorationStatus.OUTSIDE:
                state = self._game.module.State(*map(int, worker.witness[:-1]))
                check_steps(self._game, self._rules, state)
                if not (self._game.part("over")(self._rules, state) or self._game.possible(self._rules, state)):
                    raise broken_rule(self._source.compiled, self._rules, ExplorationStatus.IMPOSSIBLE, worker.witness)
                self._lowest = [*map(min, self._lowest, state)]
                self._highest = [*map(max, self._highest, state)]
            elif worker.reason not in (ExplorationStatus.DONE, ExplorationStatus.PAUSED, ExplorationStatus.CROWDED):
                raise broken_rule(self._source.compiled, self._rules, worker.reason, worker.witness)
        self._fit_layout()

    def _fit_layout(self) -> None:
        """Convert the set to the layout of all states found, and to the better representation."""
        found = self._found
        layout = Layout.spanning(self._lowest, self._highest, found.layout.steps)
        if layout.lows != found.layout.lows:  # then stored fields may exceed the recorded range
            self._highest = [*map(max, self._highest, found.highest())]
            layout = Layout.spanning(self._lowest, self._highest, found.layout.steps)
        limits.check_width(self._game, layout, self._lowest, self._highest)
        if layout != found.layout and self.visited:
            self._check_size(growing=True)
        dense = found.suits_dense(layout, self._known + self.visited)
        if layout != found.layout or dense != found.is_dense:
            unvisited = found.move(layout, dense, [worker.unvisited for worker in self._workers])
            for worker, handles in zip(self._workers, unvisited, strict=True):
                worker.height = 0
                (worker if dense else self._workers[0]).take(handles)

    def _check_size(self, growing: bool) -> None:
        found = self._found
        if self.visited > MIN_ESTIMATED and not growing:
            self._source.check_size(found.layout)
        fullest = max(self._workers, key=lambda worker: worker.height)
        states = self._known + self.visited
        limits.check_size(self._game, self._rules, found.layout, states, growing, fullest.next_state())
        limits.check_memory(self._game, found.layout, found.memory + self._source.memory, self.visited)
