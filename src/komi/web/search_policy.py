"""Searching opponents of the server: each of their moves is searched in a process of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import ClassVar

from komi.errors import SolveError
from komi.game import Game
from komi.policies.policy import Policy
from komi.typing import Rules, State
from komi.web.job_process import JobRunner
from komi.web.responses import ApiError

MAX_SEARCHES = 2  # at once; others wait for their turn, with their game alone
MAX_ADMITTED = 16  # requests that search or wait: a waiting one occupies a thread, of which the server has 40
RETRY_AFTER = 5  # seconds


@dataclass(frozen=True, eq=False)
class SearchJobPolicy(Policy):
    """A policy whose choices are jobs, so that neither compiling nor searching delays the requests of other games.

    Attributes:
        name: the specification of the searcher.
        runner: starts the jobs.
        source: returns the name or the path by which another process finds a game.
    """

    name: str
    runner: JobRunner
    source: Callable[[Game], str]
    _admitted: ClassVar[BoundedSemaphore] = BoundedSemaphore(MAX_ADMITTED)
    _free: ClassVar[BoundedSemaphore] = BoundedSemaphore(MAX_SEARCHES)

    def code(self) -> None:
        """Raise an error: only the server calls it.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} chooses move by move here.")

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Search in another process.

        Raises:
            ApiError: if too many searches wait: the browser repeats the move.
            KomiError: if the search fails.
        """
        arguments = {
            "game": self.source(game),
            "rules": rules._asdict(),
            "policy": self.name,
            "state": list(map(int, state)),
            "uniform": uniform,
        }
        if not self._admitted.acquire(blocking=False):
            raise ApiError(503, "Many opponents are searching; try again in a moment.", RETRY_AFTER)
        try:
            with self._free:
                return int(self.runner.run("search", arguments))
        finally:
            self._admitted.release()
