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

MAX_SEARCHES = 2  # at once; others wait for their turn, with their game alone


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
            KomiError: if the search fails.
        """
        arguments = {
            "game": self.source(game),
            "rules": rules._asdict(),
            "policy": self.name,
            "state": list(map(int, state)),
            "uniform": uniform,
        }
        with self._free:
            return int(self.runner.run("search", arguments))
