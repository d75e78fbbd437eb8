"""Jobs in processes of their own, so that they delay no request: solving, matches, surfaces, searches.

A process receives each job as one line of JSON on stdin. It writes lines of JSON: progress, and last the result.
Solutions are left in the cache, where the server reads them. Most processes end with their job. One that has searched
is kept for a while, since starting another takes longer than most searches.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock, Timer
from typing import Any

from komi.errors import KomiError, SolveError
from komi.progress import Progress, silent

KEPT = frozenset({"search", "estimate"})  # the jobs whose processes are kept
MAX_IDLE = 2  # processes without a job
ENDING = 5.0  # seconds in which a process that has closed its output ends
MAX_IDLE_SECONDS = 120.0  # until a process without a job is killed
OUT_OF_RESOURCES = "there was not enough memory or time for this game: choose smaller numbers."
INTERRUPTED = "the server interrupted this work, perhaps because it is short of memory; try again in a moment."
INTERRUPTIONS = frozenset({-signal.SIGTERM, -getattr(signal, "SIGKILL", signal.SIGTERM)})
"""Return codes of a process that was killed from outside; a process at its own limits ends otherwise."""
Process = subprocess.Popen[str]


class InterruptedJobError(SolveError):
    """A process was killed, twice in a row, before it reached a limit: the job itself may be fine."""


class JobRunner:
    """A runner of jobs in processes, which terminates them when the server stops."""

    def __init__(self) -> None:
        self._running: dict[Process, Progress] = {}
        self._idle: dict[Process, Timer] = {}  # with the timer that kills each
        self._stopped: set[Process] = set()  # running processes that the server has killed
        self._lock = Lock()
        self._closed = False

    def run(self, job: str, arguments: dict[str, Any], progress: Progress = silent) -> Any:
        """Run a job, the name of a function in `komi.web.jobs`, and return its result.

        A job is started once more if its process is killed from outside before it reaches a limit.

        Raises:
            InterruptedJobError: if its process is killed again.
            KomiError: if the job fails, with its error message.
        """
        for _ in range(2):
            process, response = self._take(job, progress), None
            try:
                response = _exchange(process, {"job": job, "arguments": arguments}, progress)
            finally:
                is_stopped = self._release(process, keep=response is not None and job in KEPT)
            if response is not None and "error" in response:
                raise KomiError(response["error"])
            if response is not None:
                return response["result"]
            if is_stopped or process.returncode not in INTERRUPTIONS:
                raise SolveError(OUT_OF_RESOURCES)
        raise InterruptedJobError(INTERRUPTED)

    def _take(self, job: str, progress: Progress) -> Process:
        """Return a process that waits for a job, or start one."""
        with self._lock:
            if self._closed:
                raise SolveError("the server is stopping.")
            process = self._take_idle() if job in KEPT else None
            if process is None:
                process = _start()
            self._running[process] = progress
        return process

    def _take_idle(self) -> Process | None:
        """Return a process that is kept and has not ended; None if there is none."""
        while self._idle:
            process, timer = self._idle.popitem()
            timer.cancel()
            if process.poll() is None:
                return process
            _end(process)
        return None

    def _release(self, process: Process, keep: bool) -> bool:
        """Keep a process for other jobs, or end it. Return whether the server has killed it."""
        with self._lock:
            del self._running[process]
            is_stopped = process in self._stopped
            self._stopped.discard(process)
            if keep and not self._closed and len(self._idle) < MAX_IDLE:
                timer = Timer(MAX_IDLE_SECONDS, self._end_idle, (process,))
                timer.daemon = True
                timer.start()
                self._idle[process] = timer
                return is_stopped
        _end(process)
        return is_stopped

    def _end_idle(self, process: Process) -> None:
        with self._lock:
            if self._idle.pop(process, None) is None:
                return
        _end(process)

    def stop(self, progress: Progress) -> bool:
        """Kill the job that reports to `progress`, and return whether there was one."""
        with self._lock:
            found = [process for process, reported in self._running.items() if reported is progress]
            self._kill(found)
        return bool(found)

    def close(self) -> None:
        """Kill all jobs, and accept no more."""
        with self._lock:
            self._closed = True
            self._kill(self._running)
            idle, self._idle = self._idle, {}
        for process, timer in idle.items():
            timer.cancel()
            _end(process)

    def _kill(self, processes: Iterable[Process]) -> None:
        for process in processes:
            self._stopped.add(process)
            process.kill()


def _start() -> Process:
    return subprocess.Popen(
        [sys.executable, "-m", "komi.web.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        process_group=0 if os.name == "posix" else None,  # only the server receives Ctrl-C: it kills its jobs
    )


def _end(process: Process) -> None:
    process.kill()
    process.communicate()


def _exchange(process: Process, request: dict[str, Any], progress: Progress) -> dict[str, Any] | None:
    """Send a job, report progress, and return the response; None if the process has ended without one."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            message: dict[str, Any] = json.loads(line)
            if "stage" not in message:
                return message
            progress(**message)
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING)
    return None
