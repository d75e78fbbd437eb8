"""Long work in a process of its own, so that nobody's move waits for it: solving, matches, surfaces.

The process is told its job as one line of JSON, tells how far it is line by line, and answers in the last line. What it
solves it leaves in the cache, where the server finds it.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from komi.errors import KomiError, SolveError
from komi.progress import Progress, silent

MOST_MEMORY = 6 << 30  # bytes of address space: whoever asks for a game too large gets an answer, not the whole machine
MOST_SECONDS = 600
TELLING = 0.1  # seconds between two lines about progress
ENDED = "there was not enough memory or time for this game: choose smaller numbers."


class Apart:
    """Runs jobs, and ends those that are still running when the server stops."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = Lock()
        self._closed = False

    def run(self, job: str, arguments: dict[str, Any], progress: Progress = silent) -> Any:
        """The answer of a job: the name of a function in `komi.web.jobs`.

        Raises:
            KomiError: with the sentence that the job ended with.
        """
        with self._lock:
            if self._closed:
                raise SolveError("the server is stopping.")
            process = subprocess.Popen(
                [sys.executable, "-m", "komi.web.apart", job],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                process_group=0,  # Ctrl-C is for the server, which ends its jobs itself
            )
            self._running.add(process)
        try:
            return _answer(process, arguments, progress)
        finally:
            with self._lock:
                self._running.discard(process)
            process.kill()
            process.wait()

    def close(self) -> None:
        """End all jobs."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()


def _answer(process: "subprocess.Popen[str]", arguments: dict[str, Any], progress: Progress) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout, contextlib.suppress(BrokenPipeError):
        with process.stdin:
            process.stdin.write(json.dumps(arguments))
        for line in process.stdout:
            told = json.loads(line)
            if "stage" in told:
                progress(**told)
            elif "error" in told:
                raise KomiError(told["error"])
            else:
                return told["answer"]
    raise SolveError(ENDED)


def main() -> None:
    """Do the job that the command line names, and tell of it on stdout."""
    _be_modest()
    arguments = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w", buffering=1) as told, contextlib.redirect_stdout(None):
        _tell(told.write, sys.argv[1], arguments)


def _tell(write: Callable[[str], object], job: str, arguments: dict[str, Any]) -> None:
    last = 0.0

    def progress(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal last
        if time.monotonic() - last > TELLING:
            last = time.monotonic()
            write(json.dumps({"stage": stage, "done": int(done), "total": int(total), "note": note}) + "\n")

    try:
        from komi.web import jobs

        answer = getattr(jobs, job)(progress=progress, **arguments)
    except KomiError as error:
        write(json.dumps({"error": str(error)}) + "\n")
    except MemoryError:
        write(json.dumps({"error": ENDED}) + "\n")
    else:
        write(json.dumps({"answer": answer}) + "\n")


def _be_modest() -> None:
    """Leave the cores to people's moves, and memory to the machine."""
    os.nice(10)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


if __name__ == "__main__":
    main()
