"""Independent jobs spread over cores, or over the machines of a Ray cluster; results in the order of the jobs."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from komi.errors import InputError

Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD = 2  # jobs handed out for each worker: one runs, one waits


class Spread(Protocol):
    """Maps a function over jobs; it keeps few of them in hand, so that the jobs may be endless."""

    def __call__(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """Results, in the order of the jobs."""


class Threads:
    """The default: so many threads of this process. Compiled code lets go of the interpreter while it runs."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __call__(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """Results, in the order of the jobs."""
        with ThreadPoolExecutor(self.workers) as pool:
            waiting = deque[Any]()
            try:
                for job in jobs:
                    waiting.append(pool.submit(work, job))
                    if len(waiting) >= AHEAD * self.workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


class Cluster:
    """Workers of the Ray cluster that this process is connected to, or of a local one started for it.

    Work and jobs are sent to the workers, so both must be picklable.

    Raises:
        InputError: if Ray is not installed.
    """

    def __init__(self, workers: int) -> None:
        try:
            import ray
        except ImportError:
            raise InputError("work on a cluster needs Ray: pip install 'komi[cluster]'.") from None
        if not ray.is_initialized():
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        self.workers = workers
        self._ray = ray

    def __call__(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """Results, in the order of the jobs. Each worker is sent the work once."""
        actor = self._ray.remote(_Worker)
        workers = [actor.remote(work) for _ in range(self.workers)]
        waiting = deque[Any]()
        try:
            for number, job in enumerate(jobs):
                waiting.append(workers[number % self.workers].work.remote(job))
                if len(waiting) >= AHEAD * self.workers:
                    yield self._ray.get(waiting.popleft())
            while waiting:
                yield self._ray.get(waiting.popleft())
        finally:
            for worker in workers:
                self._ray.kill(worker)


class _Worker:
    """Lives in a process of the cluster."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def work(self, job: Any) -> Any:
        return self._work(job)
