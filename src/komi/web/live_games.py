"""Games in memory. A game that is missing or outdated is rebuilt from the database."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import cast

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from komi.errors import KomiError
from komi.rules.vocabulary import title
from komi.web.clocks import Clock
from komi.web.database import Database
from komi.web.live import Agreed, By, Happened, LiveGame
from komi.web.offered import Offered
from komi.web.party import GONE, GONE_NAME, Party
from komi.web.records import Chair, LogEntry, PlayedGame, now
from komi.web.refusals import RefusalError

MAX_HELD = 500
NOT_INHERITED = dict.fromkeys(("shared", "mistakes", "decisions", "luck", "skill"))  # they belong to the other person
NO_GAME = "There is no such game."
# Every move executes these two statements: they are built once.
STANDING = select(PlayedGame.over, PlayedGame.takebacks).where(PlayedGame.id == bindparam("game")).with_for_update()
WRITTEN = insert(LogEntry)


class OvertakenError(Exception):
    """The game in memory is outdated: it was ended, or entries were taken back, in the meantime."""


class LiveGames:
    """A cache of recently played games.

    Args:
        database: the database that stores all games.
        offered: the games on offer, with their rules.
    """

    def __init__(self, database: Database, offered: Offered) -> None:
        self._database, self._offered = database, offered
        self._held: OrderedDict[str, LiveGame] = OrderedDict()
        self._lock = Lock()

    def find(self, person: str, game_id: str) -> LiveGame:
        """Return the cached game, which may be outdated, or rebuild it from the database.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self._lock:
            live = self._held.get(game_id)
            if live is not None:
                self._held.move_to_end(game_id)
        if live is None:
            live = self._keep(self._read(game_id))
        if live.agreed.seat_of(person) is None:
            raise RefusalError(404, NO_GAME)
        return live

    @contextmanager
    def present(self, person: str, game_id: str) -> Iterator[LiveGame]:
        """Lock a game and yield it in its current state. Nothing else is added meanwhile.

        Raises:
            RefusalError: if this person has no such game.
        """
        while True:
            live = self.find(person, game_id)
            with live.lock:
                if self._is_up_to_date(live):
                    self._end_if_late(live)
                    if not live.is_stale:
                        yield live
                        return
                self.drop(live)

    def drop(self, live: LiveGame) -> None:
        """Discard a game from the cache, because it differs from the database."""
        live.is_stale = True
        with self._lock:
            if self._held.get(live.agreed.id) is live:
                del self._held[live.agreed.id]

    def forget(self, person: str) -> None:
        """Discard a person's games from the cache."""
        with self._lock:
            for game_id in [key for key, live in self._held.items() if live.agreed.seat_of(person) is not None]:
                del self._held[game_id]

    def _end_if_late(self, live: LiveGame) -> None:
        """Resign for the player to move if no time is left."""
        mover = live.table.mover
        if mover is None or live.table.is_over or not live.has_run_out():
            return
        live.is_late = True
        live.table.resign(mover)
        try:
            with self._database.writing() as session:
                see_that_it_goes_on(session, live)
                write_end(session, live)
        except OvertakenError:
            self.drop(live)
        except BaseException:
            self.drop(live)  # the game in memory is ahead of the database
            raise

    def _is_up_to_date(self, live: LiveGame) -> bool:
        game_id = live.agreed.id
        last = select(func.max(LogEntry.number)).where(LogEntry.game == game_id).scalar_subquery()
        with self._database.reading() as session:
            state = select(PlayedGame.over, PlayedGame.takebacks, last).where(PlayedGame.id == game_id)
            row = session.execute(state).one_or_none()
        if row is None:
            self.drop(live)
            raise RefusalError(404, NO_GAME)
        over, takebacks, last_written = row
        written = 0 if last_written is None else last_written + 1
        is_same = (over is not None) == live.table.is_over and takebacks == live.agreed.takebacks
        return not live.is_stale and is_same and written == live.table.number

    def _keep(self, live: LiveGame) -> LiveGame:
        with self._lock:
            live = self._held.setdefault(live.agreed.id, live)
            if len(self._held) > MAX_HELD:
                self._held.popitem(last=False)
        return live

    def _read(self, game_id: str) -> LiveGame:
        with self._database.reading() as session:
            record = session.get(PlayedGame, game_id)
            if record is None:
                raise RefusalError(404, NO_GAME)
            entries = session.execute(
                select(LogEntry.label, LogEntry.by, LogEntry.at)
                .where(LogEntry.game == game_id)
                .order_by(LogEntry.number)
            ).all()
            party = seated(session, game_id)
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
                takebacks=record.takebacks,
                party=party,
                clock=_clock(record),
                started=record.started,
                protocol=record.protocol,
            )
            happened = [(label, cast(By, by), at) for label, by, at in entries]
            return LiveGame(agreed, happened, record.resigned, is_late=record.late)
        except KomiError as error:
            sentence = f"The rules of {title(game)} are no longer what this game began with: {error}"
            raise RefusalError(410, sentence) from None


