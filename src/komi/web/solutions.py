"""Solutions: computed in the background, with the most recently used ones in memory.

The arrays of a solution are mapped from the cache folder, so a solution takes little memory.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any

from komi.rules import loading
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.solvers.solution import Solution
from komi.solvers.solve import is_solvable, is_stored, solve_all_states
from komi.typing import Rules
from komi.web.job_queue import JobQueue
from komi.web.queued_job import QueuedJob, Requester
from komi.web.responses import ApiError

MAX_HELD = 3
MAX_KEYS = 1000  # remembered

Solved = Solution[Any]


class Solutions:
    """The solutions of games, solved or being solved.

    Args:
        queue: the queue of the jobs that solve games.
        source: returns the name or the path by which another process finds a game.
    """

    def __init__(self, queue: JobQueue, source: Callable[[Game], str]) -> None:
        self._queue, self._source = queue, source
        self._lock, self._loading = Lock(), Lock()
        self._held: OrderedDict[str, Solved] = OrderedDict()
        self._missed: dict[str, QueuedJob] = {}  # by key, second attempts at games that the cache lost

    def prepare(self, game: Game, rules: Rules, requester: Requester) -> QueuedJob:
        """Return the progress of solving a game. Queue it if it is not solved.

        Raises:
            ApiError: if too many games wait to be solved.
        """
        key = key_of(game, rules)
        known = self._queue.find(key)
        if known is None and (not is_solvable(game, rules) or is_stored(game, rules)):
            known = QueuedJob(key)
            known.succeeded()
            return self._queue.add_finished(known)
        arguments = {"game": self._source(game), "rules": rules._asdict()}
        return self._queue.submit(key, "solve", arguments, requester, has_default_rules=has_default_rules(game, rules))

    def solution(self, game: Game, rules: Rules, requester: Requester) -> Solved | None:
        """Return the solution, or None for a game that cannot be solved.

        Raises:
            ApiError: if the game is still being solved, or solving it failed.
        """
        if not is_solvable(game, rules):
            return None
        held = self.held(game, rules)
        if held is not None:
            return held
        preparation = self.prepare(game, rules, requester)
        sentence = f"{title(game)} is still being solved; try again in a moment."
        preparation.finished(sentence)
        with self._loading:
            return self.held(game, rules) or self._load(game, rules, requester)

    def held(self, game: Game, rules: Rules) -> Solved | None:
        """Return the solution if it is in memory."""
        key = key_of(game, rules)
        with self._lock:
            solution = self._held.get(key)
            if solution is not None:
                self._held.move_to_end(key)
            return solution

    def _load(self, game: Game, rules: Rules, requester: Requester) -> Solved:
        """Read the solution from the cache. If it is missing, solve the game again, once."""
        key = key_of(game, rules)
        if not is_stored(game, rules):
            again = self._missed.get(key)
            if again is not None and again.ready:
                del self._missed[key]
                sentence = f"{title(game)} was solved, but this server cannot find the solution: restart the server."
                raise ApiError(422, sentence)
            if again is None or again.error is not None:
                self._queue.forget(key)
                self._missed[key] = self.prepare(game, rules, requester)
            seconds = self._missed[key].seconds
            raise ApiError(503, f"{title(game)} is being solved again; try again in a moment.", seconds)
        solution = solve_all_states(game, **keywords(rules))
        self._missed.pop(key, None)
        with self._lock:
            self._held[key] = solution
            if len(self._held) > MAX_HELD:
                self._held.popitem(last=False)
        return solution


def has_default_rules(game: Game, rules: Rules) -> bool:
    """Return whether these are the default rules, or the rules under which each player plays alone by default."""
    return bool(rules in (game.default_rules, game.alone(game.default_rules)))


@lru_cache(maxsize=MAX_KEYS)
def key_of(game: Game, rules: Rules) -> str:
    """Compute a key of a game, the contents of its file, and its rules."""
    return hashlib.sha256(f"{game.name}|{loading.digest(game.module)}|{tuple(rules)!r}".encode()).hexdigest()[:32]
