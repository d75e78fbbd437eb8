"""The analysis of finished games: computed once, and stored with the game."""

import logging
from typing import Any

from sqlalchemy import update

from komi.errors import KomiError
from komi.game import Game
from komi.play.review import Review, review
from komi.rules.vocabulary import title
from komi.web.database import Database
from komi.web.live import LiveGame
from komi.web.records import PlayedGame
from komi.web.refusals import RefusalError
from komi.web.solutions import Solutions
from komi.web.work import Asker

UNSOLVED = "What is best in {game} is not known: komi does not solve games of this kind or size."
SOLVED_ALONE = "What is best against another player of {game} is not known: komi solves the game that each plays alone."
LOG = logging.getLogger("komi.web")


def unsolved(game: Game, rules: Any) -> str:
    """Return the reason why optimal play is not known for a game."""
    why = UNSOLVED if game.alone(rules) == rules else SOLVED_ALONE
    return why.format(game=title(game))


class Ratings:
    """The analysis of finished games."""

    def __init__(self, database: Database, solutions: Solutions) -> None:
        self._database, self._solutions = database, solutions

    def look_back(self, live: LiveGame, seat: int | None = None, asker: Asker | None = None) -> Review:
        """Analyze a finished game. The figures of the person who began it are stored.

        Args:
            live: the game.
            seat: the seat to analyze; by default that of the person who began the game.
            asker: the person who waits if the game must be solved; by default the person who began the game.

        Raises:
            RefusalError: if the game goes on, cannot be solved, or is still being solved.
        """
        if not live.table.is_over:
            raise RefusalError(409, "The game is not over: there is nothing to look back on yet.")
        solution = self._solutions.solution(live.agreed.game, live.agreed.rules, asker or Asker(live.agreed.person))
        if solution is None:
            raise RefusalError(404, unsolved(live.agreed.game, live.agreed.rules))
        found = review(solution, live.table, live.agreed.seat if seat is None else seat)
        if found.seat != live.agreed.seat:
            return found
        decisions = sum(decision.seat == live.agreed.seat for decision in found.decisions)
        with self._database.writing() as session:
            session.execute(
                update(PlayedGame)
                .where(PlayedGame.id == live.agreed.id)
                .values(mistakes=found.mistakes, decisions=decisions, luck=found.luck, skill=found.skill)
            )
        return found

    def rate(self, live: LiveGame) -> None:
        """Analyze a game that has just ended, if its solution is in memory."""
        if self._solutions.held(live.agreed.game, live.agreed.rules) is None:
            return
        try:
            self.look_back(live)
        except (KomiError, RefusalError) as error:
            LOG.warning("game %s cannot be rated: %s", live.agreed.id, error)