def see_that_it_goes_on(session: Session, live: LiveGame) -> None:
    """Ensure that nobody has ended the game, or taken back entries, in the meantime.

    Raises:
        OvertakenError: if somebody has.
    """
    state = session.connection().execute(STANDING, {"game": live.agreed.id}).one_or_none()
    if state is None or tuple(state) != (None, live.agreed.takebacks):
        raise OvertakenError


def write_what_happened(session: Session, live: LiveGame, happened: Sequence[Happened]) -> None:
    """Store new log entries.

    Raises:
        IntegrityError: if there are entries with these numbers already.
    """
    session.connection().execute(WRITTEN, [{"game": live.agreed.id, **vars(entry)} for entry in happened])


def write_end(session: Session, live: LiveGame) -> None:
    """Store the result of a game."""
    table = live.table
    ended = {"over": now(), "payoffs": list(table.payoffs or ()), "resigned": table.resigned, "late": live.is_late}
    session.execute(update(PlayedGame).where(PlayedGame.id == live.agreed.id).values(ended))


def seated(session: Session, game_id: str) -> Party | None:
    """Return the people by seat, or None if the game is not between people."""
    chairs = session.scalars(select(Chair).where(Chair.game == game_id).order_by(Chair.seat)).all()
    if not chairs:
        return None
    numbers = sorted((chair.place, chair.number) for chair in chairs if chair.number)
    return Party(
        tuple(chair.person or GONE for chair in chairs),
        tuple(chair.name if chair.person else GONE_NAME for chair in chairs),
        tuple(number for _, number in numbers),
    )


def hand_over(session: Session, person: str) -> None:
    """Assign the games that a person has begun with others to one of these, so that they keep them."""
    with_others = select(Chair).join(PlayedGame).where(PlayedGame.person == person, Chair.person != person)
    heirs = {chair.game: chair for chair in session.scalars(with_others.order_by(Chair.place.desc()))}
    for game_id, chair in heirs.items():
        inherited = {"person": chair.person, "seat": chair.seat, **NOT_INHERITED}
        session.execute(update(PlayedGame).where(PlayedGame.id == game_id).values(inherited))


def names_at(session: Session, games: Sequence[str]) -> dict[str, list[str]]:
    """Return the names of the people at the tables of these games, by seat."""
    names: dict[str, list[str]] = {}
    chairs = select(Chair).where(Chair.game.in_(games)).order_by(Chair.game, Chair.seat)
    for chair in session.scalars(chairs):
        names.setdefault(chair.game, []).append(chair.name if chair.person else GONE_NAME)
    return names


def _clock(record: PlayedGame) -> Clock | None:
    return None if record.minutes is None or record.seconds is None else Clock(record.minutes, record.seconds)
