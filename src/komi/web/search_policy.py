"""Searching opponents of the server: each of their moves is searched in a separate process."""

from collections.abc import Callable
from dataclasses import dataclass

from komi.errors import SolveError
from komi.policies.policy import Policy
from komi.rules.game import Game
from komi.typing import Rules, State
from komi.web.job_queue import JobQueue
from komi.web.queued_job import Requester

SEARCHING = "The opponent is searching; try again in a moment."


@dataclass(frozen=True, eq=False)
class SearchJobPolicy(Policy):
    """A policy whose choices are jobs, so that neither compiling nor searching delays the requests of other games.

    Attributes:
        name: the specification of the searcher.
        queue: the queue of the searches.
        source: returns the name or the path by which another process finds a game.
        requester: the person for whom it searches.
    """

    name: str
    queue: JobQueue
    source: Callable[[Game], str]
    requester: Requester

    def code(self) -> None:
        """Raise an error: only the server calls it.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} chooses move by move here.")

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Search in another process.

        Raises:
            ApiError: if the search fails, or too many wait: the page repeats the move.
        """
        arguments = {
            "game": self.source(game),
            "rules": rules._asdict(),
            "policy": self.name,
            "state": list(map(int, state)),
            "uniform": uniform,
        }
        return int(self.queue.run("search", arguments, self.requester).finished(SEARCHING))
