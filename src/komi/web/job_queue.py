"""A queue of jobs in other processes: a few run at once, in an order that is fair to people and addresses.

The next job is the one whose address, and then whose person, has used the least solver time recently. A job that has
used up its time slice is preempted by a waiting job of a person or address that has used less: it is stopped, and
restarted later with twice the time. A second job of one address is preempted by another address at once. Jobs for games
under their default rules serve all users and are soon done and cached: one worker is reserved for them, they are never
preempted, and other jobs do not count against their limits.
"""

import logging
import math
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable
from threading import Condition, Thread
from typing import Any

from komi.errors import KomiError
from komi.web.job_process import InterruptedJobError, JobRunner
from komi.web.queued_job import FIRST_SLICE, QueuedJob, Requester, SolverUsage
from komi.web.responses import ApiError

LOG = logging.getLogger("komi.web")
MAX_OF_PERSON = 3  # jobs that one person waits for: one more replaces the one that has waited longest
MAX_OF_ADDRESS = 100  # jobs that wait for one address, for example a class
MAX_WAITING = 1000
MAX_REQUESTERS = 100  # people per job that its time is charged to
MAX_REMEMBERED = 1000  # jobs to remember; the oldest finished ones are forgotten
STARTING = 2.0  # seconds that every job is charged for the start of its process
PREEMPTION_INTERVAL = 1.0  # seconds between two checks for jobs to preempt
DEFAULT_SECONDS = 10.0  # expected seconds of a job before any has been measured
MAX_WAIT = 600  # the longest Retry-After, in seconds
RETRY_WHEN_FULL = 60  # Retry-After in seconds if too many jobs wait
BUSY = "Many games are waiting to be prepared; try again in a minute."
REPLACED = "you have requested other games since then: request this one again."


