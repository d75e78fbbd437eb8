"""What a finished game says about how the person played: worked out once, and kept with the game."""

import logging
from typing import Any

from sqlalchemy import update

from komi.errors import KomiError
from komi.game import Game
from komi.play.review import Review, review
from komi.vocabulary import title
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
    """Why it is not known what is best in a game that cannot be solved."""
    why = UNSOLVED if game.alone(rules) == rules else SOLVED_ALONE
    return why.format(game=title(game))


class Ratings:
    """Looks back on games."""

    def __init__(self, database: Database, solutions: Solutions) -> None:
        self._database, self._solutions = database, solutions

    def look_back(self, live: LiveGame, seat: int | None = None, asker: Asker | None = None) -> Review:
        """The review of a finished game; what it comes to for the person who began it is kept.

        Args:
            live: the game.
            seat: who looks back; that person, if nobody is named.
            asker: the person who waits if the game must be solved; that person, if nobody is named.

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
        """Look back on a game that has just ended, if its solution is at hand; nobody waits for it."""
        if self._solutions.held(live.agreed.game, live.agreed.rules) is None:
            return
        try:
            self.look_back(live)
        except (KomiError, RefusalError) as error:
            LOG.warning("game %s cannot be rated: %s", live.agreed.id, error)
