"""Finished games that their players show to others: by a link that nobody can guess, until it is withdrawn."""

from sqlalchemy import select, update

from komi.web.database import Database
from komi.web.live import LiveGame
from komi.web.live_games import LiveGames
from komi.web.people import new_id
from komi.web.records import PlayedGame
from komi.web.refusals import RefusalError

WITHDRAWN = "There is no shared game at this address; its link may have been withdrawn."


class Sharing:
    """The games that are shared.

    Args:
        database: where their secrets are kept.
        games: where they are found.
    """

    def __init__(self, database: Database, games: LiveGames) -> None:
        self._database, self._games = database, games

    def share(self, person: str, game_id: str) -> str:
        """The secret of a game's link; the same as long as it is not withdrawn.

        Raises:
            RefusalError: if this person has no such game, or it is not over.
        """
        with self._games.present(person, game_id) as live:
            if not live.table.is_over:
                raise RefusalError(409, "A game can be shared when it is over.")
            with self._database.writing() as session:
                record = session.get_one(PlayedGame, game_id)
                record.shared = record.shared or new_id()
                return record.shared

    def withdraw(self, person: str, game_id: str) -> None:
        """Let the link lead nowhere.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self._games.present(person, game_id), self._database.writing() as session:
            session.execute(update(PlayedGame).where(PlayedGame.id == game_id).values(shared=None))

    def find(self, secret: str) -> LiveGame:
        """The game whose link this is.

        Raises:
            RefusalError: if there is none.
        """
        with self._database.reading() as session:
            query = select(PlayedGame.person, PlayedGame.id).where(PlayedGame.shared == secret)
            row = session.execute(query).one_or_none()
        if row is None:
            raise RefusalError(404, WITHDRAWN)
        with self._games.present(*row) as live:
            return live
