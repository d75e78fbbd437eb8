"""The worker process: it runs the jobs that it reads from stdin, a line of JSON each, and writes lines to stdout."""

import json
import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import Any

from komi.errors import KomiError, TooLargeError
from komi.web import jobs

MAX_MEMORY = 6 << 30  # bytes of address space, so that a game that is too large fails without harm to the machine
MAX_SECONDS = {
    "solve": 600,
    "strengths": 300,
    "tabulate": 120,
    "surface": 60,
    "excitement": 120,
    "puzzle": 60,
    "search": 120,
    "compile_search": 120,
    "estimate": 120,
    "costliest": 300,
}
"""Seconds of CPU time, by job."""
PROGRESS_INTERVAL = 0.1  # seconds between two progress lines


def main() -> None:
    """Run jobs until there are no more."""
    _limit_memory()
    with os.fdopen(os.dup(1), "w", buffering=1) as output, redirect_stdout(None):
        for line in sys.stdin:
            request = json.loads(line)
            _limit_time(MAX_SECONDS[request["job"]])
            _run(output.write, request["job"], request["arguments"])


def _run(write: Callable[[str], object], job: str, arguments: dict[str, Any]) -> None:
    reported_at = 0.0

    def progress(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at > PROGRESS_INTERVAL:
            reported_at = time.monotonic()
            write(json.dumps({"stage": stage, "done": int(done), "total": int(total), "note": note}) + "\n")

    try:
        result = getattr(jobs, job)(progress=progress, **arguments)
    except (MemoryError, TooLargeError):
        write(json.dumps({"error": jobs.TOO_LARGE}) + "\n")
    except KomiError as error:
        write(json.dumps({"error": str(error)}) + "\n")
    else:
        write(json.dumps({"result": result}) + "\n")


def _limit_memory() -> None:
    """Lower the priority of the process, and limit its memory."""
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not supported by all systems
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _limit_time(seconds: int) -> None:
    """Limit the CPU time from now on."""
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not supported by all systems
        import resource

        used = math.ceil(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
