"""A job in the queue, and the people who request it."""

import time
from dataclasses import dataclass, field
from typing import Any

from komi.web.responses import ApiError

RETRY_AFTER = 60  # seconds until a failed job can be retried
RETRY_INTERRUPTED = 5  # Retry-After of an interrupted job, in seconds


@dataclass(frozen=True)
class Requester:
    """The person who requests a job, and the address if it is known."""

    person: str
    address: str = ""
    has_cookie: bool = True

    @property
    def user(self) -> str:
        """The user whose jobs are limited: all people without a cookie at an address are one."""
        return self.person if self.has_cookie else f"without a cookie at {self.address}"

    @property
    def place(self) -> str:
        """The address, or the user if it is unknown: places take turns."""
        return f"address {self.address}" if self.address else self.user


@dataclass(eq=False)
class QueuedJob:
    """A job and its progress.

    Attributes:
        key: the key of the job.
        function: the name of a function in `komi.web.jobs`.
        arguments: the arguments of the job.
        has_default_rules: True if the game has its default rules.
        requester: the person who has requested it first.
        users: the users who wait for it.
        ready: True if it has succeeded.
        result: the result of the job.
        error: the reason if it has failed, else None.
        is_interrupted: True if the failure is not due to the job: it can be requested again at once.
        seconds: seconds until its progress is worth another request.
    """

    key: str
    function: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    has_default_rules: bool = False
    requester: Requester = Requester("")
    users: set[str] = field(default_factory=set)
    ready: bool = False
    result: Any = None
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    error: str | None = None
    failed_at: float = 0.0
    is_interrupted: bool = False
    seconds: int = 1

    @property
    def is_over(self) -> bool:
        """True if the job has succeeded or failed."""
        return self.ready or self.error is not None

    def succeeded(self, result: Any = None) -> None:
        """Record the result."""
        self.result, self.stage, self.ready = result, "ready", True

    def failed(self, sentence: str, *, is_interrupted: bool = False) -> None:
        """Record the reason of a failure."""
        self.is_interrupted, self.failed_at, self.error = is_interrupted, time.monotonic(), sentence

    def finished(self, waiting: str) -> Any:
        """Return the result.

        Args:
            waiting: the sentence of the response while the job is not over.

        Raises:
            ApiError: if the job failed, or it is not over.
        """
        if self.is_interrupted:
            raise ApiError(503, str(self.error), RETRY_INTERRUPTED)
        if self.error is not None:
            raise ApiError(422, self.error)
        if not self.ready:
            raise ApiError(503, waiting, self.seconds)
        return self.result

    @property
    def can_be_retried(self) -> bool:
        """True if the job was interrupted, or failed long enough ago to be retried."""
        return self.error is not None and (self.is_interrupted or time.monotonic() - self.failed_at > RETRY_AFTER)
