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
from komi.arrays import check_indices
from komi.bellman import Objective, rounding_error, rounding_slack
from komi.compiling.compiled import CompiledGame
from komi.errors import StorageError
from komi.graph.checkpoint import Checkpoint
from komi.graph.reachability import find_reachable
from komi.graph.staging import stage_states
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.transient.on_demand import OnDemandRolls
from komi.transient.program_backup import SweepBuffers
from komi.transient.programs import MAX_POSITIONS, OTHERS, ProgramSegment
from komi.transient.stages import Stages
from komi.typing import Rules

SAVE_INTERVAL = 60.0  # seconds


class StagedValues(NamedTuple):
    """The result of a staged solve.

    Attributes:
        states: the states before a roll.
        values: float64[states], by index, times the objective's sign.
        choices: int16[states], an optimal action.
        bound: the error bound of every value.
        max_outcomes: the largest number of outcomes of an action.
        transient_states: the number of enumerated transient states.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    bound: float
    max_outcomes: int
    transient_states: int


def solve_staged(
    compiled: CompiledGame,
    rules: Rules,
    roots: Any,
    objective: Objective,
    checkpoint: Checkpoint,
    progress: Progress = silent,
) -> StagedValues:
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
    rolls = OnDemandRolls(compiled, rules, parallel.cores())
    kept = checkpoint.load_states()
    if kept is None:
        states, counts = find_reachable(rolls, roots, progress=progress)
        try:
            checkpoint.keep_states(counts._asdict(), states)
        except StorageError as error:
            compiled.kernels.notice(f"continuing without a checkpoint: {error}")
    else:
        compiled.kernels.notice("resuming a solve that was interrupted")
        states, counts = kept[1], GraphCounts(**kept[0])
    check_indices(states.size, "states before a roll", MAX_POSITIONS)
    check_indices(counts.max_actions, "legal actions in one state", OTHERS)
    slack = rounding_slack(counts._replace(max_outcomes=counts.max_outcomes + 2), mixing=False)
    objective = objective._replace(slack=slack)
    staged = stage_states(compiled, rules, states)
    with ThreadPoolExecutor(parallel.cores()) as threads:
        work = _ValueStages(checkpoint, compiled, rules, states, staged, objective, rolls, progress, threads)
        try:
            bound = work.run()
        except KeyboardInterrupt:
            compiled.kernels.notice("stopped; what is solved is kept, and the same command resumes from there")
            raise
        finally:
            work.stop()
    values = np.take(work.values, staged.position)
    choices = np.take(work.choices, staged.position)
    return StagedValues(states, values, choices, bound, counts.max_outcomes, work.transient_states)


class _ValueStages(Stages):
    """The staged computation of values.

    Attributes:
        transient_states: the number of enumerated transient states.
    """

    def __init__(self, checkpoint: Checkpoint, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._checkpoint = checkpoint
        self._is_unkept = False
        self.transient_states = 0

    def run(self) -> float:
        """Solve stage after stage; return a bound on the error of all values."""
        bound = 0.0
        for first, end in self.backwards():
            name = f"solved-{first}"
            found = self._checkpoint.load(name)
            if found is None:
                bound, transient_states = self._solve(first, end, bound)
                values, choices = self.values[first:end], self.choices[first:end]
                self._keep(name, {"bound": bound, "rows": transient_states}, values=values, choices=choices)
                self._checkpoint.drop(f"begun-{first}")
            else:
                facts, arrays = found
                bound, transient_states = facts["bound"], facts["rows"]
                self.values[first:end], self.choices[first:end] = arrays["values"], arrays["choices"]
            self.transient_states += transient_states
            self.done += end - first
            self._progress(self.task, self.done, self._states.size)
        return bound

    def _keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Store something in the checkpoint; if that fails, the solve continues without it."""
        try:
            self._checkpoint.keep(name, facts, **arrays)
        except StorageError as error:
            if not self._is_unkept:
                self._compiled.kernels.notice(f"continuing without a checkpoint: {error}")
            self._is_unkept = True

    def _solve(self, first: int, end: int, exits_bound: float) -> tuple[float, int]:
        """Solve a stage; return a bound on the error of its values, and the number of its transient states."""
        segments, transient_states = self.write(first, end)
        begun = self._checkpoint.load(f"begun-{first}")
        self.values[first:end] = begun[1]["values"] if begun else 0.5 if self._objective.is_zero_sum else 0.0
        buffers = self.sweep_buffers()
        try:
            change = self._converge(first, end, segments, buffers)
            distance, longest = self.prove_end(first, end, segments, buffers, change)
            bound = exits_bound + distance * longest
        except KeyboardInterrupt:
            self.stop()
            self._keep(f"begun-{first}", {}, values=self.values[first:end])
            raise
        return float(np.nextafter(bound, np.inf)), transient_states

    def _converge(self, first: int, end: int, segments: list[ProgramSegment], buffers: list[SweepBuffers]) -> float:
        """Sweep values until they converge; return the largest change in one more sweep."""
        objective, values = self._objective, self.values[first:end]
        saved = time.monotonic()

        def sweep() -> tuple[float, float]:
            nonlocal saved
            change = self.sweep(segments, buffers)
            if time.monotonic() - saved > SAVE_INTERVAL:
                self._keep(f"begun-{first}", {}, values=values)
                saved = time.monotonic()
            return change, 4.0 * rounding_error(objective, 2.0 * self.magnitude(values))

        change = self.converge(first, end, values, (objective.lowest, objective.highest), sweep, 1e6)
        return self.sweep(segments, buffers, write=False) if change is None else change
