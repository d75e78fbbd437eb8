"""Expected lengths of optimal play in games that are solved stage by stage, in each of `bellman.MEASURES`.

With the best actions under the computed values, the first one of a tie, a game is a Markov chain. A measure of it
solves

    L(s) = counted(s) + sum p L(s')

for the states of a stage and the equations inside their rolls, stage by stage, the last first, by sweeps over the
programs of the best actions (`komi.transient.program_backup`).

**The proof**: let a backup change every L by at most r, with a rounding error of at most sigma, and let play pass at
most A equations of the stage in expectation, whatever best actions it takes (`Stages.prove_end`). Then the error of
every L is at most (r + sigma) A, plus that of the lengths of successor stages.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from komi import parallel
from komi.arrays import F64, U32
from komi.bellman import ACTIONS, CHANCE_MOVES, MAX_LENGTH, MEASURES, TURNS, Objective, largest_or_inf
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph import limits
from komi.graph.staging import stage_states
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.transient.on_demand import OnDemandRolls
from komi.transient.program_backup import term_value
from komi.transient.programs import CHANCE_NODE, NODE_TERM, OTHERS, STORED_TERM, ProgramSegment
from komi.transient.stages import WRITTEN, Stages
from komi.typing import Rules

PROBABILITY_UNITS = 4.0  # the error of a probability, in units in the last place


class StagedLengths(NamedTuple):
    """The expected lengths from the start.

    Attributes:
        lengths: [measures], in the order of `MEASURES`; the last turn is not counted.
        bound: the error bound of every length.
    """

    lengths: F64
    bound: float


def find_staged_lengths(
    compiled: CompiledGame,
    rules: Rules,
    start: Any,
    states: StateSet,
    values: F64,
    max_outcomes: int,
    progress: Progress = silent,
) -> StagedLengths:
    """Compute the expected length of optimal two-player play from the start.

    Args:
        compiled, rules: a game that defines a `stage`.
        start: its initial state.
        states: all reachable states before a roll.
        values: [states], their values.
        max_outcomes: the largest number of outcomes of an action.
        progress: called with the number of solved states.

    Raises:
        SolveError: if there is no proof that play ends, or not enough memory.
    """
    limits.check_staged_memory(compiled.game, states.size)
    staged = stage_states(compiled, rules, states)
    objective = Objective(True, 1.0, 0.0, 1.0, _slack(max_outcomes, 0.0))
    rolls = OnDemandRolls(compiled, rules, parallel.cores())
    with ThreadPoolExecutor(parallel.cores()) as threads:
        work = _LengthStages(compiled, rules, states, staged, objective, rolls, progress, threads)
        work.values[staged.position] = values
        try:
            bound = work.run(max_outcomes)
        finally:
            work.stop()
    return StagedLengths(work.lengths[staged.position[states.index_of(start)]].copy(), bound)


def _slack(max_outcomes: int, deficit: float) -> float:
    """Bound the rounding error of one backup of terms that sum to at most 2; see `bellman.rounding_slack`."""
    units = max_outcomes + 2.0 + PROBABILITY_UNITS
    return (units + 2.0) * 2.0**-52 + (deficit if deficit > units * 2.0**-52 else 0.0)


def _length_slack(max_outcomes: int, deficit: float) -> float:
    """Bound the rounding error of one backup of lengths, relative to the largest length.

    Lengths are not negative, so partial sums never exceed the largest. Turns are added one by one, too.
    """
    return _slack(2 * max_outcomes, deficit)


class LengthBuffers(NamedTuple):
    """Buffers for the equations of one roll."""

    node_value: F64  # [nodes]
    node_lengths: F64  # [nodes, measures]


class _LengthStages(Stages):
    """The staged computation of expected lengths.

    Attributes:
        lengths: float64[states, measures], by position.
    """

    task = "measuring"
    proving = WRITTEN

    def run(self, max_outcomes: int) -> float:
        """Compute lengths stage after stage; return a bound on all errors.

        Args:
            max_outcomes: the largest number of outcomes of an action.
        """
        self.lengths = np.zeros((self._states.size, len(MEASURES)))
        bound = 0.0
        for first, end in self.backwards():
            segments, _ = self.write(first, end)
            self._objective = self._objective._replace(slack=_slack(max_outcomes, self.deficit))
            buffers = self.sweep_buffers()
            _, longest = self.prove_end(first, end, segments, buffers, self.sweep(segments, buffers))
            lengths = [
                LengthBuffers(each.node_value, np.empty((len(each.node_value), len(MEASURES)))) for each in buffers
            ]
            change, largest = self._converge(first, end, segments, lengths)
            rounding_error = _length_slack(max_outcomes, self.deficit) * (largest + 1.0)
            bound = float(np.nextafter(bound + (change + rounding_error) * longest, np.inf))
            self.done += end - first
            self._progress(self.task, self.done, self._states.size)
        return bound

    def _converge(
        self, first: int, end: int, segments: list[ProgramSegment], buffers: list[LengthBuffers]
    ) -> tuple[float, float]:
        """Sweep the lengths until they converge; return the largest change in a backup, and the largest length."""

        def sweep() -> tuple[float, float]:
            change, largest = self._sweep_lengths(segments, buffers, write=True)
            return change, 2.0**-50 * (largest + 1.0)

        lengths = self.lengths[first:end].reshape(-1)
        if self.converge(first, end, lengths, (0.0, MAX_LENGTH), sweep, np.inf) is None:
            raise SolveError(
                f"how long {self._compiled.game.name} lasts cannot be found: optimal play takes too long. "
                f"Choose smaller rules, or let 'komi simulate' estimate it."
            )
        change, largest = self._sweep_lengths(segments, buffers, write=False)
        if not change < np.inf:
            raise self.refusal(first, end)
        return change, largest

    def _sweep_lengths(
        self, segments: list[ProgramSegment], buffers: list[LengthBuffers], write: bool
    ) -> tuple[float, float]:
        def sweep(index: int, worker: int) -> tuple[float, float]:
            kernel = engine_kernels()[sweep_measures]
            return kernel(segments[index], self.values, self.lengths, buffers[worker], write)  # type: ignore[no-any-return]

        found = self.each(sweep, len(segments))
        return max(change for change, _ in found), max(largest for _, largest in found)


def sweep_measures(segment: ProgramSegment, values: F64, lengths: F64, buffers: LengthBuffers, write: bool) -> Any:
    """Back up the lengths of a segment's states in a two-player game in which both take the first best action.

    Args:
        segment: the programs.
        values: [all stored states], by position.
        lengths: [all stored states, measures], by position.
        buffers: for one roll.
        write: whether to write the lengths back.

    Returns:
        (the largest change of a length, the largest length, also inside a roll)
    """
    first, count, code, constants = segment
    node_value, node_lengths = buffers
    measures = node_lengths.shape[1]
    change = largest = 0.0
    at = 0
    for position in range(first, first + count):
        nodes = np.int64(code[at])
        at += 1
        last: Any = np.int64(0)
        actions: Any = np.int64(0)
        for node in range(nodes):
            header = np.int64(code[at])
            certain, others = header >> 16, header & OTHERS
            actions = certain + others
            at += 1
            best = -np.inf
            chosen: Any = np.int64(0)
            terms: Any = np.int64(0)
            for _ in range(certain):
                value = term_value(code, at, True, values, node_value, constants)
                if value > best:
                    best, chosen, terms = value, at, np.int64(0)
                at += 1
            for _ in range(others):
                total = 0.0
                begun, listed = at + 1, np.int64(code[at])
                at += 1
                for _ in range(listed):
                    total += constants[code[at]] * term_value(code, at + 1, True, values, node_value, constants)
                    at += 2
                if total > best:
                    best, chosen, terms = total, begun, listed
            node_value[node] = best
            for measure in range(measures):
                node_lengths[node, measure] = 0.0
            node_lengths[node, CHANCE_MOVES if header & CHANCE_NODE else ACTIONS] = 1.0
            if terms == 0:
                _add_term(code, chosen, 1.0, lengths, node_lengths, node)
            for term in range(chosen, chosen + 2 * terms, 2):
                _add_term(code, term + 1, constants[code[term]], lengths, node_lengths, node)
            for measure in range(measures):
                largest = max(largest, node_lengths[node, measure])
            last = node
        at += actions
        for measure in range(measures):
            length = node_lengths[last, measure]
            change = largest_or_inf(change, abs(length - lengths[position, measure]))
            if write:
                lengths[position, measure] = length
    return change, largest


def _add_term(code: U32, at: int, weight: float, lengths: F64, node_lengths: F64, node: int) -> None:
    """Add the lengths after a term to those of an equation."""
    term = np.int64(code[at])
    index, kind = term >> 3, term >> 1 & 3
    for measure in range(node_lengths.shape[1]):
        if kind == STORED_TERM:
            node_lengths[node, measure] += weight * lengths[index, measure]
        elif kind == NODE_TERM:
            node_lengths[node, measure] += weight * node_lengths[index, measure]
    if term & 1:
        node_lengths[node, TURNS] += weight
