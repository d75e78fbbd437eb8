"""Reachability analysis: find the states that play can reach, and check the rules on the way."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.errors import GameError
from komi.game import Game
from komi.graph import limits
from komi.graph import reachability_kernel as survey
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_worker import MAX_ACTIONS, ReachabilityWorker
from komi.graph.state_sets import StateSet, empty_bits
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.rules.packing import Layout
from komi.transient.on_demand import Unrolled
from komi.transient.store import Rolls

ESTIMATED = 100_000  # states found, after which their total number is estimated
MIN_STEPS, MAX_STEPS = 1 << 13, 1 << 19  # states that a thread visits between two checks for interrupts


class GraphCounts(NamedTuple):
    """The counts of a reachability analysis."""

    states: int
    actions: int
    outcomes: int
    max_outcomes: int  # of one action
    max_actions: int  # in one state
    deficit: int = 0  # the largest difference of an action's total probability from 1, in survey_kernel.DEFICIT_UNITS


class UnsharedError(GameError):
    """Raised if rolls cannot be shared: one leads into another with a choice, without a stored state in between."""


def find_reachable(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: StateSet | None = None,
    progress: Progress = silent,
    side_by_side: bool = True,
    rolls: Rolls | Unrolled | None = None,
) -> tuple[StateSet, GraphCounts]:
    """Find the states that are reachable from the roots.

    Args:
        compiled, rules: the game.
        roots: the initial states.
        known: states that are not visited again.
        progress: called with the number of states found.
        side_by_side: whether to use two threads; one is better if other work occupies the other cores.
        rolls: the rolls of the states, whose transient states are not stored; `Rolls` use one thread.

    Returns:
        the set of these and the known states, and the counts of the new ones.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large.
    """
    _check_roots(compiled.game, rules, roots)
    threads = 1 + side_by_side if rolls is None else rolls.threads if side_by_side else 1
    found = _Survey(compiled, rules, roots, known, threads, rolls)
    try:
        with ThreadPoolExecutor(1) as pool:
            while found.is_unfinished:
                found.go_on(pool)
                progress("finding states", found.visited, 0)
    except GameError:
        if threads == 1:
            raise
        return find_reachable(
            compiled, rules, roots, known, progress, side_by_side=False, rolls=rolls
        )  # one thread always reports the same state
    counts = found.counts()
    return found.finished(), counts


def find_possible(compiled: CompiledGame, rules: Any, layout: Layout) -> StateSet:
    """Find all states of a layout that the game declares possible and in which it is not over."""
    bits = empty_bits(layout)
    compiled.kernels[survey.mark_possible](rules, layout, bits)
    return StateSet.from_bits(layout, bits)


def check_steps(game: Game, rules: Any, state: Any) -> None:
    """Check that a state fits into a layout of sufficient width.

    Raises:
        GameError: if one of its fields is not a multiple of its step.
    """
    if wrong := game.off_step(state):
        written = game.write(rules, state)
        raise GameError(f"{game.file.name}: by 'steps' {wrong} in {written}.", written)


def _check_roots(game: Game, rules: Any, roots: Sequence[Any]) -> None:
    for root in roots:
        check_steps(game, rules, root)
        if game.part("over")(rules, root):
            raise GameError(f"{game.name} is over before it begins: {game.write(rules, root)}.")
        if not game.possible(rules, root):
            raise GameError(
                f"{game.name} begins in a state that its own rules do not allow: {game.write(rules, root)}."
            )


class _Survey:
    """The states found so far, and the workers that find more.

    Attributes:
        visited: the number of states visited.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Any,
        roots: Sequence[Any],
        known: StateSet | None,
        threads: int,
        rolls: Rolls | Unrolled | None,
    ) -> None:
        self._compiled, self._rules = compiled, rules
        before = Layout.of([0] * len(roots[0]), [0] * len(roots[0]), compiled.game.steps)
        self._found = GrowingSet.of(known) if known else GrowingSet(before)
        self._known = known.size if known else 0
        self.visited = 0
        before = self._found.layout
        self._lowest = [*map(min, map(mul, before.lows, before.steps), *roots)]
        self._highest = [*map(max, before.maxima, *roots)]
        self._rolls = rolls
        self._crew = [
            ReachabilityWorker(compiled, rules, self._found, rolls.visitor(thread) if rolls is not None else None)
            for thread in range(threads)
        ]
        self._fit()
        self._crew[0].take(self._found.add(roots))

    @property
    def is_unfinished(self) -> bool:
        """True if there are unvisited states."""
        return any(surveyor.height for surveyor in self._crew)

    def go_on(self, pool: ThreadPoolExecutor) -> None:
        """Let every worker visit some states, after work stealing: workers with few states take half of the surplus.

        Raises:
            GameError: if the rules are broken.
            SolveError: if the game is too large.
        """
        steps = min(max(self.visited // 8, MIN_STEPS), MAX_STEPS)
        first, *others = sorted(self._crew, key=lambda surveyor: -surveyor.height)
        for other in others:
            if self._found.is_dense and other.height < min(steps, first.height):
                other.take(first.give((first.height - other.height) // 2))
        pending = [pool.submit(other.visit, steps) for other in others if other.height]
        first.visit(steps)
        for one in pending:
            one.result()
        self.visited = sum(int(surveyor.totals[0]) for surveyor in self._crew)
        self._widen()
        if self.is_unfinished:
            self._check_size(growing=False)

    def counts(self) -> GraphCounts:
        """Combine the counts of all workers."""
        totals = np.array([surveyor.totals for surveyor in self._crew])
        return GraphCounts(*map(int, (*totals[:, :3].sum(axis=0), *totals[:, 3:].max(axis=0))))

    def finished(self) -> StateSet:
        """Return the set of all states found, and release the workers."""
        del self._crew[:]  # their stacks
        return self._found.finished()

    def _widen(self) -> None:
        """Widen the layout to the states that did not fit into it."""
        game = self._compiled.game
        for surveyor in self._crew:
            if surveyor.reason == survey.OUTSIDE:
                state = game.module.State(*map(int, surveyor.witness[:-1]))
                check_steps(game, self._rules, state)
                if not game.possible(self._rules, state):
                    raise broken(self._compiled, self._rules, survey.IMPOSSIBLE, surveyor.witness)
                self._lowest = [*map(min, self._lowest, state)]
                self._highest = [*map(max, self._highest, state)]
            elif surveyor.reason not in (survey.DONE, survey.PAUSED, survey.CROWDED):
                raise broken(self._compiled, self._rules, surveyor.reason, surveyor.witness)
        self._fit()

    def _fit(self) -> None:
        """Convert the set to the layout of all states found, and to the better representation."""
        found = self._found
        layout = Layout.spanning(self._lowest, self._highest, found.layout.steps)
        if layout.lows != found.layout.lows:  # then stored fields may exceed the recorded range
            self._highest = [*map(max, self._highest, found.highest())]
            layout = Layout.spanning(self._lowest, self._highest, found.layout.steps)
        limits.check_width(self._compiled.game, layout, self._lowest, self._highest)
        if layout != found.layout and self.visited:
            self._check_size(growing=True)
        dense = found.suits_dense(layout, self._known + self.visited)
        if layout != found.layout or dense != found.is_dense:
            waiting = found.move(layout, dense, [surveyor.waiting for surveyor in self._crew])
            for surveyor, places in zip(self._crew, waiting, strict=True):
                surveyor.height = 0
                (surveyor if dense else self._crew[0]).take(places)

    def _check_size(self, growing: bool) -> None:
        game, found = self._compiled.game, self._found
        if self._rolls is not None and self.visited > ESTIMATED and not growing:
            self._rolls.check_size(self._rules, found.layout)
        fullest = max(self._crew, key=lambda surveyor: surveyor.height)
        limits.check_size(game, self._rules, found.layout, self.visited, growing, fullest.next_state())
        limits.check_memory(game, found.layout, found.memory, self.visited)


def broken(compiled: CompiledGame, rules: Any, reason: int, witness: NDArray[np.int64]) -> GameError:
    """Create the error for the violation of the rules that a reachability analysis has found."""
    game = compiled.game
    state = game.module.State(*map(int, witness[:-1]))
    action = int(witness[-1])
    if reason == survey.ACTION:
        written = game.write(rules, state)
        limit = f": action numbers end at {MAX_ACTIONS - 1:,}" if action >= MAX_ACTIONS else ""
        return GameError(f"{game.file.name}: 'legal' yields {action} in {written}, which is no action{limit}.", written)
    name = game.label(rules, state, action) if action >= 0 else ""
    what = {
        survey.IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        survey.DEAD_END: "there is no legal action, and the game is not over",
        survey.MIXED: "where chance moves, 'legal' must yield CHANCE and nothing else",
        survey.PROBABILITY: f"the probabilities of {name!r} do not sum to 1",
        survey.PAYOFF: "the payoff is not from 0 to 1",
        survey.PASSES: f"{name!r} passes the turn on by a negative number of seats",
        survey.ROUND: "'transient' states form a cycle",
        survey.UNSHARED: "a roll that is shared leads to a choice inside another one, met",
    }[reason]
    written = game.write(rules, state)
    error = UnsharedError if reason == survey.UNSHARED else GameError
    return error(f"{game.file.name}: {what} in {written}.", written)
