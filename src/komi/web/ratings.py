"""The analysis of finished games: computed once, and stored with the game."""

import logging
from collections.abc import Mapping, Sequence

from sqlalchemy import update

from komi.errors import KomiError
from komi.play.reasons import Reason
from komi.play.review import Review, review
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.typing import Rules
from komi.web import models
from komi.web.database import Database
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.records import PlayedGame
from komi.web.responses import ApiError
from komi.web.solutions import Solutions

UNSOLVED = "Optimal play of {game} is not known here, where games of this kind or size are not solved."
SOLVED_ALONE = "Optimal play of {game} against others is not known: komi solves the game that each player plays alone."
LOG = logging.getLogger("komi.web")


def unsolved(game: Game, rules: Rules) -> str:
    """Return the reason why optimal play is not known for a game."""
    reason = UNSOLVED if game.alone(rules) == rules else SOLVED_ALONE
    return reason.format(game=title(game))


def outcome_groups(reasons: Mapping[str, Sequence[Reason]]) -> dict[str, list[models.OutcomeGroupView]]:
    """Convert the groups of outcomes of each action to response models."""
    return {label: [models.OutcomeGroupView(**vars(part)) for part in parts] for label, parts in reasons.items()}


class Ratings:
    """The analysis of finished games."""

    def __init__(self, database: Database, solutions: Solutions) -> None:
        self._database, self._solutions = database, solutions

    def analyze(self, live: LiveGame, seat: int | None = None, requester: Requester | None = None) -> Review:
        """Analyze a finished game. The figures of the person who began it are stored.

        Args:
            live: the game.
            seat: the seat to analyze; by default that of the person who began the game.
            requester: the person who waits if the game must be solved; by default the person who began the game.

        Raises:
            ApiError: if the game goes on, cannot be solved, or is still being solved.
        """
        if not live.table.is_over:
            raise ApiError(409, "The game is not over: there is no review yet.")
        solution = self._solutions.solution(
            live.settings.game, live.settings.rules, requester or Requester(live.settings.person)
        )
        if solution is None:
            raise ApiError(404, unsolved(live.settings.game, live.settings.rules))
        analysis = review(solution, live.table, live.settings.seat if seat is None else seat)
        if analysis.seat != live.settings.seat:
            return analysis
        decisions = sum(decision.seat == live.settings.seat for decision in analysis.decisions)
        with self._database.writing() as session:
            session.execute(
                update(PlayedGame)
                .where(PlayedGame.id == live.settings.id)
                .values(mistakes=analysis.mistakes, decisions=decisions, luck=analysis.luck, skill=analysis.skill)
            )
        return analysis

    def rate(self, live: LiveGame) -> None:
        """Analyze a game that has just ended, if its solution is in memory."""
        if self._solutions.held(live.settings.game, live.settings.rules) is None:
            return
        try:
            self.analyze(live)
        except (KomiError, ApiError) as error:
            LOG.warning("game %s cannot be rated: %s", live.settings.id, error)
