"""Staged value iteration, for states before a roll whose roll graphs and transitions do not fit into memory.

States are solved stage by stage (`komi.graph.staging`), the last stage first: all states of a stage together, whether
or not they lead to each other. Their rolls are written as programs (`komi.transient.programs`), swept by all cores
until the values converge, and certified (`komi.transient.program_backup`). Only one stage has programs at a time.
Solved stages are stored in a checkpoint, and the values of the current stage every minute.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi import parallel
from komi.bellman import Acceleration, Objective, rounding_error, rounding_slack
from komi.errors import SolveError, StorageError
from komi.graph.checkpoint import Checkpoint
from komi.graph.reachability import find_reachable
from komi.graph.staging import stage_states
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.transient.on_demand import Unrolled
from komi.transient.program_backup import sweep_values
from komi.transient.programs import MAX_POSITIONS, Segment
from komi.transient.stages import MAX_SWEEPS, PATIENCE, SETTLED, WRITTEN, Stages

KEPT_EVERY = 60.0  # seconds


class Swept(NamedTuple):
    """The result of a staged solve.

    Attributes:
        states: the states before a roll.
        values: float64[states], by index, times the objective's sign.
        choices: int16[states], an optimal action.
        bound: the error bound of every value.
        most_outcomes: the largest number of outcomes of an action.
        rows: the number of enumerated transient states.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    bound: float
    max_outcomes: int
    rows: int


def sweep_states(
    compiled: CompiledGame,
    rules: Any,
    roots: Any,
    objective: Objective,
    checkpoint: Checkpoint,
    progress: Progress = silent,
) -> Swept:
    """Solve all states that are reachable from the roots, resuming from a checkpoint if there is one.

    Args:
        compiled, rules, roots: the game.
        objective: what the players optimize.
        checkpoint: the store of solved stages.
        progress: called with the number of solved states.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    unrolled = Unrolled(compiled, rules, parallel.cores())
    kept = checkpoint.load_states()
    if kept is None:
        states, counts = find_reachable(unrolled, roots, progress=progress)
        try:
            checkpoint.keep_states(counts._asdict(), states)
        except StorageError as error:
            compiled.kernels.notice(f"going on without a checkpoint: {error}")
    else:
        compiled.kernels.notice("going on with a solve that was interrupted")
        states, counts = kept[1], GraphCounts(**kept[0])
    if states.size > MAX_POSITIONS:
        raise SolveError(f"{compiled.game.name} has {states.size:,} states before a roll, more than can be solved.")
    slack = rounding_slack(counts._replace(max_outcomes=counts.max_outcomes + 2), mixing=False)
    objective = objective._replace(slack=slack)
    staged = stage_states(compiled, rules, states)
    with ThreadPoolExecutor(parallel.cores()) as threads:
        work = _Solving(checkpoint, compiled, rules, states, staged, objective, unrolled, progress, threads)
        try:
            bound = work.run()
        except KeyboardInterrupt:
            compiled.kernels.notice("stopped; what is solved is kept, and the same command goes on from there")
            raise
        finally:
            work.stop()
    values = np.take(work.values, staged.position)
    choices = np.take(work.choices, staged.position)
    return Swept(states, values, choices, bound, counts.max_outcomes, work.rows)


class _Solving(Stages):
    """The staged computation of values.

    Attributes:
        rows: the number of enumerated transient states.
    """

    def __init__(self, checkpoint: Checkpoint, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._checkpoint = checkpoint
        self._is_unkept = False
        self.rows = 0

    def run(self) -> float:
        """Solve stage after stage; return a bound on the error of all values."""
        bound = 0.0
        for first, end in self.backwards():
            name = f"solved-{first}"
            found = self._checkpoint.load(name)
            if found is None:
                bound, rows = self._solve(first, end, bound)
                values, choices = self.values[first:end], self.choices[first:end]
                self._keep(name, {"bound": bound, "rows": rows}, values=values, choices=choices)
                self._checkpoint.drop(f"begun-{first}")
            else:
                facts, arrays = found
                bound, rows = facts["bound"], facts["rows"]
                self.values[first:end], self.choices[first:end] = arrays["values"], arrays["choices"]
            self.rows += rows
            self.done += end - first
            self._progress(self.task, self.done, self._states.size)
        return bound

    def _keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Store something in the checkpoint; if that fails, the solve continues without it."""
        try:
            self._checkpoint.keep(name, facts, **arrays)
        except StorageError as error:
            if not self._is_unkept:
                self._compiled.kernels.notice(f"going on without a checkpoint: {error}")
            self._is_unkept = True

    def _solve(self, first: int, end: int, exits_bound: float) -> tuple[float, int]:
        """Solve a stage; return a bound on the error of its values, and the number of its transient states."""
        segments, rows = self.write(first, end)
        begun = self._checkpoint.load(f"begun-{first}")
        self.values[first:end] = begun[1]["values"] if begun else 0.5 if self._objective.is_zero_sum else 0.0
        rooms = self.rooms()
        try:
            settled = self._settle(first, end, segments, rooms)
            distance, longest = self.prove_end(first, end, segments, rooms, settled)
            bound = exits_bound + distance * longest
        except KeyboardInterrupt:
            self.stop()
            self._keep(f"begun-{first}", {}, values=self.values[first:end])
            raise
        return float(np.nextafter(bound, np.inf)), rows

    def _settle(self, first: int, end: int, segments: list[Segment], rooms: Any) -> float:
        """Sweep values until they converge; return the largest change in the last sweep."""
        objective = self._objective
        values = self.values[first:end]
        acceleration = Acceleration(values, objective.lowest, objective.highest)
        kept = time.monotonic()
        best, best_in = np.inf, 0
        farthest = 0.0

        def sweep(index: int, worker: int) -> float:
            return float(
                engine_kernels()[sweep_values](segments[index], objective.is_zero_sum, self.values, rooms[worker])
            )

        for round_ in range(MAX_SWEEPS):
            change = max(self.each(sweep, len(segments)))
            aim = 4.0 * rounding_error(objective, 2.0 * self.magnitude(values))
            if change < best:
                best, best_in = change, round_
            if change <= aim or (round_ - best_in >= PATIENCE and change < 1e6 * aim):
                return change
            farthest = max(farthest, float(np.log(min(change, 0.5)) / np.log(aim)))
            self.tell(first, end, WRITTEN + (SETTLED - WRITTEN) * farthest, f"{change:.0e}")
            if change > 2.0 * best:
                acceleration.forget()
            else:
                acceleration.go_on(lambda work: self.ranges(work, end - first))
            if time.monotonic() - kept > KEPT_EVERY:
                self._keep(f"begun-{first}", {}, values=values)
                kept = time.monotonic()
        return change
