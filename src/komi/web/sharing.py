"""Finished games that players share by a secret link, until they withdraw it."""

from sqlalchemy import select, update

from komi.web.database import Database
from komi.web.game_cache import GameCache
from komi.web.identity import new_id
from komi.web.live_game import LiveGame
from komi.web.records import PlayedGame
from komi.web.responses import ApiError

WITHDRAWN = "There is no shared game at this address; its link may have been withdrawn."


class Sharing:
    """The shared games.

    Args:
        database: the database that stores the secrets.
        games: the games in memory.
    """

    def __init__(self, database: Database, games: GameCache) -> None:
        self._database, self._games = database, games

    def share(self, person: str, game_id: str) -> str:
        """Return the secret in a game's link, and create it unless the game is shared already.

        Raises:
            ApiError: if this person has no such game, or it is not over.
        """
        with self._games.locked(person, game_id) as live:
            if not live.table.is_over:
                raise ApiError(409, "A game can be shared when it is over.")
            with self._database.writing() as session:
                record = session.get_one(PlayedGame, game_id)
                record.shared = record.shared or new_id()
                return record.shared

    def withdraw(self, person: str, game_id: str) -> None:
        """Invalidate a game's link.

        Raises:
            ApiError: if this person has no such game.
        """
        with self._games.locked(person, game_id), self._database.writing() as session:
            session.execute(update(PlayedGame).where(PlayedGame.id == game_id).values(shared=None))

    def find(self, secret: str) -> LiveGame:
        """Return the game with this secret.

        Raises:
            ApiError: if no shared game has this secret.
        """
        with self._database.reading() as session:
            query = select(PlayedGame.person, PlayedGame.id).where(PlayedGame.shared == secret)
            row = session.execute(query).one_or_none()
        if row is None:
            raise ApiError(404, WITHDRAWN)
        with self._games.locked(*row) as live:
            return live
