"""Games in memory. A game that is missing or outdated is rebuilt from the database."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import cast

from sqlalchemy import Connection, bindparam, func, insert, or_, select, update
from sqlalchemy.orm import Session

from komi.errors import KomiError
from komi.rules.vocabulary import title
from komi.web.database import Database
from komi.web.game_catalog import GameCatalog
from komi.web.game_settings import By, GameSettings, NewEntry, TimeControl
from komi.web.live_game import LiveGame
from komi.web.participants import DELETED_NAME, DELETED_PERSON, Participants
from komi.web.records import LogEntry, PlayedGame, SeatedPlayer, now
from komi.web.responses import ApiError

MAX_CACHED = 1000
NOT_TRANSFERRED = dict.fromkeys(("shared", "mistakes", "decisions", "luck", "skill"))  # they belong to the other person
DELETED_SEAT = {"name": "", "person": None, "phrase": None, "said": None}  # a seat whose player has deleted all data
NO_GAME = "There is no such game."
SEATS = select(SeatedPlayer.game).where(
    SeatedPlayer.game == bindparam("game"), SeatedPlayer.person == bindparam("person")
)
IS_THEIRS = or_(PlayedGame.person == bindparam("person"), PlayedGame.id.in_(SEATS))
LAST = select(func.max(LogEntry.number)).where(LogEntry.game == bindparam("game")).scalar_subquery()
# Every view and every move execute these statements: they are built once.
GAME_STATUS = select(PlayedGame.over, PlayedGame.takebacks, IS_THEIRS).where(PlayedGame.id == bindparam("game"))
GAME_STATUS_AND_LAST = GAME_STATUS.add_columns(LAST)
LOCKED_GAME_STATUS = GAME_STATUS.with_for_update()
INSERT_ENTRIES = insert(LogEntry)


class StaleGameError(Exception):
    """The game in memory is outdated: it was ended, entries were taken back, or it is another person's, meanwhile."""


class GameCache:
    """A cache of recently played games.

    Args:
        database: the database that stores all games.
        catalog: the games on offer, with their rules.
    """

    def __init__(self, database: Database, catalog: GameCatalog) -> None:
        self._database, self._catalog = database, catalog
        self._cached: OrderedDict[str, LiveGame] = OrderedDict()
        self._lock = Lock()

    def find(self, person: str, game_id: str) -> LiveGame:
        """Return the cached game, which may be outdated, or rebuild it from the database.

        Raises:
            ApiError: if this person has no such game.
        """
        with self._lock:
            live = self._cached.get(game_id)
            if live is not None:
                self._cached.move_to_end(game_id)
        if live is None:
            live = self._add(self._read(game_id))
        if live.settings.seat_of(person) is None and self._is_seated(person, game_id):
            self.drop(live)  # the player has become this person at another server
            live = self._add(self._read(game_id))
        if live.settings.seat_of(person) is None:
            raise ApiError(404, NO_GAME)
        return live

    def _is_seated(self, person: str, game_id: str) -> bool:
        """Return whether a game is a person's by the database."""
        query = select(PlayedGame.id).where(PlayedGame.id == bindparam("game"), IS_THEIRS)
        with self._database.reading() as session:
            return session.scalars(query, {"game": game_id, "person": person}).first() is not None

    @contextmanager
    def locked(self, person: str, game_id: str) -> Iterator[LiveGame]:
        """Lock a game and yield it in its current state. Nothing else is added meanwhile.

        Raises:
            ApiError: if this person has no such game.
        """
        while True:
            live = self.find(person, game_id)
            with live.lock:
                if self._is_up_to_date(live, person):
                    self._end_if_out_of_time(live, person)
                    if not live.is_stale:
                        yield live
                        return
                self.drop(live)

    def drop(self, live: LiveGame) -> None:
        """Discard a game from the cache, because it differs from the database."""
        live.is_stale = True
        with self._lock:
            if self._cached.get(live.settings.id) is live:
                del self._cached[live.settings.id]

    def forget(self, person: str) -> None:
        """Discard a person's games from the cache."""
        with self._lock:
            for game_id in [key for key, live in self._cached.items() if live.settings.seat_of(person) is not None]:
                del self._cached[game_id]

    def _end_if_out_of_time(self, live: LiveGame, person: str) -> None:
        """Resign for the player to move if no time is left."""
        mover = live.table.mover
        if mover is None or live.table.is_over or not live.is_out_of_time():
            return
        live.is_late = True
        live.table.resign(mover)
        try:
            with self._database.transaction() as connection:
                check_unchanged(connection, live, person)
                write_end(connection, live)
        except StaleGameError:
            self.drop(live)
        except BaseException:
            self.drop(live)  # the game in memory is ahead of the database
            raise

    def _is_up_to_date(self, live: LiveGame, person: str) -> bool:
        with self._database.reading() as session:
            row = session.execute(GAME_STATUS_AND_LAST, {"game": live.settings.id, "person": person}).one_or_none()
        if row is None:
            self.drop(live)
            raise ApiError(404, NO_GAME)
        over, takebacks, is_theirs, last_written = row
        written = 0 if last_written is None else last_written + 1
        is_same = (over is not None) == live.table.is_over and takebacks == live.settings.takebacks
        return not live.is_stale and is_theirs and is_same and written == live.table.number

    def _add(self, live: LiveGame) -> LiveGame:
        with self._lock:
            live = self._cached.setdefault(live.settings.id, live)
            if len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return live

    def _read(self, game_id: str) -> LiveGame:
        with self._database.reading() as session:
            record = session.get(PlayedGame, game_id)
            if record is None:
                raise ApiError(404, NO_GAME)
            rows = session.execute(
                select(LogEntry.label, LogEntry.by, LogEntry.at)
                .where(LogEntry.game == game_id)
                .order_by(LogEntry.number)
            ).all()
            participants = read_participants(session, game_id)
        game = self._catalog.find(record.game)
        try:
            rules = game.rules(record.rules)
            settings = GameSettings(
                id=game_id,
                person=record.person,
                game=game.under(rules),
                rules=rules,
                opponent=record.opponent,
                seat=record.seat,
                is_by_lot=record.lot,
                is_test=record.mode == "test",
                seed=record.seed,
                number=record.number,
                takebacks=record.takebacks,
                participants=participants,
                clock=_clock(record),
                started=record.started,
                protocol=record.protocol,
            )
            entries = [(label, cast(By, by), at) for label, by, at in rows]
            return LiveGame(settings, entries, record.resigned, is_late=record.late)
        except KomiError as error:
            sentence = f"The rules of {title(game)} have changed since this game began: {error}"
            raise ApiError(410, sentence) from None


