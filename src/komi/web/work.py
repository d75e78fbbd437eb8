"""Long work that is done apart and waited for: a few pieces at once, the people in turn, and only so many for each."""

import logging
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from komi.errors import KomiError
from komi.web.apart import Apart
from komi.web.refusals import RefusalError

LOG = logging.getLogger("komi.web")
MOST_OF_PERSON = 3  # pieces that one person waits for: who asks for more gives up the one that has waited longest
MOST_OF_ADDRESS = 8  # that are waited for from one address
MOST_WAITING = 24
MOST_REMEMBERED = 1000  # pieces that are over, to be asked about
FORGIVING = 60  # seconds until what has failed may be tried again


@dataclass(frozen=True)
class Asker:
    """Who asks for work: a person, at an address if that is known."""

    person: str
    address: str = ""


@dataclass(eq=False)
class Preparation:
    """A piece of work, and how far it is.

    Attributes:
        key: what it is known by.
        job: the name of a function in `komi.web.jobs`.
        arguments: what the job is told.
        askers: who waits for it; the first is the one whose turn it takes.
        ready: it is done.
        answer: what the job has answered.
        error: why it cannot be had.
    """

    key: str
    job: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    askers: list[Asker] = field(default_factory=list)
    ready: bool = False
    answer: Any = None
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    error: str | None = None
    failed_at: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether it is done, or has failed."""
        return self.ready or self.error is not None

    def succeeded(self, answer: Any = None) -> None:
        """Is told that it is done."""
        self.answer, self.stage, self.ready = answer, "ready", True

    def failed(self, sentence: str) -> None:
        """Is told why it cannot be had."""
        self.error, self.failed_at = sentence, time.monotonic()

    @property
    def may_be_tried_again(self) -> bool:
        """Whether what has failed failed some time ago."""
        return self.error is not None and time.monotonic() - self.failed_at > FORGIVING

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Is told by the job how far it is."""
        self.stage, self.done, self.total = f"{stage}, {note}" if note else stage, done, total


class Work:
    """Pieces of work: those that wait, those that are being done, and those that are over.

    Next is the piece whose asker has been served least lately, and nobody has as many done at once as can be: one
    person, or one address, holds up nobody else.

    Args:
        apart: where it is done.
        name: what the threads are called.
        at_once: how many pieces are done at once.
    """

    def __init__(self, apart: Apart, name: str, at_once: int) -> None:
        self._apart = apart
        self._changed = Condition()
        self._known: OrderedDict[str, Preparation] = OrderedDict()
        self._waiting: list[Preparation] = []
        self._running: list[Preparation] = []
        self._served: OrderedDict[str, int] = OrderedDict()
        self._turns = 0
        self._closed = False
        self._threads = [Thread(target=self._go_on, name=f"{name} {i}", daemon=True) for i in range(at_once)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Do no more of it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._apart.close()
        for thread in self._threads:
            thread.join()

    def find(self, key: str) -> Preparation | None:
        """The piece with this key, if there is one."""
        with self._changed:
            known = self._known.get(key)
            return known and self._with_place(known)

    def forget(self, key: str) -> None:
        """Let a piece that is over be asked for again."""
        with self._changed:
            if key in self._known and self._known[key].is_over:
                del self._known[key]

    def note(self, preparation: Preparation) -> Preparation:
        """Remember a piece that needs no work."""
        with self._changed:
            self._remember(preparation)
        return preparation

    def ask(self, key: str, job: str, arguments: dict[str, Any], asker: Asker) -> Preparation:
        """The piece with this key; it waits for its turn if nobody has asked for it before.

        Raises:
            RefusalError: if too many pieces are waited for.
        """
        with self._changed:
            known = self._known.get(key)
            if known is not None and not known.may_be_tried_again:
                self._known.move_to_end(key)
                if not known.is_over and asker not in known.askers:
                    known.askers.append(asker)
                return self._with_place(known)
            self._make_room(asker)
            preparation = Preparation(key, job, arguments, [asker])
            self._remember(preparation)
            self._waiting.append(preparation)
            self._changed.notify_all()
            return self._with_place(preparation)

    def _with_place(self, preparation: Preparation) -> Preparation:
        """The piece; if it waits, it says for how many others, if nobody is served first who was so less lately."""
        if preparation in self._waiting and (before := len(self._running) + self._waiting.index(preparation)):
            preparation.stage = f"waiting; {before} before it"
        return preparation

    def _make_room(self, asker: Asker) -> None:
        mine = [each for each in self._waiting if any(other.person == asker.person for other in each.askers)]
        if len(mine) >= MOST_OF_PERSON:
            self._withdraw(mine[0], asker.person)
        unfinished = self._waiting + self._running
        from_there = sum(asker.address != "" and each.askers[0].address == asker.address for each in unfinished)
        if len(unfinished) >= MOST_WAITING or from_there >= MOST_OF_ADDRESS:
            raise RefusalError(503, "Many games are waiting to be prepared; try again in a minute.")

    def _withdraw(self, preparation: Preparation, person: str) -> None:
        """Somebody waits for it no more; if nobody does, it is not done."""
        preparation.askers = [asker for asker in preparation.askers if asker.person != person]
        if not preparation.askers:
            self._waiting.remove(preparation)
            del self._known[preparation.key]
            preparation.failed("you have asked for others since: ask for it again.")

    def _remember(self, preparation: Preparation) -> None:
        self._known[preparation.key] = preparation
        self._known.move_to_end(preparation.key)
        while len(self._known) > MOST_REMEMBERED:
            oldest = next((key for key, each in self._known.items() if each.is_over), None)
            if oldest is None:
                return
            del self._known[oldest]

    def _go_on(self) -> None:
        while (preparation := self._take()) is not None:
            self._do(preparation)
            with self._changed:
                self._running.remove(preparation)
                self._changed.notify_all()

    def _take(self) -> Preparation | None:
        """The next piece, once there is one; None when the server stops."""
        with self._changed:
            while not self._closed:
                preparation = self._next()
                if preparation is not None:
                    self._waiting.remove(preparation)
                    self._running.append(preparation)
                    preparation.stage = "starting"
                    self._serve(preparation.askers[0].person)
                    return preparation
                self._changed.wait()
            return None

    def _next(self) -> Preparation | None:
        busy = Counter(name for each in self._running for name in _names(each.askers[0]))
        most = max(1, len(self._threads) - 1)
        free = [each for each in self._waiting if all(busy[name] < most for name in _names(each.askers[0]))]
        return min(free, key=lambda each: self._served.get(each.askers[0].person, 0), default=None)

    def _serve(self, person: str) -> None:
        self._turns += 1
        self._served[person] = self._turns
        self._served.move_to_end(person)
        if len(self._served) > MOST_REMEMBERED:
            self._served.popitem(last=False)

    def _do(self, preparation: Preparation) -> None:
        try:
            preparation.succeeded(self._apart.run(preparation.job, preparation.arguments, preparation))
        except KomiError as error:
            preparation.failed(str(error))
        except Exception as error:  # the thread goes on: others are waiting
            LOG.error("%s failed: %s: %s", preparation.job, type(error).__name__, error)  # noqa: TRY400
            preparation.failed("the solver failed; it has been logged.")


def _names(asker: Asker) -> set[str]:
    return {asker.person, asker.address} - {""}
