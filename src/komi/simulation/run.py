"""A running simulation: adds up blocks in order, saves them regularly, and stops when the plan is complete."""

import signal
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

from numpy.typing import NDArray

from komi.errors import InputError, KomiError
from komi.jit.cache_keys import fingerprint, source_digest
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.progress import Progress
from komi.simulation import running_file
from komi.simulation.counting import SHARE, Block
from komi.simulation.result import Simulation
from komi.simulation.tally import Tally
from komi.simulation.work import Work

KEEP_FIRST = 1.0  # seconds
KEEP_EVERY = 10.0


class Run:
    """A running simulation."""

    def __init__(self, work: Work, keep: Path | None, progress: Progress, notice: Notice) -> None:
        self.work, self.plan, self.keep, self.progress = work, work.plan, keep, progress
        plan = self.plan
        work.kernels.notice = notice
        self.header = {
            "version": running_file.version(),
            "game": work.game.name,
            "files": fingerprint(work.kernels.cache_key, source_digest(__name__).digest),
            "rules": work.chosen._asdict(),
            "policies": [policy.name for policy in work.policies],
            "seed": work.seed,
            "per_deal": plan.per_deal,
        }
        self.tally = Tally.empty(len(work.policies), plan.per_deal)
        self.block, self.before = plan.block, 0.0
        kept = running_file.load(keep, self.header) if keep else None
        if kept:
            self.tally, block, self.before = kept
            self.block = max(block, self.block)  # resume with the larger block size
        if plan.deals is not None and self.tally.deals > plan.deals:
            raise InputError(f"{keep} has {self.tally.games:,} games already, more than are asked for.")

    def played(self, workers: int | None, cluster: str | None) -> Simulation:
        """Play the remaining games."""
        work = self.work
        work((0, 0))  # compiles the kernels, or loads them from the cache
        self.begin = time.perf_counter()
        self.keep_at = self.begin + KEEP_FIRST
        stopped = False
        try:
            with _interruptible(work.stop):
                self._go_on(workers, cluster)
        except KeyboardInterrupt:
            stopped = True
        except BaseException:
            self._keep()
            raise
        self._keep()
        return Simulation(work.game, work.chosen, work.policies, work.seed, self._seconds(), stopped, self.tally)

    def _go_on(self, workers: int | None, cluster: str | None) -> None:
        """Add up blocks in order, whatever order they arrive in."""
        early: dict[int, tuple[int, Block]] = {}
        portions = self.plan.left(self.tally.deals, self.block)
        with closing(cast(Generator[Any, None, None], spread(self.work, portions, workers, cluster))) as results:
            while not self.plan.is_enough(self.tally):
                if self.tally.deals in early:
                    self._add(*early.pop(self.tally.deals))
                    continue
                (first, end), block = next(results)
                if isinstance(block, KomiError):
                    raise block
                early[first] = end, cast(Block, block)
            self.work.stop[0] = True  # results of blocks still running are not needed

    def _add(self, end: int, block: Block) -> None:
        self.tally = self.tally.plus(block, end - self.tally.deals)  # one assignment: safe from interrupts
        self.progress("playing", self.tally.games, self.plan.games(self.tally), self._interval())
        if time.perf_counter() > self.keep_at:
            self._keep()

    def _interval(self) -> str:
        mean, stderr = self.tally.of_seat(0, SHARE)
        return f"first {100 * mean:.3f} ± {100 * stderr:.3f} %"

    def _seconds(self) -> float:
        return self.before + time.perf_counter() - self.begin

    def _keep(self) -> None:
        if self.keep and self.tally.deals:
            running_file.save(self.keep, self.header, self.tally, self.block, self._seconds())
            self.keep_at = time.perf_counter() + KEEP_EVERY


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
