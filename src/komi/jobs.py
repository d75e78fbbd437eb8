"""Independent jobs, their work and their results; see `komi.parallel` for where they run."""

from collections.abc import Callable
from typing import TypeVar

from komi.errors import KomiError
from komi.progress import Progress, silent

Job = TypeVar("Job")
Result = TypeVar("Result")
Work = Callable[[Job, Progress], Result]
"""The function that does one job. It must report its progress often: these calls end it if it is cancelled."""

Finished = tuple[Job, Result | KomiError]
"""A job, and its result or the error that ended it."""


def attempt(work: Work[Job, Result], job: Job, progress: Progress = silent) -> Result | KomiError:
    """Return the result of a job, or the KomiError that it raises."""
    try:
        return work(job, progress)
    except KomiError as error:
        return error
