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
MAX_SECONDS = {"solve": 600, "strengths": 300, "seat": 120, "surface": 60, "puzzle": 60}  # of CPU time
TELLING = 0.1  # seconds between two lines about progress


def main() -> None:
    """Run the job with the arguments from stdin."""
    _be_modest(MAX_SECONDS[sys.argv[1]])
    arguments = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w", buffering=1) as told, redirect_stdout(None):
        _work(told.write, sys.argv[1], arguments)


def _work(write: Callable[[str], object], job: str, arguments: dict[str, Any]) -> None:
    last = 0.0

    def progress(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal last
        if time.monotonic() - last > TELLING:
            last = time.monotonic()
            write(json.dumps({"stage": stage, "done": int(done), "total": int(total), "note": note}) + "\n")

    try:
        answer = getattr(jobs, job)(progress=progress, **arguments)
    except KomiError as error:
        write(json.dumps({"error": str(error)}) + "\n")
    except MemoryError:
        write(json.dumps({"error": jobs.TOO_LARGE}) + "\n")
    else:
        write(json.dumps({"answer": answer}) + "\n")


def _be_modest(seconds: int) -> None:
    """Lower the priority of the process, and limit its memory and CPU time."""
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not supported by all systems
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    main()
