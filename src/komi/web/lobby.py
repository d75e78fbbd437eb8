"""The lobby: tables that anyone may join, and their games in progress, which anyone may watch."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Lock

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.web import models
from komi.web.participants import DELETED_NAME
from komi.web.records import Guest, Invitation, PlayedGame, SeatedPlayer, now
from komi.web.waiting_tables import IS_BEGUN, UNNAMED, clock_of, names_of

PRESENT = 70.0  # seconds since a request of the host's page: a browser slows a hidden one down to one a minute
MAX_PRESENT = 1000  # tables whose hosts are known to be present
MAX_LISTED = 50  # tables of each kind
WATCHED = timedelta(hours=3)  # since the beginning of a game: abandoned ones are not listed for ever


class Presence:
    """The tables whose host's page is open: it requests the table every few seconds, from this server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._noted: dict[str, float] = {}  # by table, the latest one last

    def note(self, table: str) -> None:
        """Record that the host of a table is present."""
        with self._lock:
            self._noted.pop(table, None)
            self._noted[table] = self._clock()
            if len(self._noted) > MAX_PRESENT:
                del self._noted[next(iter(self._noted))]

    def present(self) -> list[str]:
        """Return the tables whose host was present a moment ago, and forget the others."""
        since = self._clock() - PRESENT
        with self._lock:
            self._noted = {table: noted for table, noted in self._noted.items() if noted >= since}
            return list(self._noted)


def list_tables(
    session: Session, person: str, presence: Presence, hides: Callable[[str], bool]
) -> models.LobbyResponse:
    """List the open tables whose host is present, and the games in progress at open tables, the newest first.

    One waiting table of each host is listed.

    Args:
        session: the database session.
        person: the person who asks; their own tables are listed, too.
        presence: the tables whose host is present.
        hides: returns whether the game of this name has hidden information: such a game cannot be watched.
    """
    newest = select(Invitation).where(Invitation.is_open).order_by(Invitation.since.desc())
    by_host: dict[str, Invitation] = {}
    for table in session.scalars(newest.where(~IS_BEGUN, Invitation.id.in_(presence.present()))):
        by_host.setdefault(table.person, table)
    running = select(PlayedGame.id).where(PlayedGame.over.is_(None), PlayedGame.started > now() - WATCHED)
    begun = session.scalars(newest.where(Invitation.id.in_(running))).all()
    views = _waiting(session, list(by_host.values()), person)
    return models.LobbyResponse(
        waiting=[view for view in views if len(view.names) < view.players][:MAX_LISTED],
        running=_running(session, [table for table in begun if not hides(table.game)][:MAX_LISTED]),
    )


def _waiting(session: Session, tables: Sequence[Invitation], person: str) -> list[models.WaitingTableView]:
    ids = [table.id for table in tables]
    guests = session.scalars(select(Guest).where(Guest.invitation.in_(ids)).order_by(Guest.place)).all()
    names = names_of(session, [guest.person for guest in guests])
    people = {key: [guest.person for guest in guests if guest.invitation == key] for key in ids}
    return [
        models.WaitingTableView(
            id=table.id,
            game=table.game,
            rules=table.rules,
            players=table.players,
            clock=clock_of(table),
            since=table.since,
            names=[names.get(each) or UNNAMED for each in people[table.id]],
            seated=person in people[table.id],
        )
        for table in tables
    ]


def _running(session: Session, tables: Sequence[Invitation]) -> list[models.RunningTableView]:
    ids = [table.id for table in tables]
    chairs = session.scalars(select(SeatedPlayer).where(SeatedPlayer.game.in_(ids)).order_by(SeatedPlayer.seat)).all()
    return [
        models.RunningTableView(
            watch=table.watch,
            game=table.game,
            rules=table.rules,
            clock=clock_of(table),
            names=[chair.name if chair.person else DELETED_NAME for chair in chairs if chair.game == table.id],
        )
        for table in tables
    ]
