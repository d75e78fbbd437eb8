"""A running simulation: adds up blocks in order, saves them regularly, and stops when the plan is complete."""

import hashlib
import signal
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from komi.errors import InputError, KomiError
from komi.jit.cache_keys import fingerprint, source_digest
from komi.parallel import spread
from komi.progress import Progress
from komi.simulation import results_file
from komi.simulation.counting import SHARE, BlockStatistics
from komi.simulation.job import SimulationJob
from komi.simulation.playout import play
from komi.simulation.result import Simulation
from komi.simulation.tally import Tally

FIRST_SAVE = 1.0  # seconds
SAVE_INTERVAL = 10.0  # seconds of work that an interruption loses at most


class SimulationRun:
    """A running simulation."""

    def __init__(self, job: SimulationJob, keep: Path | None, progress: Progress) -> None:
        self.job, self.plan, self.keep, self.progress = job, job.plan, keep, progress
        plan = self.plan
        self.header = {
            "version": results_file.version(),
            "game": job.game.name,
            "files": keep
            and fingerprint(job.kernels.digest(play), source_digest(__name__), repr(_digests(job.calls.data))),
            "rules": job.settings,
            "policies": [policy.name for policy in job.policies],
            "seed": job.seed,
            "per_deal": plan.per_deal,
        }
        self.tally = Tally.empty(len(job.policies), plan.per_deal)
        self.block, self.before = plan.block, 0.0
        kept = results_file.load(keep, self.header) if keep else None
        if kept:
            self.tally, block, self.before = kept
            self.block = max(block, self.block)  # resume with the larger block size
        if plan.deals is not None and self.tally.deals > plan.deals:
            raise InputError(f"{keep} already has {self.tally.games:,} games, more than you requested.")

    def run(self, workers: int | None, cluster: str | None, card: Any = None) -> Simulation:
        """Play the remaining games, on a card if its job is given."""
        job = self.job
        self.check()
        self.begin = time.perf_counter()
        self.next_save = self.begin + FIRST_SAVE
        stopped = False
        try:
            with _interruptible(job.stop):
                if card:
                    self._play_on_card(card)
                else:
                    self._play_blocks(workers, cluster)
        except KeyboardInterrupt:
            stopped = True
        except BaseException:
            self._save()
            raise
        self._save()
        return self._result(self._seconds(), stopped)

    def check(self) -> Self:
        """Check the rules in a few games, and compile the kernels, or load them from the cache; return the run.

        Raises:
            GameError: if the rules are broken.
        """
        self.job((0, 0))
        return self

    def finish(self, block: BlockStatistics, seconds: float) -> Simulation:
        """Add the statistics of all deals, which were played elsewhere in so many seconds."""
        self.tally = self.tally.plus(block, self.plan.most_games // self.plan.per_deal)
        self.begin = time.perf_counter() - seconds
        self._save()
        return self._result(self.before + seconds)

    def _result(self, seconds: float, stopped: bool = False) -> Simulation:
        job = self.job
        return Simulation(job.game, job.rules, job.policies, job.seed, seconds, stopped, self.tally)

    def _play_blocks(self, workers: int | None, cluster: str | None) -> None:
        """Add up blocks in order, whatever order they arrive in."""
        waiting: dict[int, tuple[int, BlockStatistics]] = {}
        blocks = self.plan.remaining_blocks(self.tally.deals, self.block)
        with closing(cast(Generator[Any, None, None], spread(self.job, blocks, workers, cluster))) as results:
            while not self.plan.is_enough(self.tally):
                if self.tally.deals in waiting:
                    self._add(*waiting.pop(self.tally.deals))
                    continue
                (first, end), block = next(results)
                if isinstance(block, KomiError):
                    raise block
                waiting[first] = end, cast(BlockStatistics, block)
            self.job.stop[0] = True  # results of blocks still running are not needed

    def _play_on_card(self, job: Any) -> None:
        """Add up launches of many blocks, the last of them as far as the plan needs it."""
        while not self.plan.is_enough(self.tally):
            end, launch = job(self.tally.deals, self.block)
            needed = self._blocks_needed(launch)
            if needed < len(launch.sums):
                end, launch = job(self.tally.deals, self.block, needed)
            self._add(end, launch)

    def _blocks_needed(self, launch: BlockStatistics) -> int:
        """Return how many of these blocks the plan needs."""
        if self.plan.deals is not None:
            return len(launch.sums)
        tally = self.tally
        for number, (sums, squares) in enumerate(zip(launch.sums, launch.squares, strict=True), 1):
            tally = replace(
                tally,
                deals=tally.deals + self.block,
                blocks=tally.blocks + 1,
                sums=tally.sums + sums,
                squares=tally.squares + squares,
            )
            if self.plan.is_enough(tally):
                return number
        return len(launch.sums)

    def _add(self, end: int, block: BlockStatistics) -> None:
        self.tally = self.tally.plus(block, end - self.tally.deals)  # one assignment: safe from interrupts
        self.progress("playing", self.tally.games, self.plan.games(self.tally), self._interval())
        if time.perf_counter() > self.next_save:
            self._save()

    def _interval(self) -> str:
        mean, stderr = self.tally.seat_mean(0, SHARE)
        scale = self.job.game.payoff_scale(self.job.rules)
        if not scale.is_chance:
            return f"first {scale.payoff(mean):.4f} ± {scale.difference(stderr):.4f}"
        return f"first {100 * mean:.3f} ± {100 * stderr:.3f} %"

    def _seconds(self) -> float:
        return self.before + time.perf_counter() - self.begin

    def _save(self) -> None:
        if self.keep and self.tally.deals:
            results_file.save(self.keep, self.header, self.tally, self.block, self._seconds())
            self.next_save = time.perf_counter() + SAVE_INTERVAL


def device_job(job: SimulationJob) -> Any:
    """Return a job on the card.

    Raises:
        InputError: if no GPU can be used, or a policy cannot play on it.
    """
    from komi.gpu.card import check_card

    check_card()
    from komi.simulation.device_job import DeviceJob  # needs numba-cuda

    return DeviceJob(job)


@contextmanager
def _interruptible(stop: NDArray[Any]) -> Iterator[None]:
    """Forward Ctrl-C to the compiled code, because a block may take long."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:  # noqa: ARG001
        stop[0] = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _digests(data: Any) -> Any:
    """Replace each array in the data of policies, such as the actions of a learned one, by a digest of its contents."""
    if isinstance(data, tuple):
        return tuple(map(_digests, data))
    if isinstance(data, np.ndarray):
        return str(data.dtype), data.shape, hashlib.blake2b(data.tobytes()).hexdigest()
    return data
