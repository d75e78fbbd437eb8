"""Races of two players with chance and cycles: optimal values of all states that play can reach.

A survey finds the states, an exploration hands over their strongly connected components with what
follows first, and each is solved when its turn comes. The exploration of the next components and the
solution of those before them run side by side, on two cores.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.kernels import engine
from komi.compile.packing import Layout
from komi.errors import GameError, SolveError
from komi.progress import Progress, silent
from komi.solver import component, explore, survey
from komi.solver.explore import Search, Transitions
from komi.solver.states import StateSet

MOST_STATES = 200_000_000
MOST_BITS = 36  # of a packed state: the set of all states found is a bit array of this many bits
SURVEY_STEPS = 1 << 19  # states between two looks at the clock and the keyboard
BATCH = 1 << 15  # states handed over at once, unless one component has more


@dataclass(frozen=True)
class Values:
    """What each of a set of states is worth to the player to move.

    Attributes:
        states: the states, none of them over.
        values: float64[states], the mover's probability of winning, a shared win counting half.
        error_bound: at most so far is any of them from the truth, by the proof in `component`.
        most_outcomes: of any one action.
    """

    states: StateSet
    values: NDArray[np.float64]
    error_bound: float
    most_outcomes: int


def solve_race(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: Values | None = None,
    progress: Progress = silent,
) -> Values:
    """Optimal values of all states that play can reach from the roots, besides those already known.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    states, totals = survey_states(compiled, rules, roots, known.states if known else None, progress)
    most_outcomes = max(int(totals[3]), known.most_outcomes if known else 0)
    work = _Work(compiled, rules, states, totals, most_outcomes)
    if known:
        old = states.indices_of(known.states.relaid(states.layout))
        work.values[old] = known.values
        work.bounds[old] = known.error_bound
        work.search.place[old] = -1
    work.solve(roots, progress)
    return Values(states, work.values, float(work.bounds.max(initial=0.0)), most_outcomes)


def survey_states(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: StateSet | None = None,
    progress: Progress = silent,
) -> tuple[StateSet, NDArray[np.int64]]:
    """The set of states that play can reach, and the known ones.

    Returns:
        the states, and int64[4]: new states, their actions, their outcomes, most outcomes of one action.
    """
    game = compiled.game
    for root in roots:
        if game.part("over")(rules, root):
            raise GameError(f"{game.name} is over before it begins: {game.write(rules, root)}.")
        if not game.possible(rules, root):
            raise GameError(f"{game.name} begins in a state that its own rules do not allow: {game.write(rules, root)}.")
    fields = len(game.module.State._fields)
    layout = known.layout if known else Layout.of([0] * fields, [1] * fields)
    for root in roots:
        layout = layout.widened(root)
    while True:
        _check_size(compiled, rules, layout, roots[0])
        states = known.relaid(layout) if known else StateSet.empty(layout)
        outside, totals = _survey(compiled, rules, states, roots, progress)
        if outside is None:
            return StateSet.of(layout, states.bits), totals
        layout = layout.widened(outside)


def _survey(
    compiled: CompiledGame, rules: Any, states: StateSet, roots: Sequence[Any], progress: Progress
) -> tuple[Any, NDArray[np.int64]]:
    """Add to the set what can be reached. Returns a state that does not fit its layout, if there is one."""
    kernel = compiled.kernels[survey.survey]
    bits = states.bits
    stack = np.empty(1 << 16, np.int64)
    height = 0
    for word in {states.word(root) for root in roots}:
        if not int(bits[word >> 6]) >> (word & 63) & 1:
            bits[word >> 6] |= np.uint64(1 << (word & 63))
            stack[height] = word
            height += 1
    totals = np.zeros(4, np.int64)
    witness = np.zeros(len(states.layout.lows) + 1, np.int64)
    while True:
        reason, height = kernel(rules, states.layout, bits, stack, height, SURVEY_STEPS, totals, witness)
        progress("finding states", int(totals[0]), 0)
        if reason == survey.DONE:
            return None, totals
        if reason == survey.CROWDED:
            stack = np.concatenate((stack, np.empty_like(stack)))
        elif reason == survey.OUTSIDE:
            return compiled.game.module.State(*map(int, witness[:-1])), totals
        elif reason != survey.PAUSED:
            raise _broken(compiled, rules, reason, witness)
        if totals[0] > MOST_STATES:
            state = compiled.game.module.State(*states.layout.fields(int(stack[height - 1])))
            raise SolveError(
                f"{compiled.game.name} has more than {MOST_STATES:,} states: does a field grow without end, "
                f"as in {compiled.game.write(rules, state)}?"
            )


