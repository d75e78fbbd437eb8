"""All components of a game's graph of states, solved one after the other."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.kernels import engine
from komi.errors import SolveError
from komi.methods.race import batch as component
from komi.model import search as explore
from komi.model.search import Search, Transitions
from komi.model.states import StateSet
from komi.model.survey import Counts
from komi.progress import Progress, silent

BATCH = 1 << 13  # states handed over at once, unless one component has more
AHEAD = 4  # batches explored before the first of them is solved, at most

EVERYONE_FREE = (np.empty(0, np.int16),)
"""Policies that bind nobody: every player to move chooses the best."""


class Components:
    """A set of states to be solved component by component, what follows first.

    The exploration of the next components and the solution of those before them can run side by side, on two
    cores.

    Args:
        compiled, rules: the game.
        states: all states, those known before too.
        counts: what the survey has counted of the new ones.
        policies: what the players to move are bound to, as in `component.solve_batch`.
        lengths: whether to find how long play goes on.

    Attributes:
        findings: of all states; those of known states are to be filled in before `solve`.
        search: the exploration; its `place` of known states is to be set to -1 before `solve`.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Any,
        states: StateSet,
        counts: Counts,
        policies: tuple[NDArray[np.int16], ...] = EVERYONE_FREE,
        lengths: bool = False,
    ) -> None:
        self.compiled, self.rules, self.states, self.new = compiled, rules, states, counts.states
        self.roles = len(policies)
        self.policies = np.stack(policies)
        # A backup sums so many terms, in all at most 2, each with a probability right to 4 units in its last
        # place: what it can lose by rounding.
        mixing = any(np.any(policy == component.UNIFORM) for policy in policies)
        actions_mixed = counts.most_actions if mixing else 1
        self.slack = (counts.most_outcomes * actions_mixed + 6) * 2.0**-52
        self.findings = component.Findings.empty(self.roles * states.size, lengths)
        self.search = Search.over(states.size, counts.states, counts.actions, counts.outcomes)
        self.stop = np.zeros(1, np.bool_)
        self.room: tuple[int, ...] = (
            min(BATCH, counts.states),
            min(2 * BATCH, counts.actions),
            min(4 * BATCH, counts.outcomes),
        )
        self.batches = [Transitions.empty(*self.room) for _ in range(AHEAD)]
        self.ends = [np.empty(BATCH, np.int64) for _ in range(AHEAD)]
        self.scratch = component.Scratch.empty(self.roles, *self.room)

    def solve(self, roots: Sequence[Any], progress: Progress = silent, side_by_side: bool = True) -> None:
        """Fill in the findings of all states that play can reach from the roots.

        Args:
            roots: where play begins.
            progress: is told how far the work is.
            side_by_side: whether to use two threads; where other work keeps the other cores busy, one is better.

        Raises:
            SolveError: if a value cannot be proved.
        """
        explore_kernel = self.compiled.kernels[explore.explore]
        layout, bits, ranks, _ = self.states
        words = np.array([self.states.word(root) for root in roots], np.int64)
        done = turn = 0
        pending: list[Future[Any] | None] = [None] * AHEAD
        with ThreadPoolExecutor(1) as solver:
            try:
                while done < self.new:
                    self._check(pending[turn])
                    batch, ends = self.batches[turn], self.ends[turn]
                    how, count, *sizes = explore_kernel(
                        self.rules, layout, bits, ranks, words, self.search, batch, ends
                    )
                    if how == explore.TOO_LARGE:
                        self._make_room(turn, sizes)
                        continue
                    pending[turn] = solver.submit(self._solve_batch, batch, ends[:count], self.scratch)
                    if not side_by_side:
                        self._check(pending[turn])
                    done += sizes[0]
                    turn = (turn + 1) % AHEAD
                    progress("solving", done, self.new)
                for last in pending[turn:] + pending[:turn]:
                    self._check(last)
            except BaseException:
                self.stop[0] = True
                raise

    def _make_room(self, turn: int, sizes: Sequence[int]) -> None:
        """A batch and a scratch for a component of so many states, actions and outcomes, and for all before it."""
        self.room = tuple(map(max, self.room, sizes))
        self.batches[turn] = Transitions.empty(*self.room)
        self.scratch = component.Scratch.empty(self.roles, *self.room)

    def _solve_batch(self, batch: Transitions, ends: NDArray[np.int64], scratch: component.Scratch) -> Any:
        return engine()[component.solve_batch](
            batch, ends, self.policies, self.slack, scratch, self.findings, self.stop
        )

    def _check(self, pending: "Future[Any] | None") -> None:
        """Wait for a batch to be solved, and see that it was."""
        how, index = pending.result() if pending else (component.SOLVED, -1)
        if how != component.SOLVED:
            game = self.compiled.game
            state = game.module.State(*self.states.fields(index))
            raise SolveError(
                f"the value of {game.name} may depend on what an endless game counts: players can go on for ever "
                f"from {game.write(self.rules, state)}."
            )
