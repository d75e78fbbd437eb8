"""A job in the queue, the people who request it, and the solver time that they have used."""

import time
from dataclasses import dataclass, field
from typing import Any

from komi.web.responses import ApiError

RETRY_AFTER = 60  # seconds until a failed job can be retried
RETRY_INTERRUPTED = 5  # Retry-After of an interrupted job, in seconds
FIRST_SLICE = 20.0  # the first time slice of a job in seconds: compiled code is cached within it
HALF_LIFE = 600.0  # half-life of the used time, in seconds
NEGLIGIBLE = 0.1  # used time, in seconds, below which an entry is dropped


@dataclass(frozen=True)
class Requester:
    """The person who requests a job, and the address if it is known."""

    person: str
    address: str = ""
    has_cookie: bool = True

    @property
    def user(self) -> str:
        """The user that the job is charged to: all people without a cookie at an address are one."""
        return self.person if self.has_cookie else f"without a cookie at {self.address}"

    @property
    def names(self) -> tuple[str, str]:
        """The two names that time is charged to: the address, or the user if it is unknown, and the user."""
        return f"address {self.address}" if self.address else self.user, self.user


@dataclass(eq=False)
class QueuedJob:
    """A job and its progress.

    Attributes:
        key: the key of the job.
        function: the name of a function in `komi.web.jobs`.
        arguments: the arguments of the job.
        requesters: the people who wait for it, to whom its time is charged.
        has_default_rules: True if the game has its default rules.
        ready: True if it has succeeded.
        result: the result of the job.
        error: the reason if it has failed, else None.
        is_interrupted: True if the failure is not due to the job: it can be requested again at once.
        seconds: expected seconds until it is over.
        time_slice: seconds that it may run while others wait.
        started_at: the time when its process was started.
        charged_until: the time up to which its use is charged.
        is_preempted: True if it is stopped to let another job run.
    """

    key: str
    function: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    requesters: list[Requester] = field(default_factory=list)
    has_default_rules: bool = False
    ready: bool = False
    result: Any = None
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    error: str | None = None
    failed_at: float = 0.0
    is_interrupted: bool = False
    seconds: int = 1
    time_slice: float = FIRST_SLICE
    started_at: float = 0.0
    charged_until: float = 0.0
    is_preempted: bool = False

    @property
    def is_over(self) -> bool:
        """True if the job has succeeded or failed."""
        return self.ready or self.error is not None

    def succeeded(self, result: Any = None) -> None:
        """Record the result."""
        self.result, self.stage, self.ready = result, "ready", True

    def failed(self, sentence: str, *, is_interrupted: bool = False) -> None:
        """Record the reason of a failure."""
        self.error, self.failed_at, self.is_interrupted = sentence, time.monotonic(), is_interrupted

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

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Record the progress that the job reports."""
        self.stage, self.done, self.total = f"{stage}, {note}" if note else stage, done, total


class SolverUsage:
    """The solver time that people and addresses have used recently, with exponential decay."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._decayed_at = time.monotonic()

    def of(self, name: str) -> float:
        """Return the used time of a person or address, in seconds."""
        return self._used.get(name, 0.0)

    def add(self, name: str, seconds: float) -> None:
        """Add used time."""
        self._used[name] = self.of(name) + seconds

    def decay(self) -> None:
        """Reduce the used time by the half-life, and drop negligible entries."""
        now = time.monotonic()
        factor = 0.5 ** ((now - self._decayed_at) / HALF_LIFE)
        self._used = {name: factor * used for name, used in self._used.items() if factor * used > NEGLIGIBLE}
        self._decayed_at = now
