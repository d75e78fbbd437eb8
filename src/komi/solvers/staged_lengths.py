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
from numpy.typing import NDArray

from komi import parallel
from komi.bellman import ACTIONS, CHANCE_MOVES, MAX_LENGTH, MEASURES, TURNS, Acceleration, Objective
from komi.errors import SolveError
from komi.graph import limits
from komi.graph.staging import stage_states
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.solvers.optimal_values import Values
from komi.transient.on_demand import Unrolled
from komi.transient.program_backup import sweep_values, worth_of
from komi.transient.programs import CHANCE_ROW, INSIDE, OTHERS, STORED, Segment
from komi.transient.stages import MAX_SWEEPS, PATIENCE, SETTLED, WRITTEN, Stages

PROBABILITY_UNITS = 4.0  # the error of a probability, in units in the last place


class SweptLengths(NamedTuple):
    """The expected lengths from the start.

    Attributes:
        lengths: float64[measures], in the order of `MEASURES`; the last turn is not counted.
        bound: the error bound of every length.
    """

    lengths: NDArray[np.float64]
    bound: float


def find_swept_lengths(
    compiled: CompiledGame, rules: Any, start: Any, values: Values, progress: Progress = silent
) -> SweptLengths:
    """Compute the expected length of optimal two-player play from the start.

    Args:
        compiled, rules: a game that defines a `stage`.
        start: its initial state.
        values: of all reachable states before a roll, with two players.
        progress: called with the number of solved states.

    Raises:
        SolveError: if there is no proof that play ends, or not enough memory.
    """
    limits.check_staged_memory(compiled.game, values.states.size)
    staged = stage_states(compiled, rules, values.states)
    objective = Objective(True, 1.0, 0.0, 1.0, _slack(values.max_outcomes, 0.0))
    unrolled = Unrolled(compiled, rules, parallel.cores())
    with ThreadPoolExecutor(parallel.cores()) as threads:
        work = _Measuring(compiled, rules, values.states, staged, objective, unrolled, progress, threads)
        work.values[staged.position] = values.values
        try:
            bound = work.run(values.max_outcomes)
        finally:
            work.stop()
    return SweptLengths(work.lengths[staged.position[values.states.index_of(start)]].copy(), bound)


def _slack(max_outcomes: int, deficit: float) -> float:
    """Bound the rounding error of one backup of terms that sum to at most 2; see `bellman.rounding_slack`."""
    units = max_outcomes + 2.0 + PROBABILITY_UNITS
    return (units + 2.0) * 2.0**-52 + (deficit if deficit > units * 2.0**-52 else 0.0)


def _length_slack(max_outcomes: int, deficit: float) -> float:
    """Bound the rounding error of one backup of lengths, relative to the largest length.

    Lengths are not negative, so partial sums never exceed the largest. Turns are added one by one, too.
    """
    return _slack(2 * max_outcomes, deficit)


