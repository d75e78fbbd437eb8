"""The part of a job that runs in a worker process, with limited memory and a low priority."""

import json
import math
import os
import signal
import time
from collections import defaultdict
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from komi.errors import KomiError, TooLargeError
from komi.progress import Progress
from komi.web import jobs

MAX_MEMORY = 6 << 30  # bytes of address space, so that a game that is too large fails without harm to the machine
MAX_SECONDS = defaultdict(lambda: 120, solve=600, strengths=300, rungs=300, costliest=300)  # of CPU time, by job
PROGRESS_INTERVAL = 0.1  # seconds between two progress reports
_reports: list[Connection] = []  # the pipe to the server


def initialize(reports: Connection) -> None:
    """Prepare a new process: lower its priority, and limit its memory.

    Args:
        reports: the pipe for progress, which the workers share: the system writes each short report as a whole.
    """
    _reports.append(reports)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends compiled code, too
    with Path(os.devnull).open("w") as null:
        os.dup2(null.fileno(), 1)
        os.dup2(null.fileno(), 2)
    with suppress(AttributeError, OSError):  # not supported by all systems
        os.nice(10)
    _limit("RLIMIT_AS", MAX_MEMORY)


def run(key: str, function: str, arguments: str) -> Any:
    """Run a job, and report its progress under this key; see `execute`."""
    reported_at = 0.0

    def progress(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at > PROGRESS_INTERVAL:
            reported_at = time.monotonic()
            _reports[0].send((key, f"{stage}, {note}" if note else stage, int(done), int(total)))

    _limit("RLIMIT_CPU", math.ceil(time.process_time()) + MAX_SECONDS[function])
    return execute(function, arguments, progress)


def execute(function: str, arguments: str, progress: Progress) -> Any:
    """Return the result of a function in `komi.web.jobs`.

    Args:
        function: the name of the function.
        arguments: its arguments as JSON.
        progress: receives the progress.

    Raises:
        KomiError: if the job fails.
        RuntimeError: if it fails unexpectedly. The server may not know the class of another exception.
    """
    try:
        return getattr(jobs, function)(progress=progress, **json.loads(arguments))
    except (MemoryError, TooLargeError):
        raise KomiError(jobs.TOO_LARGE) from None
    except KomiError as error:
        raise KomiError(str(error)) from None
    except Exception as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from None


def _limit(resource_name: str, limit: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # not supported by all systems
        import resource

        kind = getattr(resource, resource_name)
        resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))
