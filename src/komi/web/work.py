"""A queue of jobs in other processes: a few run at once, in an order that is fair to people and addresses.

The next job is the one whose address, and then whose person, has used the least solver time recently. A job that has
used up its time slice is preempted by a waiting job of a person or address that has used less: it is stopped, and
restarted later with twice the time. A second job of one address is preempted by another address at once. Jobs for games
under their default rules serve everybody and are soon done and cached: one worker is reserved for them, they are never
preempted, and other jobs do not count against their limits.
"""

import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from komi.errors import KomiError
from komi.web.job_process import Apart
from komi.web.refusals import RefusalError

LOG = logging.getLogger("komi.web")
MAX_OF_PERSON = 3  # jobs that one person waits for: one more replaces the one that has waited longest
MAX_OF_ADDRESS = 100  # jobs that wait for one address, for example a class
MAX_WAITING = 1000
MAX_ASKERS = 100  # people per job that its time is charged to
MAX_REMEMBERED = 1000  # jobs to remember; the oldest finished ones are forgotten
FORGIVING = 60  # seconds until a failed job can be retried
TURN = 20.0  # the first time slice of a job in seconds: compiled code is cached within it
STARTING = 2.0  # seconds that every job is charged for the start of its process
HALF_LIFE = 600.0  # half-life of the used time, in seconds
FORGOTTEN = 0.1  # used time, in seconds, below which an entry is dropped
CHECKING = 1.0  # seconds between two checks for jobs to preempt
TYPICAL = 10.0  # expected seconds of a job before any has been measured
MAX_WAIT = 600  # the longest Retry-After, in seconds
FULL = 60  # Retry-After in seconds if too many jobs wait


@dataclass(frozen=True)
class Asker:
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
class Preparation:
    """A job and its progress.

    Attributes:
        key: the key of the job.
        job: the name of a function in `komi.web.jobs`.
        arguments: the arguments of the job.
        askers: the people who wait for it, to whom its time is charged.
        is_usual: True if the game has its default rules.
        ready: True if it has succeeded.
        answer: the result of the job.
        error: the reason if it has failed, else None.
        seconds: expected seconds until it is over.
        turn: its time slice, in seconds.
        begun: the time when its process was started.
        counted: the time up to which its use is charged.
        is_stopped: True if it is preempted.
    """

    key: str
    job: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    askers: list[Asker] = field(default_factory=list)
    is_usual: bool = False
    ready: bool = False
    answer: Any = None
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    error: str | None = None
    failed_at: float = 0.0
    seconds: int = 1
    turn: float = TURN
    begun: float = 0.0
    counted: float = 0.0
    is_stopped: bool = False

    @property
    def is_over(self) -> bool:
        """True if the job has succeeded or failed."""
        return self.ready or self.error is not None

    def succeeded(self, answer: Any = None) -> None:
        """Record the result."""
        self.answer, self.stage, self.ready = answer, "ready", True

    def failed(self, sentence: str) -> None:
        """Record the reason of a failure."""
        self.error, self.failed_at = sentence, time.monotonic()

    @property
    def may_be_tried_again(self) -> bool:
        """True if the job failed long enough ago to be retried."""
        return self.error is not None and time.monotonic() - self.failed_at > FORGIVING

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Record the progress that the job reports."""
        self.stage, self.done, self.total = f"{stage}, {note}" if note else stage, done, total


class Use:
    """The solver time that people and addresses have used recently, with exponential decay."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._faded = time.monotonic()

    def of(self, name: str) -> float:
        """Return the used time of a person or address, in seconds."""
        return self._used.get(name, 0.0)

    def add(self, name: str, seconds: float) -> None:
        """Add used time."""
        self._used[name] = self.of(name) + seconds

    def fade(self) -> None:
        """Reduce the used time by the half-life, and drop negligible entries."""
        now = time.monotonic()
        rest = 0.5 ** ((now - self._faded) / HALF_LIFE)
        self._used = {name: rest * used for name, used in self._used.items() if rest * used > FORGOTTEN}
        self._faded = now


