"""Independent jobs: what is done for each, and what comes of it; see `komi.parallel` for where they are done."""

from collections.abc import Callable
from typing import TypeVar

from komi.errors import KomiError
from komi.progress import Progress, silent

Job = TypeVar("Job")
Result = TypeVar("Result")
Work = Callable[[Job, Progress], Result]
"""What is done for one job. It tells its progress often: that is where it ends if nobody wants it any more."""

Finished = tuple[Job, Result | KomiError]
"""A job, and its result or what is wrong with it."""


def attempt(work: Work[Job, Result], job: Job, progress: Progress = silent) -> Result | KomiError:
    """The result, or what is wrong in a way that a person can mend."""
    try:
        return work(job, progress)
    except KomiError as error:
        return error
