"""The worker process: it runs the job named on its command line, and writes lines of JSON to stdout."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import Any

from komi.errors import KomiError
from komi.web import jobs

MAX_MEMORY = 6 << 30  # bytes of address space, so that a game that is too large fails without harm to the machine
MAX_SECONDS = {
    "solve": 600,
    "strengths": 300,
    "tabulate": 120,
    "surface": 60,
    "puzzle": 60,
    "search": 120,
    "compile_search": 120,
    "estimate": 120,
    "costliest": 300,
}
"""Seconds of CPU time, by job."""
PROGRESS_INTERVAL = 0.1  # seconds between two progress lines


def main() -> None:
    """Run the job with the arguments from stdin."""
    _limit_resources(MAX_SECONDS[sys.argv[1]])
    arguments = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w", buffering=1) as output, redirect_stdout(None):
        _run(output.write, sys.argv[1], arguments)


def _run(write: Callable[[str], object], job: str, arguments: dict[str, Any]) -> None:
    reported_at = 0.0

    def progress(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at > PROGRESS_INTERVAL:
            reported_at = time.monotonic()
            write(json.dumps({"stage": stage, "done": int(done), "total": int(total), "note": note}) + "\n")

    try:
        result = getattr(jobs, job)(progress=progress, **arguments)
    except KomiError as error:
        write(json.dumps({"error": str(error)}) + "\n")
    except MemoryError:
        write(json.dumps({"error": jobs.TOO_LARGE}) + "\n")
    else:
        write(json.dumps({"result": result}) + "\n")


def _limit_resources(seconds: int) -> None:
    """Lower the priority of the process, and limit its memory and CPU time."""
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not supported by all systems
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    main()