def _check_size(compiled: CompiledGame, rules: Any, layout: Layout, state: Any) -> None:
    if sum(layout.bits) > MOST_BITS:
        widest = max(range(len(layout.bits)), key=lambda i: layout.bits[i])
        name = compiled.game.module.State._fields[widest]
        low, high = layout.lows[widest], layout.lows[widest] + layout.masks[widest]
        raise SolveError(
            f"{compiled.game.name} has too many states to store: do all fields have an end? "
            f"{name!r} goes beyond {low if low < 0 else high // 2}."
        )


def _broken(compiled: CompiledGame, rules: Any, reason: int, witness: NDArray[np.int64]) -> GameError:
    """What the survey has found wrong with the rules."""
    game = compiled.game
    state = game.module.State(*map(int, witness[:-1]))
    action = int(witness[-1])
    name = game.label(rules, state, action) if action >= 0 else ""
    what = {
        survey.IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        survey.DEAD_END: "there is no legal action, and the game is not over",
        survey.PROBABILITY: f"the probabilities of {name!r} do not sum to 1",
        survey.PAYOFF: "the payoff is not from 0 to 1",
        survey.PASSES: f"{name!r} passes the turn on by a negative number of seats",
    }[reason]
    written = game.write(rules, state)
    return GameError(f"{game.file.name}: {what} in {written}.", written)


class _Work:
    """Room for solving a set of states, and how far that is."""

    def __init__(
        self, compiled: CompiledGame, rules: Any, states: StateSet, totals: NDArray[np.int64], most_outcomes: int
    ) -> None:
        new, actions, outcomes = (int(total) for total in totals[:3])
        self.compiled, self.rules, self.states, self.new = compiled, rules, states, new
        # a backup sums so many terms, in all at most 2, each with a probability right to 4 units in its last
        # place: what it can lose by rounding
        self.slack = (most_outcomes + 6) * component.ROUNDING
        self.values = np.empty(states.size, np.float64)
        self.bounds = np.zeros(states.size, np.float32)
        self.search = Search.over(states.size, new, actions, outcomes)
        self.place = np.zeros(states.size, np.int32)
        self.stop = np.zeros(1, np.bool_)
        size = min(BATCH, new), min(2 * BATCH, actions), min(4 * BATCH, outcomes)
        self.batches = [Transitions.empty(*size), Transitions.empty(*size)]
        self.ends = [np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)]
        self.scratch = component.Scratch.empty(self.place, *size)

    def solve(self, roots: Sequence[Any], progress: Progress) -> None:
        explore_kernel = self.compiled.kernels[explore.explore]
        layout, bits, ranks, _ = self.states
        words = np.array([self.states.word(root) for root in roots], np.int64)
        done = turn = 0
        pending: Future[Any] | None = None
        with ThreadPoolExecutor(1) as solver:
            try:
                while done < self.new:
                    batch, ends = self.batches[turn], self.ends[turn]
                    how, count, *sizes = explore_kernel(
                        self.rules, layout, bits, ranks, words, self.search, batch, ends
                    )
                    self._check(pending)
                    if how == explore.TOO_LARGE:
                        self.batches[turn] = Transitions.empty(*sizes)
                        self.scratch = component.Scratch.empty(self.place, *sizes)
                        continue
                    pending = solver.submit(self._solve_batch, batch, ends[:count])
                    done += sizes[0]
                    turn = 1 - turn
                    progress("solving", done, self.new)
                self._check(pending)
            except BaseException:
                self.stop[0] = True
                raise

    def _solve_batch(self, batch: Transitions, ends: NDArray[np.int64]) -> Any:
        return engine()[component.solve_batch](
            batch, ends, self.slack, self.scratch, self.values, self.bounds, self.stop
        )

    def _check(self, pending: "Future[Any] | None") -> None:
        """Wait for a batch to be solved, and see that it was."""
        how, index = pending.result() if pending else (component.SOLVED, -1)
        if how != component.SOLVED:
            raise SolveError(
                f"the value of {self.compiled.game.name} may depend on what an endless game counts: players can "
                f"go on for ever from {self._written(index)}."
            )

    def _written(self, index: int) -> str:
        block = int(np.searchsorted(self.states.ranks, index, side="right")) - 1
        left = int(self.states.bits[block])
        for _ in range(index - int(self.states.ranks[block])):
            left &= left - 1
        word = (block << 6) + (left & -left).bit_length() - 1
        game = self.compiled.game
        return game.write(self.rules, game.module.State(*self.states.layout.fields(word)))
