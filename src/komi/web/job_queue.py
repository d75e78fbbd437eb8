"""A queue of jobs in other processes, so that they delay no request: solving, matches, surfaces, searches.

Jobs start in the order of their requests, but addresses take turns, and people at one address. Jobs for games under
their default rules serve all users and are soon done and cached: one worker is reserved for them, and other jobs do not
count against their limits. A user who has a job running does not get the last free worker for jobs of its kind, as no
job can be interrupted.
Solutions are left in the cache, where the server reads them.
"""

import json
import logging
import secrets
import signal
import sys
from collections import Counter, OrderedDict
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from operator import attrgetter
from threading import Condition, Thread
from typing import Any

from pebble import ProcessExpired, ProcessPool

from komi.errors import KomiError
from komi.web import worker
from komi.web.queued_job import QueuedJob, Requester
from komi.web.responses import ApiError

LOG = logging.getLogger("komi.web")
MAX_SLOWDOWN = 6  # elapsed seconds per second of CPU time, as several processes share the cores
MAX_OF_PERSON = 3  # jobs that one person waits for: one more replaces the one that has waited longest
MAX_OF_ADDRESS = 100  # jobs that wait for one address, for example a class
MAX_WAITING = 1000
MAX_REMEMBERED = 1000  # jobs to remember; the oldest finished ones are forgotten
RETRY_RUNNING = 1  # Retry-After in seconds of a running job
RETRY_BEHIND = 2  # more seconds for each job before a waiting one
MAX_WAIT = 600  # the longest Retry-After, in seconds
RETRY_WHEN_FULL = 60  # Retry-After in seconds if too many jobs wait
BUSY = "Many games are waiting to be prepared; try again in a minute."
REPLACED = "you have requested other games since then: request this one again."
OUT_OF_RESOURCES = "there was not enough memory or time for this game: choose smaller numbers."
INTERRUPTED = "the server interrupted this work, perhaps because it is short of memory; try again in a moment."
INTERRUPTIONS = frozenset({-signal.SIGTERM, -getattr(signal, "SIGKILL", signal.SIGTERM)})
"""Exit codes of a process that was killed from outside; at its own limits it ends otherwise."""
CONTEXT = get_context("forkserver" if sys.platform == "linux" else "spawn")  # the server has threads: it cannot fork
if sys.platform == "linux":
    CONTEXT.set_forkserver_preload([worker.__name__])


