"""Optimal values of states before a roll that are too many to keep the shapes and transitions of all.

States are solved stage by stage (`komi.model.staging`), the last stage first: all states of a stage together, whether
or not they lead to each other. Their rolls are written as programs (`komi.model.rolls.programs`), swept by all cores
until the values settle, and certified (`komi.methods.backup.sweeping`). Only one stage has programs at a time. What is
solved is kept in a checkpoint, the values of the stage under way every minute.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count as counting
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi import parallel
from komi.compile.compiled import CompiledGame
from komi.compile.kernels import engine
from komi.errors import GameError, SolveError, StorageError
from komi.methods.backup.acceleration import Acceleration
from komi.methods.backup.endless import TOO_LONG, refusal
from komi.methods.backup.rows import Objective, rounding, rounding_slack
from komi.methods.backup.sweeping import keep_best, sweep_lengths, sweep_values
from komi.model.checkpoint import Checkpoint
from komi.model.rolls.programs import BACKWARD, MOST_POSITIONS, Segment, write_programs
from komi.model.rolls.unrolled import Unrolled
from komi.model.staging import Staged, places_between, stage_states
from komi.model.states import StateSet
from komi.model.survey import Counts, broken, survey_states
from komi.model.survey_kernel import DONE, NO_ROOM
from komi.model.survey_worker import known_actions
from komi.progress import Progress, silent

SEGMENT = 1 << 15  # states whose programs are one piece of work
KEPT_EVERY = 60.0  # seconds
MOST_SWEEPS = 10_000
PATIENCE = 30  # sweeps without progress after which values have settled as far as they will
LONGEST = 1e5  # no certificate of longer play is looked for
LEAP = 3  # sweeps of lengths between two leaps
FARTHEST = 50.0  # times the last growth that a leap goes at most
WRITTEN, SETTLED = 0.1, 0.9  # shares of the work on a stage that are done when its programs, its values are

Result = TypeVar("Result")


class Swept(NamedTuple):
    """What is found.

    Attributes:
        states: the states before a roll.
        values: float64[states], by index, times the objective's sign.
        choices: int16[states], a best action.
        bound: no value is further than this from the truth.
        most_outcomes: of any one action.
        rows: how many transient states were worked out.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    bound: float
    most_outcomes: int
    rows: int


