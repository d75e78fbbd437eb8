"""Jobs in processes of their own, so that they delay no request: solving, matches, surfaces.

A process receives its arguments as one line of JSON on stdin. It writes lines of JSON: progress, and last the result.
Solutions are left in the cache, where the server reads them.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Any

from komi.errors import KomiError, SolveError
from komi.progress import Progress, silent

OUT_OF_RESOURCES = "there was not enough memory or time for this game: choose smaller numbers."


class JobRunner:
    """A runner of jobs in processes, which terminates them when the server stops."""

    def __init__(self) -> None:
        self._running: dict[subprocess.Popen[str], Progress] = {}
        self._lock = Lock()
        self._closed = False

    def run(self, job: str, arguments: dict[str, Any], progress: Progress = silent) -> Any:
        """Run a job, the name of a function in `komi.web.jobs`, and return its result.

        Raises:
            KomiError: if the job fails, with its error message.
        """
        with self._lock:
            if self._closed:
                raise SolveError("the server is stopping.")
            process = subprocess.Popen(
                [sys.executable, "-m", "komi.web.worker", job],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                process_group=0 if os.name == "posix" else None,  # only the server receives Ctrl-C: it kills its jobs
            )
            self._running[process] = progress
        try:
            return _exchange(process, arguments, progress)
        finally:
            with self._lock:
                del self._running[process]
            process.kill()
            process.wait()

    def stop(self, progress: Progress) -> bool:
        """Kill the job that reports to `progress`, and return whether there was one."""
        with self._lock:
            found = [process for process, reported in self._running.items() if reported is progress]
            for process in found:
                process.kill()
        return bool(found)

    def close(self) -> None:
        """Kill all jobs, and accept no more."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()


def _exchange(process: "subprocess.Popen[str]", arguments: dict[str, Any], progress: Progress) -> Any:
    """Send the arguments, report progress, and return the result."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout, suppress(BrokenPipeError):
        with process.stdin:
            process.stdin.write(json.dumps(arguments))
        for line in process.stdout:
            message = json.loads(line)
            if "stage" in message:
                progress(**message)
            elif "error" in message:
                raise KomiError(message["error"])
            else:
                return message["result"]
    raise SolveError(OUT_OF_RESOURCES)
