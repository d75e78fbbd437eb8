"""Solutions: worked out in the background, one at a time, and the last few used held at hand.

The arrays of a solution are mapped from the cache folder, so that one that is held costs little memory of its own.
"""

import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from komi import catalog
from komi.errors import KomiError
from komi.game import Game
from komi.methods.answer import Answer
from komi.methods.solve import is_solvable, paths, solve
from komi.web.apart import Apart
from komi.web.refusals import RefusalError

LOG = logging.getLogger("komi.web")
MOST_HELD = 3
MOST_WAITING = 12  # games that wait for the solver
FORGIVING = 60  # seconds until what has failed may be tried again
MOST_REMEMBERED = 1000  # preparations that are over, to be asked about

Solved = Answer[Any]


@dataclass
class Preparation:
    """How far the solver is with a game under some rules."""

    key: str
    game: Game
    rules: Any
    ready: bool = False
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    error: str | None = None
    failed_at: float = 0.0

    def failed(self, sentence: str) -> None:
        """Is told why it cannot be had."""
        self.error, self.failed_at = sentence, time.monotonic()

    @property
    def may_be_tried_again(self) -> bool:
        """Whether what has failed failed some time ago."""
        return self.error is not None and time.monotonic() - self.failed_at > FORGIVING

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Is told by the solver."""
        self.stage, self.done, self.total = f"{stage}, {note}" if note else stage, done, total


class Solutions:
    """What is solved, and what is being solved.

    Args:
        apart: where solving is done.
        source: how another process finds a game: its name, or the path of its file.
    """

    def __init__(self, apart: Apart, source: Callable[[Game], str]) -> None:
        self._apart, self._source = apart, source
        self._lock, self._loading = Lock(), Lock()
        self._preparations: OrderedDict[str, Preparation] = OrderedDict()
        self._held: OrderedDict[str, Solved] = OrderedDict()
        self._waiting: SimpleQueue[Preparation | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="solver", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop solving."""
        self._waiting.put(None)
        self._apart.close()
        self._thread.join()

    def prepare(self, game: Game, rules: Any) -> Preparation:
        """How far this game is; the solver begins with it if it has not.

        Raises:
            RefusalError: if too many games wait for the solver.
        """
        key = key_of(game, rules)
        with self._lock:
            preparation = self._preparations.get(key)
            if preparation is not None and not preparation.may_be_tried_again:
                self._preparations.move_to_end(key)
                return preparation
            preparation = Preparation(key, game, rules)
            self._make_room()
            self._preparations[key] = preparation
        if not is_solvable(game, rules) or _is_kept(game, rules):
            preparation.ready, preparation.stage = True, "ready"
        else:
            self._waiting.put(preparation)
        return preparation

    def find(self, key: str) -> Preparation | None:
        """The preparation with this key."""
        with self._lock:
            return self._preparations.get(key)

    def solution(self, game: Game, rules: Any) -> Solved | None:
        """The solution; None of a game that is of no kind that can be solved.

        Raises:
            RefusalError: if it is still being worked out.
        """
        if not is_solvable(game, rules):
            return None
        key = key_of(game, rules)
        held = self._hold(key)
        if held is not None:
            return held
        preparation = self.prepare(game, rules)
        if preparation.error is not None:
            raise RefusalError(422, preparation.error)
        if not preparation.ready:
            raise RefusalError(503, f"{game.name} is still being solved; try again in a moment.")
        with self._loading:
            return self._hold(key) or self._load(preparation)

    def held(self, game: Game, rules: Any) -> Solved | None:
        """The solution if it is at hand."""
        return self._hold(key_of(game, rules))

    def _hold(self, key: str) -> Solved | None:
        with self._lock:
            solution = self._held.get(key)
            if solution is not None:
                self._held.move_to_end(key)
            return solution

    def _load(self, preparation: Preparation) -> Solved:
        """Read the solution from the cache; if it is gone, the solver begins again."""
        if not _is_kept(preparation.game, preparation.rules):
            with self._lock:
                self._preparations.pop(preparation.key, None)
            self.prepare(preparation.game, preparation.rules)
            raise RefusalError(503, f"{preparation.game.name} is being solved again; try again in a moment.")
        solution = solve(preparation.game, **preparation.rules._asdict())
        with self._lock:
            self._held[preparation.key] = solution
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
        return solution

    def _make_room(self) -> None:
        """Forget what has been over for longest."""
        unfinished = sum(not (each.ready or each.error) for each in self._preparations.values())
        if unfinished >= MOST_WAITING:
            raise RefusalError(503, "Many games are waiting to be solved; try again in a minute.")
        while len(self._preparations) >= MOST_REMEMBERED:
            del self._preparations[next(key for key, each in self._preparations.items() if each.ready or each.error)]

    def _work(self) -> None:
        while (preparation := self._waiting.get()) is not None:
            arguments = {"game": self._source(preparation.game), "rules": preparation.rules._asdict()}
            try:
                self._apart.run("solve", arguments, preparation)
                preparation.stage, preparation.ready = "ready", True
            except KomiError as error:
                preparation.failed(str(error))
            except Exception as error:  # the thread goes on: others are waiting
                LOG.error("solving %s failed: %s: %s", preparation.game.name, type(error).__name__, error)  # noqa: TRY400
                preparation.failed("the solver failed; it has been written down.")


@lru_cache(maxsize=MOST_REMEMBERED)
def key_of(game: Game, rules: Any) -> str:
    """Stands for a game, what its file says, and its rules."""
    return hashlib.sha256(f"{game.name}|{catalog.digest(game.module)}|{tuple(rules)!r}".encode()).hexdigest()[:32]


def _is_kept(game: Game, rules: Any) -> bool:
    return any(path.is_dir() for path in paths(game, rules))