def sweep_states(
    compiled: CompiledGame,
    rules: Any,
    roots: Any,
    aims: tuple[bool, float, float, float],
    checkpoint: Checkpoint,
    progress: Progress = silent,
) -> Swept:
    """Solve all states that play can reach from the roots, going on from a checkpoint if there is one.

    Args:
        compiled, rules, roots: the game.
        aims: flips, sign, lowest and highest of the `rows.Objective`.
        checkpoint: where what is solved is kept.
        progress: is told how many states are solved.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    unrolled = Unrolled(compiled, rules, parallel.cores())
    kept = checkpoint.load_states()
    if kept is None:
        states, counts = survey_states(compiled, rules, roots, progress=progress, rolls=unrolled)
        try:
            checkpoint.keep_states(counts._asdict(), states)
        except StorageError as error:
            compiled.kernels.notice(f"going on without a checkpoint: {error}")
    else:
        compiled.kernels.notice("going on with a solve that was interrupted")
        states, counts = kept[1], Counts(**kept[0])
    if states.size > MOST_POSITIONS:
        raise SolveError(f"{compiled.game.name} has {states.size:,} states before a roll, more than can be solved.")
    objective = Objective(*aims, rounding_slack(counts._replace(most_outcomes=counts.most_outcomes + 2), mixing=False))
    staged = stage_states(compiled, rules, states)
    with ThreadPoolExecutor(parallel.cores()) as threads:
        work = _Work(compiled, rules, states, staged, objective, unrolled, checkpoint, progress, threads)
        try:
            bound = work.run()
        except KeyboardInterrupt:
            compiled.kernels.notice("stopped; what is solved is kept, and the same command goes on from there")
            raise
        finally:
            work.stop()
    values = np.take(work.values, staged.position)
    choices = np.take(work.choices, staged.position)
    return Swept(states, values, choices, bound, counts.most_outcomes, work.rows)


class _Work:
    """Stages of states, and who works on them.

    Attributes:
        values, choices: of all states, by position.
        rows: how many transient states were worked out.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Any,
        states: StateSet,
        staged: Staged,
        objective: Objective,
        unrolled: Unrolled,
        checkpoint: Checkpoint,
        progress: Progress,
        threads: ThreadPoolExecutor,
    ) -> None:
        self._compiled, self._rules, self._states, self._staged = compiled, rules, states, staged
        self._objective, self._unrolled, self._checkpoint = objective, unrolled, checkpoint
        self._progress, self._threads = progress, threads
        self._workers = parallel.cores()
        self._stopped = self._is_unkept = False
        self._done = 0
        self.rows = 0
        self.values = np.empty(states.size)
        self.choices = np.empty(states.size, np.int16)

    def run(self) -> float:
        """Solve stage after stage; returns a bound on the error of all values."""
        bound = 0.0
        for first, end in reversed(list(zip([0, *self._staged.ends], self._staged.ends, strict=False))):
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
            self._done += end - first
            self._progress("solving", self._done, self._states.size)
        return bound

    def _keep(self, name: str, facts: dict[str, Any], **arrays: NDArray[Any]) -> None:
        """Keep something in the checkpoint, without which a solve can go on, too."""
        try:
            self._checkpoint.keep(name, facts, **arrays)
        except StorageError as error:
            if not self._is_unkept:
                self._compiled.kernels.notice(f"going on without a checkpoint: {error}")
            self._is_unkept = True

    def stop(self) -> None:
        """Have all threads end early."""
        self._stopped = True

    def _solve(self, first: int, end: int, exits_bound: float) -> tuple[float, int]:
        """Solve a stage; returns a bound on the error of its values, and how many transient states it has."""
        segments, rows = self._write(first, end)
        begun = self._checkpoint.load(f"begun-{first}")
        self.values[first:end] = begun[1]["values"] if begun else 0.5 if self._objective.flips else 0.0
        rooms = [np.empty((2, self._unrolled.widest)) for _ in range(self._workers)]
        try:
            settled = self._settle(first, end, segments, rooms)
            bound = exits_bound + self._certify(first, end, segments, rooms, settled)
        except KeyboardInterrupt:
            self.stop()
            self._keep(f"begun-{first}", {}, values=self.values[first:end])
            raise
        return float(np.nextafter(bound, np.inf)), rows

    def _write(self, first: int, end: int) -> tuple[list[Segment], int]:
        """The programs of a stage's states, and how many transient states they have."""
        places = places_between(self._states, self._staged.position, first, end)
        begins = range(first, end, SEGMENT)
        begun = counting(1)

        def write(index: int, worker: int) -> tuple[Segment, int]:
            begin = begins[index]
            last = min(begin + SEGMENT, end)
            segment, rows = self._segment(places[begin - first : last - first], begin, first, worker)
            self._tell(first, end, WRITTEN * next(begun) / len(begins))
            return segment, rows

        written = self._each(write, len(begins))
        return [segment for segment, _ in written], sum(rows for _, rows in written)

    def _segment(self, places: NDArray[np.int64], begin: int, least: int, worker: int) -> tuple[Segment, int]:
        known = known_actions(self._compiled.game)
        while True:
            room = self._unrolled.rooms[worker]
            room.numbers[:] = np.nan
            how, height, rows = self._compiled.kernels[write_programs](
                self._rules,
                self._unrolled.seats,
                known,
                *self._states[:3],
                places,
                self._staged.position,
                least,
                self._objective.sign,
                room.sheet,
                room.words,
                room.numbers,
                room.witness,
            )
            if how == DONE:
                return Segment(begin, len(places), room.words[:height].copy(), room.numbers.copy()), int(rows)
            if how == BACKWARD:
                game = self._compiled.game
                state = game.write(self._rules, game.module.State(*map(int, room.witness[:-1])))
                raise GameError(f"{game.file.name}: 'stage' falls in what {state} leads to.", state)
            if how != NO_ROOM:
                raise broken(self._compiled, self._rules, how, room.witness)
            self._unrolled.make_room(worker)

    def _settle(self, first: int, end: int, segments: list[Segment], rooms: Any) -> float:
        """Sweep values until they settle; returns by how much the last sweep has changed them."""
        objective = self._objective
        values = self.values[first:end]
        acceleration = Acceleration(values, objective.lowest, objective.highest)
        kept = time.monotonic()
        best, best_in = np.inf, 0
        farthest = 0.0

        def sweep(index: int, worker: int) -> float:
            return float(engine()[sweep_values](segments[index], objective.flips, self.values, rooms[worker]))

        for round_ in range(MOST_SWEEPS):
            change = max(self._each(sweep, len(segments)))
            aim = 4.0 * rounding(objective, 2.0 * self._magnitude(values))
            if change < best:
                best, best_in = change, round_
            if change <= aim or (round_ - best_in >= PATIENCE and change < 1e6 * aim):
                return change
            farthest = max(farthest, float(np.log(min(change, 0.5)) / np.log(aim)))
            self._tell(first, end, WRITTEN + (SETTLED - WRITTEN) * farthest, f"{change:.0e}")
            if change > 2.0 * best:
                acceleration.forget()
            else:
                acceleration.go_on(lambda work: self._ranges(work, end - first))
            if time.monotonic() - kept > KEPT_EVERY:
                self._keep(f"begun-{first}", {}, values=values)
                kept = time.monotonic()
        return change

    def _magnitude(self, values: NDArray[np.float64]) -> float:
        return 1.0 if self._objective.flips else float(max(values.max(), -values.min()))

    def _certify(self, first: int, end: int, segments: list[Segment], rooms: Any, settled: float) -> float:
        """Prove how far off the values of a stage can be, if what it leads to is right."""
        objective = self._objective
        slack = rounding(objective, 2.0 * self._magnitude(self.values[first:end]))
        given_up = 2.5 * (2.0 * settled + 8.0 * slack) * LONGEST

        def keep(index: int, worker: int) -> tuple[float, float]:
            segment = segments[index]
            kept = np.empty_like(segment.words)
            height, residual, magnitude = engine()[keep_best](
                segment, objective.flips, self.values, rooms[worker], given_up, kept, self.choices
            )
            segments[index] = segment._replace(words=kept[:height].copy())
            return residual, magnitude

        found = self._each(keep, len(segments))
        residual, magnitude = (max(each) for each in zip(*found, strict=True))
        slack = rounding(objective, 2.0 * magnitude)
        distance = residual + 4.0 * slack
        lengths = np.zeros(end - first)
        before, last_growth = np.zeros(end - first, np.float32), 0.0
        self._tell(first, end, SETTLED)
        for round_ in range(MOST_SWEEPS):
            growth, largest = self._lengthen(first, segments, lengths, rooms, write=True)
            if 2.5 * distance * largest > given_up:
                break
            if growth <= 0.25:
                growth, largest = self._lengthen(first, segments, lengths, rooms, write=False)
                short = growth + 4.0 * slack * largest
                if short <= 0.5 and 2.5 * distance * largest <= given_up:
                    return float(distance * max(largest, 1.0) / (1.0 - short))
            if round_ % LEAP == LEAP - 1:
                ratio = growth / last_growth if last_growth else 1.0
                reach = min(ratio / (1.0 - ratio), FARTHEST) if ratio < 1.0 else FARTHEST
                lengths += np.float32(reach) * np.maximum(lengths - before, 0.0)
            last_growth = growth
            before[:] = lengths
        state = self._compiled.game.module.State(*self._states.fields(int(np.argmax(self._staged.position == first))))
        raise refusal(self._compiled.game.name, self._compiled.game.write(self._rules, state), 0.0, 0.0, TOO_LONG)

    def _lengthen(
        self, first: int, segments: list[Segment], lengths: NDArray[np.float64], rooms: Any, write: bool
    ) -> tuple[float, float]:
        def lengthen(index: int, worker: int) -> tuple[float, float]:
            return engine()[sweep_lengths](segments[index], first, lengths, rooms[worker], write)  # type: ignore[no-any-return]

        found = self._each(lengthen, len(segments))
        return max(growth for growth, _ in found), max(largest for _, largest in found)

    def _tell(self, first: int, end: int, share: float, note: str = "") -> None:
        self._progress("solving", self._done + int(share * (end - first)), self._states.size, note)

    def _ranges(self, work: Callable[[int, int, int], Result], size: int) -> list[Result]:
        """Do some work for all ranges of so many values."""
        step = max(-(-size // self._workers), 1)
        begins = range(0, size, step)
        return self._each(
            lambda index, worker: work(begins[index], min(begins[index] + step, size), worker), len(begins)
        )

    def _each(self, work: Callable[[int, int], Result], number: int) -> list[Result]:
        """Do pieces of work on all threads, each the next one that nobody has begun; lists the results."""
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