def check_unchanged(connection: Connection, live: LiveGame, person: str) -> None:
    """Ensure that the game has not ended, no entries have been taken back, and it is still this person's.

    Raises:
        StaleGameError: if this does not hold.
    """
    state = connection.execute(LOCKED_GAME_STATUS, {"game": live.settings.id, "person": person}).one_or_none()
    if state is None or tuple(state) != (None, live.settings.takebacks, True):
        raise StaleGameError


def write_entries(connection: Connection, live: LiveGame, entries: Sequence[NewEntry]) -> None:
    """Store new log entries.

    Raises:
        IntegrityError: if there are entries with these numbers already.
    """
    connection.execute(INSERT_ENTRIES, [{"game": live.settings.id, **vars(entry)} for entry in entries])


def write_end(connection: Connection, live: LiveGame) -> None:
    """Store the result of a game."""
    table = live.table
    ended = {"over": now(), "payoffs": list(table.results or ()), "resigned": table.resigned, "late": live.is_late}
    connection.execute(update(PlayedGame).where(PlayedGame.id == live.settings.id).values(ended))


def read_participants(session: Session, game_id: str) -> Participants | None:
    """Return the people by seat, or None if the game is not between people."""
    chairs = session.scalars(select(SeatedPlayer).where(SeatedPlayer.game == game_id).order_by(SeatedPlayer.seat)).all()
    if not chairs:
        return None
    numbers = sorted((chair.place, chair.number) for chair in chairs if chair.number)
    return Participants(
        tuple(chair.person or DELETED_PERSON for chair in chairs),
        tuple(chair.name if chair.person else DELETED_NAME for chair in chairs),
        tuple(number for _, number in numbers),
    )


def transfer_ownership(session: Session, person: str) -> None:
    """Assign the games that a person has begun with others to one of these, so that they keep them."""
    with_others = (
        select(SeatedPlayer).join(PlayedGame).where(PlayedGame.person == person, SeatedPlayer.person != person)
    )
    successors = {chair.game: chair for chair in session.scalars(with_others.order_by(SeatedPlayer.place.desc()))}
    for game_id, chair in successors.items():
        transferred = {"person": chair.person, "seat": chair.seat, **NOT_TRANSFERRED}
        session.execute(update(PlayedGame).where(PlayedGame.id == game_id).values(transferred))


def _clock(record: PlayedGame) -> TimeControl | None:
    return None if record.minutes is None or record.seconds is None else TimeControl(record.minutes, record.seconds)
