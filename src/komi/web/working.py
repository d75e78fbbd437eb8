"""The process apart: does the job that its command line names, and tells of it on stdout, a line of JSON at a time."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import Any

from komi.errors import KomiError
from komi.web import jobs

MOST_MEMORY = 6 << 30  # bytes of address space: whoever asks for a game too large gets an answer, not the whole machine
MOST_SECONDS = {"solve": 600, "strengths": 300, "seat": 120, "surface": 60, "puzzle": 60}  # of computing
TELLING = 0.1  # seconds between two lines about progress


def main() -> None:
    """Do the job, with the arguments that stdin says."""
    _be_modest(MOST_SECONDS[sys.argv[1]])
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
    """Leave the cores to people's moves, and memory to the machine."""
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not all systems can
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    main()
