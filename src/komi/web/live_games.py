"""Games in memory: made again from what is written down whenever they are not there, or not as it is."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import cast

from sqlalchemy import func, select

from komi.errors import KomiError
from komi.web.database import Database
from komi.web.live import Agreed, By, LiveGame
from komi.web.offered import Offered
from komi.web.records import LogEntry, PlayedGame
from komi.web.refusals import RefusalError

MOST_HELD = 500
NO_GAME = "There is no such game."


class LiveGames:
    """The games last played.

    Args:
        database: where all are written down.
        offered: the rules of each.
    """

    def __init__(self, database: Database, offered: Offered) -> None:
        self._database, self._offered = database, offered
        self._held: OrderedDict[str, LiveGame] = OrderedDict()
        self._lock = Lock()

    def find(self, person: str, game_id: str) -> LiveGame:
        """The game as it was when this server last looked; made again from its record if it is not held.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self._lock:
            live = self._held.get(game_id)
            if live is not None:
                self._held.move_to_end(game_id)
        if live is None:
            live = self._keep(self._read(game_id))
        if live.agreed.person != person:
            raise RefusalError(404, NO_GAME)
        return live

    @contextmanager
    def present(self, person: str, game_id: str) -> Iterator[LiveGame]:
        """The game as it stands, whoever has let something happen in it; nothing else happens in it meanwhile.

        Raises:
            RefusalError: if this person has no such game.
        """
        while True:
            live = self.find(person, game_id)
            with live.lock:
                if self._is_up_to_date(live):
                    yield live
                    return
                self.drop(live)

    def drop(self, live: LiveGame) -> None:
        """Throw away what is held of a game: it is not what is written down."""
        live.is_stale = True
        with self._lock:
            if self._held.get(live.agreed.id) is live:
                del self._held[live.agreed.id]

    def forget(self, person: str) -> None:
        """Throw away what is held of a person's games."""
        with self._lock:
            for game_id in [key for key, live in self._held.items() if live.agreed.person == person]:
                del self._held[game_id]

    def _is_up_to_date(self, live: LiveGame) -> bool:
        game_id = live.agreed.id
        last = select(func.max(LogEntry.number)).where(LogEntry.game == game_id).scalar_subquery()
        with self._database.reading() as session:
            row = session.execute(select(PlayedGame.id, last).where(PlayedGame.id == game_id)).one_or_none()
        if row is None:
            self.drop(live)
            raise RefusalError(404, NO_GAME)
        written = 0 if row[1] is None else row[1] + 1
        return not live.is_stale and written == live.table.number

    def _keep(self, live: LiveGame) -> LiveGame:
        with self._lock:
            live = self._held.setdefault(live.agreed.id, live)
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
        return live

    def _read(self, game_id: str) -> LiveGame:
        with self._database.reading() as session:
            record = session.get(PlayedGame, game_id)
            if record is None:
                raise RefusalError(404, NO_GAME)
            entries = session.execute(
                select(LogEntry.label, LogEntry.by).where(LogEntry.game == game_id).order_by(LogEntry.number)
            ).all()
        game = self._offered.find(record.game)
        try:
            agreed = Agreed(
                id=game_id,
                person=record.person,
                game=game,
                rules=game.rules(record.rules),
                opponent=record.opponent,
                seat=record.seat,
                is_by_lot=record.lot,
                is_test=record.mode == "test",
                seed=record.seed,
                number=record.number,
            )
            return LiveGame(agreed, [(label, cast(By, by)) for label, by in entries])
        except KomiError as error:
            sentence = f"The rules of {game.name} are no longer what this game began with: {error}"
            raise RefusalError(410, sentence) from None