class _Measuring(Stages):
    """The staged computation of expected lengths.

    Attributes:
        lengths: float64[states, measures], by position.
    """

    task = "measuring"
    proving = WRITTEN

    def run(self, max_outcomes: int) -> float:
        """Compute lengths stage after stage; return a bound on all errors.

        Args:
            most_outcomes: the largest number of outcomes of an action.
        """
        self.lengths = np.zeros((self._states.size, len(MEASURES)))
        bound = 0.0
        for first, end in self.backwards():
            segments, _ = self.write(first, end)
            self._objective = self._objective._replace(slack=_slack(max_outcomes, self.deficit))
            rooms = self.rooms()
            _, longest = self.prove_end(first, end, segments, rooms, self._residual(segments, rooms))
            within = [np.empty((room.shape[1], len(MEASURES))) for room in rooms]
            change, largest = self._settle(first, end, segments, list(zip(rooms, within, strict=True)))
            rounding_error = _length_slack(max_outcomes, self.deficit) * (largest + 1.0)
            bound = float(np.nextafter(bound + (change + rounding_error) * longest, np.inf))
            self.done += end - first
            self._progress(self.task, self.done, self._states.size)
        return bound

    def _residual(self, segments: list[Segment], rooms: list[NDArray[np.float64]]) -> float:
        """Compute the largest change of a value in one more backup."""

        def sweep(index: int, worker: int) -> float:
            return float(engine_kernels()[sweep_values](segments[index], True, self.values, rooms[worker]))

        return max(self.each(sweep, len(segments)))

    def _settle(self, first: int, end: int, segments: list[Segment], rooms: Any) -> tuple[float, float]:
        """Sweep the lengths until they converge; return the largest change in a backup, and the largest length."""
        lengths = self.lengths[first:end].reshape(-1)
        acceleration = Acceleration(lengths, 0.0, MAX_LENGTH)
        best, best_in, farthest = np.inf, 0, 0.0
        for round_ in range(MAX_SWEEPS):
            change, largest = self._sweep(segments, rooms, write=True)
            aim = 2.0**-50 * (largest + 1.0)
            if change < best:
                best, best_in = change, round_
            if change <= aim or round_ - best_in >= PATIENCE:
                return self._sweep(segments, rooms, write=False)
            farthest = max(farthest, float(np.log(min(change / largest, 0.5)) / np.log(2.0**-50)))
            self.tell(first, end, WRITTEN + (SETTLED - WRITTEN) * farthest, f"{change:.0e}")
            if change > 2.0 * best:
                acceleration.forget()
            else:
                acceleration.go_on(lambda work: self.ranges(work, len(lengths)))
        raise SolveError(
            f"how long {self._compiled.game.name} lasts cannot be found: optimal play goes on for too long. "
            f"Choose smaller rules, or let 'komi simulate' estimate it."
        )

    def _sweep(self, segments: list[Segment], rooms: Any, write: bool) -> tuple[float, float]:
        def sweep(index: int, worker: int) -> tuple[float, float]:
            room, within = rooms[worker]
            kernel = engine_kernels()[sweep_measures]
            return kernel(segments[index], self.values, self.lengths, room, within, write)  # type: ignore[no-any-return]

        found = self.each(sweep, len(segments))
        return max(change for change, _ in found), max(largest for _, largest in found)


def sweep_measures(segment: Any, values: Any, lengths: Any, room: Any, within: Any, write: bool) -> Any:
    """Back up the lengths of a segment's states in a two-player game in which both take the first best action.

    Args:
        segment: a `programs.Segment`.
        values: float64[all stored states], by position.
        lengths: float64[all stored states, measures], by position.
        room: float64[2, rows], a buffer for the values of the equations of one roll.
        within: float64[rows, measures], a buffer for their lengths.
        write: whether to write the lengths back.

    Returns:
        (the largest change of a length, the largest length, also inside a roll)
    """
    first, count, words, numbers = segment
    inside = room[0]
    change = largest = 0.0
    at = 0
    for position in range(first, first + count):
        rows = np.int64(words[at])
        at += 1
        last: Any = np.int64(0)
        for row in range(rows):
            header = np.int64(words[at])
            plain, others = header >> 16, header & OTHERS
            at += 1
            best = -np.inf
            chosen: Any = np.int64(0)
            terms: Any = np.int64(0)
            for _ in range(plain):
                worth = worth_of(words, at, True, values, inside, numbers)
                if worth > best:
                    best, chosen, terms = worth, at, np.int64(0)
                at += 1
            for _ in range(others):
                total = 0.0
                begun, listed = at + 1, np.int64(words[at])
                at += 1
                for _ in range(listed):
                    total += numbers[words[at]] * worth_of(words, at + 1, True, values, inside, numbers)
                    at += 2
                if total > best:
                    best, chosen, terms = total, begun, listed
            inside[row] = best
            for measure in range(within.shape[1]):
                within[row, measure] = 0.0
            within[row, CHANCE_MOVES if header & CHANCE_ROW else ACTIONS] = 1.0
            if terms == 0:
                _add_term(words, chosen, 1.0, lengths, within, row)
            for term in range(chosen, chosen + 2 * terms, 2):
                _add_term(words, term + 1, numbers[words[term]], lengths, within, row)
            for measure in range(within.shape[1]):
                largest = max(largest, within[row, measure])
            last = row
        at += 1
        for measure in range(within.shape[1]):
            length = within[last, measure]
            change = max(change, abs(length - lengths[position, measure]))
            if write:
                lengths[position, measure] = length
    return change, largest


def _add_term(words: Any, at: int, weight: float, lengths: Any, within: Any, row: int) -> None:
    """Add the lengths after a term to those of an equation."""
    term = np.int64(words[at])
    there, kind = term >> 3, term >> 1 & 3
    if kind == STORED:
        for measure in range(within.shape[1]):
            within[row, measure] += weight * lengths[there, measure]
    elif kind == INSIDE:
        for measure in range(within.shape[1]):
            within[row, measure] += weight * within[there, measure]
    if term & 1:
        within[row, TURNS] += weight
