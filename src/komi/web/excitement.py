"""Compare how exciting a finished game was with sampled games between the same players, which a job plays once."""

import numpy as np

from komi.measures.courses import GAMES, FigureDistribution, course_figures, share_error
from komi.measures.measure import check_measured
from komi.play.opponents import OPTIMAL
from komi.play.review import course
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.computer_opponents import find_opponent
from komi.web.game_catalog import GameCatalog
from komi.web.job_queue import JobQueue
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.ratings import unsolved
from komi.web.responses import ApiError
from komi.web.solutions import Solutions, has_default_rules, key_of

UNFINISHED = "Only games that were played to their end are compared with others."
NO_CHANCES = "Games of {game} are not compared: they have no chances of winning."
COMPARING = "Other games are being played for a comparison; try again in a moment."


class Excitement:
    """Comparisons of finished games with sampled ones.

    Args:
        catalog: the games on offer.
        solutions: the solutions of the games.
        queue: the queue of the jobs, which keeps their results.
    """

    def __init__(self, catalog: GameCatalog, solutions: Solutions, queue: JobQueue) -> None:
        self._catalog, self._solutions, self._queue = catalog, solutions, queue

    def compare(self, live: LiveGame, requester: Requester) -> models.ExcitementResponse:
        """Compare a finished game with sampled ones, in which people are replaced by optimal play.

        Raises:
            KomiError: if the games cannot be sampled, or games of this kind have no measures.
            ApiError: if the game was not played to its end, has no chances of winning, or the job is still running.
        """
        settings, table = live.settings, live.table
        game, rules = settings.game, settings.rules
        if not table.is_over or table.is_stopped or table.resigned is not None:
            raise ApiError(409, UNFINISHED)
        solution = self._solutions.solution(game, rules, requester)
        if solution is None:
            raise ApiError(404, unsolved(game, rules))
        check_measured(solution.kind)
        if solution.has_plies:
            raise ApiError(404, NO_CHANCES.format(game=title(game)))
        found = self._distributions(live, requester)
        figures = course_figures(np.array(course(solution, table)), solution.error_bound)
        compared = [
            (name, value, FigureDistribution(tuple(found[name]))) for name, value in figures.items() if name in found
        ]
        views = [
            models.FigureView.model_validate(
                {"name": name, "value": value, "below": levels.share_below(value), "above": levels.share_above(value)}
            )
            for name, value, levels in compared
        ]
        return models.ExcitementResponse(games=GAMES, error=share_error(), figures=views)

    def _distributions(self, live: LiveGame, requester: Requester) -> dict[str, list[float]]:
        """Return the levels of the distribution of each figure."""
        settings = live.settings
        game, rules = settings.game, settings.rules
        policies = [
            OPTIMAL if settings.is_persons(seat) else find_opponent(settings.opponent, game, rules).policy
            for seat in range(live.table.players)
        ]
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict(), "policies": policies}
        job = self._queue.submit(
            f"excitement of {key_of(game, rules)} between {policies}",
            "excitement",
            arguments,
            requester,
            has_default_rules=has_default_rules(game, rules),
        )
        return job.finished(COMPARING)  # type: ignore[no-any-return]
