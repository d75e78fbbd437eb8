"""The processes in which jobs run: what ends them ends one job only, and they end with the server."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from komi.web import job_queue, worker
from komi.web.job_queue import INTERRUPTED, OUT_OF_RESOURCES, JobQueue
from komi.web.queued_job import QueuedJob, Requester

import acting

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of processes")
SECONDS = 60
ANN, BOB = Requester("ann"), Requester("bob")


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., JobQueue]]:
    """Open queues of the jobs in `acting`."""
    monkeypatch.setattr(worker, "run", acting.run)
    with ExitStack() as opened:

        def open_queue(at_once: int = 1, **settings: Any) -> JobQueue:
            queue = JobQueue(at_once, **settings)
            opened.callback(queue.close)
            return queue

        yield open_queue


def until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def workers(queue: JobQueue) -> list[int]:
    return list(queue._pool._pool_manager.worker_manager.workers)


def test_processes_are_kept_for_as_many_jobs_as_the_queue_says(queue: Callable[..., JobQueue]) -> None:
    kept, replaced = queue(max_tasks=2), queue()
    first, second, third = (kept.run("pid", {}, ANN).result for _ in range(3))
    assert first == second != third
    assert replaced.run("pid", {}, ANN).result != replaced.run("pid", {}, ANN).result


def test_progress_of_a_job_is_that_which_its_process_reports(queue: Callable[..., JobQueue], tmp_path: Path) -> None:
    jobs, file = queue(), tmp_path / "file"
    job = jobs.submit("a", "wait", {"file": str(file)}, ANN)
    until(lambda: job.total)
    assert (job.stage, job.done, job.total) == ("waiting for a file, here", 1, 2)
    file.touch()
    until(lambda: job.is_over)
    assert (job.stage, job.result) == ("ready", True)


def test_a_process_that_is_killed_fails_its_own_job_only(queue: Callable[..., JobQueue], tmp_path: Path) -> None:
    jobs, file = queue(2, max_tasks=0), tmp_path / "file"
    other = jobs.submit("other", "wait", {"file": str(file)}, BOB)
    until(lambda: other.total)
    for by in (signal.SIGKILL, signal.SIGTERM):
        killed = jobs.run("die", {"by": by}, ANN)
        assert (killed.error, killed.is_interrupted) == (INTERRUPTED, True)
    crashed = jobs.run("die", {"by": signal.SIGSEGV}, ANN)
    assert (crashed.error, crashed.is_interrupted) == (OUT_OF_RESOURCES, False)
    assert jobs.run("pid", {}, ANN).ready
    file.touch()
    until(lambda: other.ready)


def test_a_process_that_is_killed_without_a_job_is_replaced(queue: Callable[..., JobQueue]) -> None:
    jobs = queue(max_tasks=0)
    first = jobs.run("pid", {}, ANN).result
    os.kill(first, signal.SIGKILL)
    until(lambda: first not in workers(jobs) or not jobs._pool.active)
    assert jobs.run("pid", {}, ANN).result != first
    assert workers(jobs) == [jobs.run("pid", {}, ANN).result]


def test_compiled_code_is_ended_at_the_limit_of_cpu_time(queue: Callable[..., JobQueue]) -> None:
    job = queue().run("burn", {}, ANN)
    assert (job.error, job.is_interrupted) == (OUT_OF_RESOURCES, False)


def test_compiled_code_is_ended_at_the_limit_of_time(
    queue: Callable[..., JobQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "MAX_SLOWDOWN", 2 / 120)
    jobs = queue()
    jobs.run("stay", {}, ANN)
    began = time.monotonic()
    job = jobs.run("stay", {}, ANN)
    assert time.monotonic() - began < SECONDS
    assert (job.error, job.is_interrupted) == (OUT_OF_RESOURCES, False)


def test_an_unknown_error_is_logged_and_the_pool_continues(queue: Callable[..., JobQueue], caplog: Any) -> None:
    jobs = queue()
    assert jobs.run("fail", {}, ANN).error == "the solver failed; it has been logged."
    assert caplog.messages == ["fail failed: RuntimeError: UnknownError: it is odd."]
    assert jobs.run("pid", {}, ANN).ready


def test_no_process_outlives_the_queue(queue: Callable[..., JobQueue]) -> None:
    jobs = queue(2)
    running: list[QueuedJob] = [
        jobs.submit(f"{number}", "stay", {}, Requester(f"{number}"), has_default_rules=True) for number in range(2)
    ]
    until(lambda: all(job.stage == "starting" for job in running))
    until(lambda: len(workers(jobs)) == 2)
    time.sleep(1.0)  # in compiled code
    pids = workers(jobs)
    began = time.monotonic()
    jobs.close()
    assert time.monotonic() - began < SECONDS
    assert not any(is_alive(pid) for pid in pids)
