"""The seam where work spreads: one function over independent jobs, on threads or on machines.

Kernels release the interpreter's lock, so that threads are enough for the cores of one machine. With Ray the
same call spreads over the machines of a cluster.
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
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Work[Job, Result],
    jobs: Iterable[Job],
    workers: int | None = None,
    cluster: str | None = None,
) -> Iterator[Finished[Job, Result]]:
    """Do the work for each job, and yield results as they come.

    Whoever stops asking for results stops the work.

    Args:
        work: a function that leaves nothing behind but its result; for a cluster, one of a module.
        jobs: what to do it for, taken as they are needed; for a cluster, what can be pickled.
        workers: how many jobs to do at once; by default the number of cores.
        cluster: the address of a Ray cluster, or "auto" for the one at hand or a new one on this machine.

    Raises:
        InputError: for fewer than one worker, or a cluster that is not there.
    """
    if workers is not None and workers < 1:
        raise InputError(f"there must be at least 1 worker, not {workers}.")
    if cluster is None:
        return _on_threads(work, jobs, workers or cores())
    from komi.cluster import on_cluster  # Ray is imported only where it is asked for

    return on_cluster(work, jobs, workers, cluster)


class _StoppedError(Exception):
    """Nobody wants the result any more."""


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