class JobQueue:
    """A queue of jobs: waiting, running and finished ones.

    Args:
        at_once: number of worker processes; of several, one is reserved for default rules.
        max_tasks: number of jobs after which a process is replaced, or 0 to keep it.
        max_waiting: the number of jobs that can wait.
    """

    def __init__(self, at_once: int, *, max_tasks: int = 1, max_waiting: int = MAX_WAITING) -> None:
        self._at_once, self._max_waiting = at_once, max_waiting
        self._changed = Condition()
        self._jobs: OrderedDict[str, QueuedJob] = OrderedDict()
        self._waiting: list[QueuedJob] = []  # in the order in which they start
        self._running: dict[str, QueuedJob] = {}
        self._is_closed = False
        self._reader, self._writer = CONTEXT.Pipe(duplex=False)
        self._create_pool = partial(ProcessPool, at_once, max_tasks, worker.initialize, (self._writer,), CONTEXT)
        self._pool = self._create_pool()
        self._threads = [Thread(target=loop, daemon=True) for loop in (self._start_jobs, self._read_reports)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Kill all jobs, and start no more."""
        starting, reading = self._threads
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        starting.join()
        self._pool.stop()
        self._pool.join()
        self._writer.close()
        reading.join()
        self._reader.close()

    def lengths(self) -> tuple[int, int]:
        """Return how many jobs run, and how many wait."""
        with self._changed:
            return len(self._running), len(self._waiting)

    def find(self, key: str) -> QueuedJob | None:
        """Return the job with this key, or None."""
        with self._changed:
            known = self._jobs.get(key)
            return known and self._with_position(known)

    def forget(self, key: str) -> None:
        """Forget a finished job, so that it can be requested again."""
        with self._changed:
            if key in self._jobs and self._jobs[key].is_over:
                del self._jobs[key]

    def add_finished(self, job: QueuedJob) -> QueuedJob:
        """Record a finished job that needs no work."""
        with self._changed:
            self._remember(job)
        return job

    def submit(
        self,
        key: str,
        function: str,
        arguments: dict[str, Any],
        requester: Requester,
        *,
        has_default_rules: bool = False,
    ) -> QueuedJob:
        """Return the job with this key. Queue it if it is new.

        Raises:
            ApiError: if too many jobs wait.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.can_be_retried:
                self._check_capacity(requester, has_default_rules)
                job = QueuedJob(key, function, arguments, has_default_rules, requester)
                self._enqueue(job)
                self._changed.notify_all()
            job.users.add(requester.user)
            self._remember(job)
            return self._with_position(job)

    def run(self, function: str, arguments: dict[str, Any], requester: Requester) -> QueuedJob:
        """Queue a short job, which any worker can do, and wait until it is over.

        Raises:
            ApiError: if too many jobs wait.
        """
        key = f"{function} {secrets.token_hex(8)}"
        job = self.submit(key, function, arguments, requester, has_default_rules=True)
        with self._changed:
            self._changed.wait_for(lambda: job.is_over or self._is_closed)
        self.forget(key)
        return job

    def _with_position(self, job: QueuedJob) -> QueuedJob:
        """Update the position of a job in the queue, and when to ask again, and return it."""
        before = len(self._running) + self._waiting.index(job) if job in self._waiting else 0
        if before:
            job.stage = f"waiting; {before} before it"
        job.seconds = min(RETRY_RUNNING + RETRY_BEHIND * before, MAX_WAIT)
        return job

    def _check_capacity(self, requester: Requester, has_default_rules: bool) -> None:
        """Ensure that one more job can wait, if need be in place of another of this user or of the fullest place.

        Raises:
            ApiError: if too many jobs wait.
        """
        alike = [each for each in self._waiting if each.has_default_rules == has_default_rules]
        own = [each for each in alike if requester.user in each.users]
        if len(own) >= MAX_OF_PERSON:
            own[0].users.remove(requester.user)
            if not own[0].users:
                alike.remove(own[0])
                self._cancel(own[0], REPLACED)
        counts = Counter(each.requester.place for each in alike)
        fullest = max(counts, key=counts.__getitem__, default=requester.place)
        is_full = len(alike) >= self._max_waiting
        if counts[requester.place] >= (counts[fullest] - 1 if is_full else MAX_OF_ADDRESS):
            raise ApiError(503, BUSY, RETRY_WHEN_FULL)
        if is_full:
            self._cancel([each for each in alike if each.requester.place == fullest][-1], BUSY)

    def _cancel(self, job: QueuedJob, sentence: str) -> None:
        self._waiting.remove(job)
        del self._jobs[job.key]
        job.failed(sentence, is_interrupted=True)
        self._changed.notify_all()

    def _enqueue(self, job: QueuedJob) -> None:
        """Add a waiting job: places take turns, and users at one place."""
        self._waiting.append(job)
        for name in (attrgetter("requester.user"), attrgetter("requester.place")):
            counts, turns = Counter(map(name, self._running.values())), {}
            for each in self._waiting:
                turns[each] = counts[name(each)]
                counts[name(each)] += 1
            self._waiting.sort(key=turns.__getitem__)

    def _remember(self, job: QueuedJob) -> None:
        self._jobs[job.key] = job
        self._jobs.move_to_end(job.key)
        if len(self._jobs) > MAX_REMEMBERED:
            oldest = next((key for key, each in self._jobs.items() if each.is_over), "")
            self._jobs.pop(oldest, None)

    def _start_jobs(self) -> None:
        """Start the next job whenever a worker is free."""
        while (job := self._next_job()) is not None:
            try:
                future = self._schedule(job)
            except Exception as error:  # keep this thread alive for the other jobs
                future = Future()
                future.set_exception(error)
            future.add_done_callback(partial(self._finish, job))

    def _next_job(self) -> QueuedJob | None:
        """Wait for the next job and return it. Return None when the server stops."""
        with self._changed:
            while not self._is_closed:
                job = next(filter(self._can_start, self._waiting), None)
                if job is not None:
                    self._waiting.remove(job)
                    self._running[job.key] = job
                    job.stage = "starting"
                    return job
                self._changed.wait()
            return None

    def _can_start(self, job: QueuedJob) -> bool:
        """Return whether a worker is free: one is reserved for default rules, the last one for users without a job."""
        running = self._running.values()
        free = self._at_once - len(running)
        if not job.has_default_rules:
            free = min(free, max(1, self._at_once - 1) - sum(not each.has_default_rules for each in running))
        alike = [each for each in running if each.has_default_rules or not job.has_default_rules]
        return free > any(each.requester.user == job.requester.user for each in alike)

    def _schedule(self, job: QueuedJob) -> Future[Any]:
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # unblocks the signal when it starts
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # processes started here ignore Ctrl-C
        if not self._pool.active:  # it breaks if a worker without a job is killed
            self._pool.join()
            self._pool = self._create_pool()
        arguments = (job.key, job.function, json.dumps(job.arguments))
        return self._pool.schedule(worker.run, arguments, timeout=MAX_SLOWDOWN * worker.MAX_SECONDS[job.function])

    def _finish(self, job: QueuedJob, future: Future[Any]) -> None:
        """Record how a job has ended."""
        with self._changed:
            del self._running[job.key]
            self._changed.notify_all()
            try:
                job.succeeded(future.result())
            except KomiError as error:
                job.failed(str(error))
            except BrokenExecutor:
                job.failed(INTERRUPTED, is_interrupted=True)
            except (ProcessExpired, TimeoutError) as error:
                is_interrupted = isinstance(error, ProcessExpired) and error.exitcode in INTERRUPTIONS
                job.failed(INTERRUPTED if is_interrupted else OUT_OF_RESOURCES, is_interrupted=is_interrupted)
            except Exception as error:
                LOG.error("%s failed: %s: %s", job.function, type(error).__name__, error)  # noqa: TRY400
                job.failed("the solver failed; it has been logged.")

    def _read_reports(self) -> None:
        """Record the progress that the workers report, until the last of them has ended."""
        with suppress(EOFError):
            while True:
                key, *progress = self._reader.recv()
                with self._changed:
                    if key in self._running:
                        job = self._running[key]
                        job.stage, job.done, job.total = progress