class JobQueue:
    """A queue of jobs: waiting, running and finished ones.

    Args:
        runner: the runner of the jobs.
        name: the prefix of the threads' names.
        at_once: number of workers; of several, one is reserved for default rules.
        first_slice: the first time slice of a job, in seconds.
        max_waiting: the number of jobs that can wait.
    """

    def __init__(
        self,
        runner: JobRunner,
        name: str,
        at_once: int,
        first_slice: float = FIRST_SLICE,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self._runner, self._first_slice, self._max_waiting = runner, first_slice, max_waiting
        self._changed = Condition()
        self._jobs: OrderedDict[str, QueuedJob] = OrderedDict()
        self._waiting: list[QueuedJob] = []
        self._running: list[QueuedJob] = []
        self._use = SolverUsage()
        self._typical: dict[str, float] = {}
        self._closed = False
        self._idle = Counter[bool]()  # idle workers, by whether they are reserved
        are_reserved = [at_once > 1, *[False] * (at_once - 1)]
        self._threads = [
            Thread(target=self._run_jobs, args=(is_reserved,), name=f"{name} {number}", daemon=True)
            for number, is_reserved in enumerate(are_reserved)
        ]
        self._threads.append(Thread(target=self._preempt, name=f"{name} preemption", daemon=True))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop all workers and kill their jobs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._runner.close()
        for thread in self._threads:
            thread.join()

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
            known = self._jobs.get(key)
            if known is not None and not known.can_be_retried:
                self._jobs.move_to_end(key)
                if not known.is_over and requester not in known.requesters and len(known.requesters) < MAX_REQUESTERS:
                    known.requesters.append(requester)
                    if known in self._running:
                        self._charge([requester], STARTING)
                return self._with_position(known)
            self._check_capacity(requester, has_default_rules)
            job = QueuedJob(key, function, arguments, [requester], has_default_rules, time_slice=self._first_slice)
            self._remember(job)
            self._waiting.append(job)
            self._changed.notify_all()
            return self._with_position(job)

    def run(self, function: str, arguments: dict[str, Any], requester: Requester) -> QueuedJob:
        """Queue a short job, which any worker can do and which is not preempted, and wait until it is over.

        Raises:
            ApiError: if too many jobs wait.
        """
        key = f"{function} {secrets.token_hex(8)}"
        job = self.submit(key, function, arguments, requester, has_default_rules=True)
        with self._changed:
            self._changed.wait_for(lambda: job.is_over or self._closed)
        self.forget(key)
        return job

    def _with_position(self, job: QueuedJob) -> QueuedJob:
        """Update the position in the queue and the expected seconds of a job, and return it."""
        typical = self._typical.get(job.function, DEFAULT_SECONDS)
        left = max(1.0, typical - (time.monotonic() - job.started_at))
        if job in self._waiting:
            has_default_rules = job.has_default_rules
            order = sorted(
                (each for each in self._waiting if each.has_default_rules or not has_default_rules), key=self._rank
            )
            before = len(self._running) + order.index(job)
            job.stage = "waiting"
            if before:
                job.stage = f"waiting; {before} before it"
            left = typical * (1 + before / max(1, len(self._threads) - 1 - (not has_default_rules)))
        job.seconds = min(math.ceil(left), MAX_WAIT)
        return job

    def _check_capacity(self, requester: Requester, has_default_rules: bool) -> None:
        own = [
            each
            for each in self._waiting_alike(has_default_rules)
            if any(other.user == requester.user for other in each.requesters)
        ]
        if len(own) >= MAX_OF_PERSON:
            self._remove_user(own[0], requester.user)
        alike = self._waiting_alike(has_default_rules)
        of_address = sum(requester.address != "" and each.requesters[0].address == requester.address for each in alike)
        if of_address >= MAX_OF_ADDRESS:
            raise ApiError(503, BUSY, RETRY_WHEN_FULL)
        if len(alike) >= self._max_waiting:
            last = max(alike, key=self._rank, default=None)
            if last is None or self._rank(last)[:2] <= tuple(map(self._use.of, requester.names)):
                raise ApiError(503, BUSY, RETRY_WHEN_FULL)
            self._cancel(last, BUSY)

    def _waiting_alike(self, has_default_rules: bool) -> list[QueuedJob]:
        return [each for each in self._waiting if each.has_default_rules == has_default_rules]

    def _remove_user(self, job: QueuedJob, user: str) -> None:
        """Remove a user from a job. If no other user waits for it, cancel it."""
        job.requesters = [requester for requester in job.requesters if requester.user != user]
        if not job.requesters:
            self._cancel(job, REPLACED)

    def _cancel(self, job: QueuedJob, sentence: str) -> None:
        """Remove a waiting job."""
        self._waiting.remove(job)
        del self._jobs[job.key]
        job.failed(sentence, is_interrupted=True)
        self._changed.notify_all()

    def _remember(self, job: QueuedJob) -> None:
        self._jobs[job.key] = job
        self._jobs.move_to_end(job.key)
        while len(self._jobs) > MAX_REMEMBERED:
            oldest = next((key for key, each in self._jobs.items() if each.is_over), None)
            if oldest is None:
                return
            del self._jobs[oldest]

    def _run_jobs(self, is_reserved: bool) -> None:
        while (job := self._next_job(is_reserved)) is not None:
            self._execute(job)
            with self._changed:
                self._finish(job)

    def _next_job(self, is_reserved: bool) -> QueuedJob | None:
        """Wait for the next job and return it. Return None when the server stops."""
        with self._changed:
            while not self._closed:
                waiting = [each for each in self._waiting if each.has_default_rules or not is_reserved]
                if waiting:
                    self._charge_running()
                    return self._start(min(waiting, key=self._rank))
                self._idle[is_reserved] += 1
                self._changed.wait()
                self._idle[is_reserved] -= 1
            return None

    def _start(self, job: QueuedJob) -> QueuedJob:
        self._waiting.remove(job)
        self._running.append(job)
        job.stage = "starting"
        job.started_at = time.monotonic()
        job.charged_until = job.started_at + STARTING
        self._charge(job.requesters, STARTING)
        return job

    def _charge(self, requesters: Iterable[Requester], seconds: float) -> None:
        for name in {name for requester in requesters for name in requester.names}:
            self._use.add(name, seconds)

    def _rank(self, job: QueuedJob) -> tuple[float, ...]:
        """Return the sort key of a job: the use of its address, that of its person, default rules first."""
        used = (tuple(map(self._use.of, requester.names)) for requester in job.requesters)
        return *min(used), not job.has_default_rules

    def _charge_running(self) -> None:
        """Charge the time that running jobs have used since the last call."""
        self._use.decay()
        now = time.monotonic()
        for each in self._running:
            self._charge(each.requesters, max(0.0, now - each.charged_until))
            each.charged_until = max(now, each.charged_until)

    def _finish(self, job: QueuedJob) -> None:
        self._charge_running()
        self._running.remove(job)
        typical = self._typical.get(job.function, DEFAULT_SECONDS)
        self._typical[job.function] = 0.7 * typical + 0.3 * (time.monotonic() - job.started_at)
        if job.is_preempted and not job.is_over:
            self._requeue(job)
        self._changed.notify_all()

    def _requeue(self, job: QueuedJob) -> None:
        job.is_preempted, job.time_slice = False, 2 * job.time_slice
        job.stage = "waiting"
        job.done = job.total = 0
        self._waiting.append(job)

    def _preempt(self) -> None:
        """Stop jobs that have used up their time slice while others wait."""
        with self._changed:
            while not self._closed:
                self._charge_running()
                overdue = self._job_to_preempt()
                if overdue is not None:
                    overdue.is_preempted = True
                    overdue.is_preempted = self._runner.stop(overdue)
                self._changed.wait(PREEMPTION_INTERVAL if self._waiting else None)

    def _job_to_preempt(self) -> QueuedJob | None:
        """Return the running job to preempt, the one whose user has used most, or None."""
        blocked = [
            each for each in self._waiting if not (self._idle[False] or (each.has_default_rules and self._idle[True]))
        ]
        if not blocked:
            return None
        next_job = min(blocked, key=self._rank)
        preemptible = [each for each in self._running if not (each.has_default_rules or each.is_preempted)]
        overdue = [
            each
            for each in preemptible
            if self._rank(each) > self._rank(next_job) and self._can_be_preempted(each, next_job)
        ]
        return max(overdue, key=self._rank, default=None)

    def _can_be_preempted(self, job: QueuedJob, other: QueuedJob) -> bool:
        """Return whether a running job can be preempted: its slice is used up, or it is an address's second job."""
        address = job.requesters[0].names[0]
        running = sum(each.requesters[0].names[0] == address for each in self._running if not each.has_default_rules)
        is_second = running > 1 and all(requester.names[0] != address for requester in other.requesters)
        return is_second or time.monotonic() - job.started_at >= job.time_slice

    def _execute(self, job: QueuedJob) -> None:
        try:
            job.succeeded(self._runner.run(job.function, job.arguments, job))
        except Exception as error:  # keep the worker alive for the other jobs
            with self._changed:
                if job.is_preempted:
                    return
            if isinstance(error, KomiError):
                job.failed(str(error), is_interrupted=isinstance(error, InterruptedJobError))
                return
            LOG.error("%s failed: %s: %s", job.function, type(error).__name__, error)  # noqa: TRY400
            job.failed("the solver failed; it has been logged.")
