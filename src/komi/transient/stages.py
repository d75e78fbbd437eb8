"""The stages of a staged solve, for states whose roll graphs and transitions do not fit into memory, and its threads.

The rolls of one stage at a time are written as serialized programs (`komi.transient.programs`). The proof that play
ends is based on the lengths of `komi.transient.program_backup`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count as counting
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi import parallel
from komi.arrays import F64, I64
from komi.bellman import Acceleration, Objective, RationalSolver, rounding_error
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError
from komi.graph.reachability_kernel import DEFICIT_UNITS, ExplorationStatus
from komi.graph.staging import StagedOrder, handles_between
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.transient.on_demand import OnDemandRolls
from komi.transient.program_backup import SweepBuffers, keep_best, sweep_programs
from komi.transient.programs import ProgramSegment, write_programs
from komi.transient.violations import broken_roll
from komi.tuning import EXTRAPOLATION_PERIOD, SEGMENT_STATES, STALLED_SWEEPS
from komi.typing import Rules

MAX_SWEEPS = 10_000  # of one stage: a stage that has not converged then is refused
LONGEST = 1e5  # the longest play for which a certificate is attempted
MAX_EXTRAPOLATION = 50.0  # an extrapolation is limited to this multiple of the last increment
WRITTEN, CONVERGED = 0.1, 0.9  # progress of a stage when its programs are written, when its values have converged

Result = TypeVar("Result")


class Stages:
    """The stages of a game's states.

    Args:
        compiled, rules, states: the game.
        staged: the order of solving.
        objective: the objective of the values.
        rolls: buffers for enumerating the transient states of rolls.
        progress: called with the number of solved states and the kind of work, `task`.
        threads: a pool with one thread per core.

    Attributes:
        values, choices: of all states, by position.
        deficit: the largest difference between an action's sum of probabilities and 1, in the programs written so far.
        proving: the progress of a stage when the proof that play ends begins.
    """

    task = "solving"
    proving = CONVERGED

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Rules,
        states: StateSet,
        staged: StagedOrder,
        objective: Objective,
        rolls: OnDemandRolls,
        progress: Progress,
        threads: ThreadPoolExecutor,
    ) -> None:
        self._compiled, self._rules, self._states, self._staged = compiled, rules, states, staged
        self._objective, self._rolls = objective, rolls
        self._progress, self._threads = progress, threads
        self._workers = parallel.cores()
        self._stopped = False
        self.done = 0
        self.deficit = 0.0
        self.values = np.empty(states.size)
        self.choices = np.empty(states.size, np.int16)

    def backwards(self) -> list[tuple[int, int]]:
        """List (first position, one past the last) of each stage, the last stage first."""
        return list(zip([0, *self._staged.ends], self._staged.ends, strict=False))[::-1]

    def sweep_buffers(self) -> list[SweepBuffers]:
        """Allocate for each thread a buffer for the equations of one roll, after programs are written."""
        return [SweepBuffers.empty(self._rolls.max_size) for _ in range(self._workers)]

    def stop(self) -> None:
        """Stop all threads early."""
        self._stopped = True

    def write(self, first: int, end: int) -> tuple[list[ProgramSegment], int]:
        """Write the programs of a stage's states; return them, and the number of transient states."""
        handles = handles_between(self._states, self._staged.position, first, end)
        begins = range(first, end, SEGMENT_STATES)
        begun = counting(1)

        def write(index: int, worker: int) -> tuple[ProgramSegment, int]:
            begin = begins[index]
            last = min(begin + SEGMENT_STATES, end)
            segment, transient_states = self._segment(handles[begin - first : last - first], begin, first, worker)
            self.report(first, end, WRITTEN * next(begun) / len(begins))
            return segment, transient_states

        written = self.each(write, len(begins))
        return [segment for segment, _ in written], sum(count for _, count in written)

    def _segment(self, handles: I64, begin: int, lowest: int, worker: int) -> tuple[ProgramSegment, int]:
        while True:
            buffers = self._rolls.buffers[worker]
            buffers.constants[:] = np.nan
            status, height, transient_states = self._compiled.kernels[write_programs](
                self._rules,
                self._rolls.seats,
                self._compiled.game.action_limit,
                self._states,
                handles,
                (self._staged.position, lowest),
                self._objective.sign,
                buffers,
            )
            if status == ExplorationStatus.DONE:
                self.deficit = max(self.deficit, float(buffers.roll.outcomes.deficit[0]) / DEFICIT_UNITS)
                code, constants = buffers.code[:height].copy(), buffers.constants.copy()
                return ProgramSegment(begin, len(handles), code, constants), int(transient_states)
            if status == ExplorationStatus.BACKWARD:
                game = self._compiled.game
                state = game.write(self._rules, game.module.State(*map(int, buffers.witness[:-1])))
                raise GameError(f"{game.file.name}: 'stage' falls in what {state} leads to.", state)
            if status != ExplorationStatus.NO_ROOM:
                raise broken_roll(self._compiled, self._rules, status, buffers.witness)
            self._rolls.grow(worker)

    def prove_end(
        self, first: int, end: int, segments: list[ProgramSegment], buffers: list[SweepBuffers], change: float
    ) -> tuple[float, float]:
        """Prove that play ends, and reduce the programs to actions whose loss is small.

        Args:
            first, end: the stage.
            segments: its programs; replaced by the reduced ones.
            buffers: of the threads.
            change: the approximate largest change of a value in a backup.

        Returns:
            (the largest change of a value in a backup, rounding included; the largest expected number of equations of
            the stage that play passes): their product bounds the error of the stage's values, if those of its
            successors are exact.

        Raises:
            SolveError: if there is no proof.
        """
        objective = self._objective
        slack = rounding_error(objective, 2.0 * self.magnitude(self.values[first:end]))
        max_loss = 2.5 * (2.0 * change + 8.0 * slack) * LONGEST

        def keep(index: int, worker: int) -> tuple[float, float]:
            segment = segments[index]
            kept = np.empty_like(segment.code)
            height, residual, magnitude = engine_kernels()[keep_best](
                segment, objective.is_zero_sum, self.values, buffers[worker], max_loss, kept, self.choices
            )
            segments[index] = segment._replace(code=kept[:height].copy())
            return residual, magnitude

        found = self.each(keep, len(segments))
        residual, magnitude = (max(each) for each in zip(*found, strict=True))
        if not (residual < np.inf and magnitude < np.inf):  # a value was never set
            raise self.refusal(first, end)
        slack = rounding_error(objective, 2.0 * magnitude)
        distance = residual + 4.0 * slack
        all_lengths = np.zeros(self._states.size)  # only the pages of the stage are written
        lengths = all_lengths[first:end]
        before, last_growth = np.zeros(end - first, np.float32), 0.0
        self.report(first, end, self.proving)
        for round_ in range(MAX_SWEEPS):
            growth, largest = self._lengthen(segments, all_lengths, buffers, write=True)
            if 2.5 * distance * largest > max_loss:
                break
            if growth <= 0.25:
                growth, largest = self._lengthen(segments, all_lengths, buffers, write=False)
                short = growth + 4.0 * slack * largest
                if short <= 0.5 and 2.5 * distance * largest <= max_loss:
                    return float(distance), float(max(largest, 1.0) / (1.0 - short))
            if round_ % EXTRAPOLATION_PERIOD == EXTRAPOLATION_PERIOD - 1:
                ratio = growth / last_growth if last_growth else 1.0
                factor = min(ratio / (1.0 - ratio), MAX_EXTRAPOLATION) if ratio < 1.0 else MAX_EXTRAPOLATION
                lengths += np.float32(factor) * np.maximum(lengths - before, 0.0)
            last_growth = growth
            before[:] = lengths
        raise self.refusal(first, end)

    def refusal(self, first: int, end: int) -> SolveError:
        """Return the error that there is no proof of a stage."""
        members = np.flatnonzero((first <= self._staged.position) & (self._staged.position < end))
        return RationalSolver(self._compiled, self._rules, self._states).refusal(members)

    def _lengthen(
        self, segments: list[ProgramSegment], lengths: F64, buffers: list[SweepBuffers], write: bool
    ) -> tuple[float, float]:
        """Sweep lengths of play; return the largest increase, and the largest length."""

        def lengthen(index: int, worker: int) -> tuple[float, float]:
            segment, zeros = segments[index], np.zeros_like(segments[index].constants)
            growth, _, largest = engine_kernels()[sweep_programs](
                segment, False, 1.0, zeros, lengths, buffers[worker], write
            )
            return growth, largest

        found = self.each(lengthen, len(segments))
        return max(growth for growth, _ in found), max(largest for _, largest in found)

    def sweep(self, segments: list[ProgramSegment], buffers: list[SweepBuffers], write: bool = True) -> float:
        """Back up the values of a stage's states; return the largest change."""

        def sweep(index: int, worker: int) -> float:
            segment, is_zero_sum = segments[index], self._objective.is_zero_sum
            increase, decrease, _ = engine_kernels()[sweep_programs](
                segment, is_zero_sum, 0.0, segment.constants, self.values, buffers[worker], write
            )
            return float(max(increase, decrease))

        return max(self.each(sweep, len(segments)))

    def converge(
        self,
        first: int,
        end: int,
        values: F64,
        limits: tuple[float, float],
        sweep: Callable[[], tuple[float, float]],
        max_ratio: float,
    ) -> float | None:
        """Sweep the values of a stage, with Anderson acceleration, until they converge.

        Args:
            first, end: the stage.
            values: its values, which `sweep` updates.
            limits: the lowest and the highest value.
            sweep: perform a sweep; return the largest change, and the change that is only rounding.
            max_ratio: of these two, up to which values that no longer improve count as converged.

        Returns:
            The largest change in the last sweep; None if values did not converge.
        """
        acceleration = Acceleration(values, *limits)
        best, best_round, progress = np.inf, 0, 0.0
        for round_ in range(MAX_SWEEPS):
            change, target = sweep()
            if change < best:
                best, best_round = change, round_
            if change <= target or (round_ - best_round >= STALLED_SWEEPS and change < max_ratio * target):
                return change
            progress = max(progress, float(np.log(min(change, 0.5)) / np.log(min(target, 0.25))))
            self.report(first, end, WRITTEN + (CONVERGED - WRITTEN) * progress, f"{change:.0e}")
            if change > 2.0 * best:
                acceleration.reset()
            else:
                acceleration.extrapolate(lambda work: self.ranges(work, len(values)))
        return None

    def magnitude(self, values: NDArray[np.float64]) -> float:
        """Compute the largest magnitude of the values."""
        return 1.0 if self._objective.is_zero_sum else float(max(values.max(), -values.min()))

    def report(self, first: int, end: int, share: float, note: str = "") -> None:
        """Report the progress of a stage, as a share of its work."""
        self._progress(self.task, self.done + int(share * (end - first)), self._states.size, note)

    def ranges(self, work: Callable[[int, int, int], Result], size: int) -> list[Result]:
        """Split `size` values into ranges and process them on all threads; list the results."""
        step = max(-(-size // self._workers), 1)
        begins = range(0, size, step)
        return self.each(
            lambda index, worker: work(begins[index], min(begins[index] + step, size), worker), len(begins)
        )

    def each(self, work: Callable[[int, int], Result], number: int) -> list[Result]:
        """Process pieces of work on all threads, each taking the next unstarted piece; list the results."""
        results: list[Any] = [None] * number
        following = counting()

        def take(worker: int) -> None:
            for index in following:
                if index >= number or self._stopped:
                    return
                results[index] = work(index, worker)

        for future in [self._threads.submit(take, worker) for worker in range(self._workers)]:
            future.result()
        return results
