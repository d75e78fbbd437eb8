"""How strong the opponents of a game are: worked out apart when somebody first asks, and then remembered."""

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from komi.game import Game
from komi.web import models
from komi.web.apart import Apart
from komi.web.offered import Offered
from komi.web.refusals import RefusalError
from komi.web.solutions import key_of

MOST_REMEMBERED = 200
MOST_WAITING = 12


class Strengths:
    """The strengths known, and those being worked out, one game at a time."""

    def __init__(self, offered: Offered, apart: Apart) -> None:
        self._offered, self._apart = offered, apart
        self._work = ThreadPoolExecutor(1, "strengths")
        self._lock = Lock()
        self._known: OrderedDict[str, Future[list[dict[str, Any]]]] = OrderedDict()

    def close(self) -> None:
        """Work no more."""
        self._work.shutdown(cancel_futures=True)

    def find(self, game: Game, rules: Any) -> list[models.Strength] | None:
        """How strong the opponents are; None as long as that is not known.

        Raises:
            KomiError: if it cannot be worked out.
            RefusalError: if too many others are waiting.
        """
        with self._lock:
            future = self._known.get(key_of(game, rules)) or self._asked(game, rules)
        return [models.Strength(**strength) for strength in future.result()] if future.done() else None

    def _asked(self, game: Game, rules: Any) -> Future[list[dict[str, Any]]]:
        if sum(not each.done() for each in self._known.values()) >= MOST_WAITING:
            raise RefusalError(503, "Many games are being worked out; try again in a minute.")
        arguments = {"game": self._offered.source(game), "rules": rules._asdict()}
        future = self._work.submit(self._apart.run, "strengths", arguments)
        self._known[key_of(game, rules)] = future
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        return future
