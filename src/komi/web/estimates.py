"""Estimates by search where komi has no solution: of actions, and of the costliest decision of a finished game."""

from typing import Any

from komi.play import searching
from komi.web import models
from komi.web.game_catalog import GameCatalog
from komi.web.job_queue import JobQueue
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.ratings import unsolved
from komi.web.responses import ApiError
from komi.web.solutions import key_of

SEARCHING = "A search is running; try again in a moment."


class Estimates:
    """The estimates of searches, which are jobs.

    Args:
        catalog: the games on offer.
        queue: the queue of the jobs.
    """

    def __init__(self, catalog: GameCatalog, queue: JobQueue) -> None:
        self._catalog, self._queue = catalog, queue

    def of_actions(self, live: LiveGame, requester: Requester) -> models.EstimatesResponse:
        """Return what a search expects of each action of the player to move.

        Raises:
            ApiError: if the search is still running, it failed, or there is none for this game.
        """
        mover = live.table.mover
        assert mover is not None
        state = [int(field) for field in live.table.observation(mover)]
        key = f"estimates in {key_of(live.settings.game, live.settings.rules)} at {state}"
        return models.EstimatesResponse(actions=self._result(key, "estimate", {"state": state}, live, requester))

    def of_decisions(self, live: LiveGame, seat: int, requester: Requester) -> models.EstimatedReviewResponse:
        """Return the decision of a seat that a search finds the costliest in a finished game.

        Raises:
            ApiError: if the game goes on, the search is still running, it failed, or there is none for this game.
        """
        if not live.table.is_over:
            raise ApiError(409, "The game is not over: there is no review yet.")
        arguments = {
            "start": [int(field) for field in live.table.initial_state],
            "labels": [entry.label for entry in live.table.log],
            "seat": seat,
        }
        key = f"estimated review of {live.settings.id} for seat {seat}"
        return models.EstimatedReviewResponse(worst=self._result(key, "costliest", arguments, live, requester))

    def _result(self, key: str, job: str, arguments: dict[str, Any], live: LiveGame, requester: Requester) -> Any:
        game, rules = live.settings.game, live.settings.rules
        if searching.policy_name(game, rules, searching.HARD) is None:
            raise ApiError(404, unsolved(game, rules))
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict()} | arguments
        search = self._queue.submit(key, job, arguments, requester)
        return search.finished(SEARCHING)
