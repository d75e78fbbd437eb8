"""Parallel execution of one function over independent jobs, on threads or on a cluster.

Kernels release the GIL, so that threads use all cores of one machine. With Ray the same call distributes the jobs
over the machines of a cluster.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from threading import Event
from typing import Any

from komi.errors import InputError
from komi.jobs import Finished, Job, Result, Work, attempt


def cores() -> int:
    """Return the number of cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Work[Job, Result],
    jobs: Iterable[Job],
    workers: int | None = None,
    cluster: str | None = None,
) -> Iterator[Finished[Job, Result]]:
    """Do the work for each job, and yield results as they are finished.

    Closing the iterator cancels the work.

    Args:
        work: a function without side effects; for a cluster, a function of a module.
        jobs: its arguments, consumed lazily; for a cluster, they must be picklable.
        workers: the number of simultaneous jobs; by default the number of cores.
        cluster: the address of a Ray cluster, or "auto" for a running one or a new one on this machine.

    Raises:
        InputError: for fewer than one worker, or a cluster that cannot be reached.
    """
    if workers is not None and workers < 1:
        raise InputError(f"there must be at least 1 worker, not {workers}.")
    if cluster is None:
        return _on_threads(work, jobs, workers or cores())
    from komi.cluster import on_cluster  # imports Ray only if needed

    return on_cluster(work, jobs, workers, cluster)


class _StoppedError(Exception):
    """The work was cancelled."""


def _on_threads(work: Work[Job, Result], jobs: Iterable[Job], workers: int) -> Iterator[Finished[Job, Result]]:
    stopped = Event()

    def go_on(stage: str, done: int, total: int, note: str = "") -> None:  # noqa: ARG001
        if stopped.is_set():
            raise _StoppedError

    waiting = iter(jobs)
    with ThreadPoolExecutor(workers) as threads:
        running: dict[Future[Any], Job] = {}
        try:
            while True:
                for job in waiting:
                    running[threads.submit(partial(attempt, work, job, go_on))] = job
                    if len(running) == workers:
                        break
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            stopped.set()