class Work:
    """A queue of jobs: waiting, running and finished ones.

    Args:
        apart: the runner of the jobs.
        name: the prefix of the threads' names.
        at_once: number of workers; of several, one is reserved for default rules.
        turn: the first time slice of a job, in seconds.
    """

    def __init__(self, apart: Apart, name: str, at_once: int, turn: float = TURN) -> None:
        self._apart, self._turn = apart, turn
        self._changed = Condition()
        self._known: OrderedDict[str, Preparation] = OrderedDict()
        self._waiting: list[Preparation] = []
        self._running: list[Preparation] = []
        self._use = Use()
        self._typical: dict[str, float] = {}
        self._closed = False
        self._idle = Counter[bool]()  # idle workers, by whether they are reserved
        are_reserved = [at_once > 1, *[False] * (at_once - 1)]
        self._threads = [
            Thread(target=self._go_on, args=(is_reserved,), name=f"{name} {number}", daemon=True)
            for number, is_reserved in enumerate(are_reserved)
        ]
        self._threads.append(Thread(target=self._watch, name=f"{name} turns", daemon=True))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop all workers and kill their jobs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._apart.close()
        for thread in self._threads:
            thread.join()

    def find(self, key: str) -> Preparation | None:
        """Return the job with this key, or None."""
        with self._changed:
            known = self._known.get(key)
            return known and self._with_place(known)

    def forget(self, key: str) -> None:
        """Forget a finished job, so that it can be requested again."""
        with self._changed:
            if key in self._known and self._known[key].is_over:
                del self._known[key]

    def note(self, preparation: Preparation) -> Preparation:
        """Record a finished job that needs no work."""
        with self._changed:
            self._remember(preparation)
        return preparation

    def ask(
        self, key: str, job: str, arguments: dict[str, Any], asker: Asker, *, is_usual: bool = False
    ) -> Preparation:
        """Return the job with this key. Queue it if it is new.

        Raises:
            RefusalError: if too many jobs wait.
        """
        with self._changed:
            known = self._known.get(key)
            if known is not None and not known.may_be_tried_again:
                self._known.move_to_end(key)
                if not known.is_over and asker not in known.askers and len(known.askers) < MAX_ASKERS:
                    known.askers.append(asker)
                    if known in self._running:
                        self._charge([asker], STARTING)
                return self._with_place(known)
            self._make_room(asker, is_usual)
            preparation = Preparation(key, job, arguments, [asker], is_usual, turn=self._turn)
            self._remember(preparation)
            self._waiting.append(preparation)
            self._changed.notify_all()
            return self._with_place(preparation)

    def _with_place(self, preparation: Preparation) -> Preparation:
        """Update the position in the queue and the expected seconds of a job, and return it."""
        typical = self._typical.get(preparation.job, TYPICAL)
        left = max(1.0, typical - (time.monotonic() - preparation.begun))
        if preparation in self._waiting:
            is_usual = preparation.is_usual
            order = sorted((each for each in self._waiting if each.is_usual or not is_usual), key=self._rank)
            before = len(self._running) + order.index(preparation)
            preparation.stage = "waiting"
            if before:
                preparation.stage = f"waiting; {before} before it"
            left = typical * (1 + before / max(1, len(self._threads) - 1 - (not is_usual)))
        preparation.seconds = min(math.ceil(left), MAX_WAIT)
        return preparation

    def _make_room(self, asker: Asker, is_usual: bool) -> None:
        mine = [each for each in self._alike(is_usual) if any(other.user == asker.user for other in each.askers)]
        if len(mine) >= MAX_OF_PERSON:
            self._withdraw(mine[0], asker.user)
        alike = self._alike(is_usual)
        from_there = sum(asker.address != "" and each.askers[0].address == asker.address for each in alike)
        if len(alike) >= MAX_WAITING or from_there >= MAX_OF_ADDRESS:
            raise RefusalError(503, "Many games are waiting to be prepared; try again in a minute.", FULL)

    def _alike(self, is_usual: bool) -> list[Preparation]:
        return [each for each in self._waiting if each.is_usual == is_usual]

    def _withdraw(self, preparation: Preparation, user: str) -> None:
        """Remove a user from a job. If nobody else waits for it, cancel it."""
        preparation.askers = [asker for asker in preparation.askers if asker.user != user]
        if not preparation.askers:
            self._waiting.remove(preparation)
            del self._known[preparation.key]
            preparation.failed("you have asked for others since: ask for it again.")

    def _remember(self, preparation: Preparation) -> None:
        self._known[preparation.key] = preparation
        self._known.move_to_end(preparation.key)
        while len(self._known) > MAX_REMEMBERED:
            oldest = next((key for key, each in self._known.items() if each.is_over), None)
            if oldest is None:
                return
            del self._known[oldest]

    def _go_on(self, is_reserved: bool) -> None:
        while (preparation := self._take(is_reserved)) is not None:
            self._do(preparation)
            with self._changed:
                self._end(preparation)

    def _take(self, is_reserved: bool) -> Preparation | None:
        """Wait for the next job and return it. Return None when the server stops."""
        with self._changed:
            while not self._closed:
                waiting = [each for each in self._waiting if each.is_usual or not is_reserved]
                if waiting:
                    self._count()
                    return self._begin(min(waiting, key=self._rank))
                self._idle[is_reserved] += 1
                self._changed.wait()
                self._idle[is_reserved] -= 1
            return None

    def _begin(self, preparation: Preparation) -> Preparation:
        self._waiting.remove(preparation)
        self._running.append(preparation)
        preparation.stage = "starting"
        preparation.begun = time.monotonic()
        preparation.counted = preparation.begun + STARTING
        self._charge(preparation.askers, STARTING)
        return preparation

    def _charge(self, askers: Iterable[Asker], seconds: float) -> None:
        for name in {name for asker in askers for name in asker.names}:
            self._use.add(name, seconds)

    def _rank(self, preparation: Preparation) -> tuple[float, ...]:
        """Return the sort key of a job: the use of its address, that of its person, default rules first."""
        used = (tuple(map(self._use.of, asker.names)) for asker in preparation.askers)
        return *min(used), not preparation.is_usual

    def _count(self) -> None:
        """Charge the time that running jobs have used since the last call."""
        self._use.fade()
        now = time.monotonic()
        for each in self._running:
            self._charge(each.askers, max(0.0, now - each.counted))
            each.counted = max(now, each.counted)

    def _end(self, preparation: Preparation) -> None:
        self._count()
        self._running.remove(preparation)
        typical = self._typical.get(preparation.job, TYPICAL)
        self._typical[preparation.job] = 0.7 * typical + 0.3 * (time.monotonic() - preparation.begun)
        if preparation.is_stopped and not preparation.is_over:
            self._put_back(preparation)
        self._changed.notify_all()

    def _put_back(self, preparation: Preparation) -> None:
        preparation.is_stopped, preparation.turn = False, 2 * preparation.turn
        preparation.stage = "waiting"
        preparation.done = preparation.total = 0
        self._waiting.append(preparation)

    def _watch(self) -> None:
        """Stop jobs that have used up their time slice while others wait."""
        with self._changed:
            while not self._closed:
                self._count()
                overdue = self._overdue()
                if overdue is not None:
                    overdue.is_stopped = True
                    overdue.is_stopped = self._apart.stop(overdue)
                self._changed.wait(CHECKING if self._waiting else None)

    def _overdue(self) -> Preparation | None:
        """Return the running job to preempt, the one whose user has used most, or None."""
        stuck = [each for each in self._waiting if not (self._idle[False] or (each.is_usual and self._idle[True]))]
        if not stuck:
            return None
        next_ = min(stuck, key=self._rank)
        given = [each for each in self._running if not (each.is_usual or each.is_stopped)]
        overdue = [each for each in given if self._rank(each) > self._rank(next_) and self._is_over_turn(each, next_)]
        return max(overdue, key=self._rank, default=None)

    def _is_over_turn(self, preparation: Preparation, other: Preparation) -> bool:
        """Return whether a running job can be preempted: its slice is used up, or it is an address's second job."""
        address = preparation.askers[0].names[0]
        places = sum(each.askers[0].names[0] == address for each in self._running if not each.is_usual)
        is_second = places > 1 and all(asker.names[0] != address for asker in other.askers)
        return is_second or time.monotonic() - preparation.begun >= preparation.turn

    def _do(self, preparation: Preparation) -> None:
        try:
            preparation.succeeded(self._apart.run(preparation.job, preparation.arguments, preparation))
        except Exception as error:  # keep the worker alive for the other jobs
            with self._changed:
                if preparation.is_stopped:
                    return
            if isinstance(error, KomiError):
                preparation.failed(str(error))
                return
            LOG.error("%s failed: %s: %s", preparation.job, type(error).__name__, error)  # noqa: TRY400
            preparation.failed("the solver failed; it has been logged.")
