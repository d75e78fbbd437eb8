"""Removal of unused records: people who left nothing, tables where no game began, and expired commitments."""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.exc import SQLAlchemyError

from komi.web import commitments, device_codes
from komi.web.database import Database
from komi.web.records import (
    Account,
    DeviceCode,
    Guest,
    Invitation,
    Person,
    PlayedGame,
    PuzzleAnswer,
    Room,
    RoomMember,
    SeatedPlayer,
    UsedCommitment,
    now,
)
from komi.web.statement_limit import SLOW
from komi.web.waiting_tables import IS_BEGUN

LOG = logging.getLogger("komi.web")
EVERY = timedelta(days=1)
ANONYMOUS = timedelta(days=1)  # age of a person without a name who has answered no question
TERM = timedelta(days=180)  # age of a room of a class
UNUSED = timedelta(days=30)  # age of any other person, and of a table


async def clean_up_daily(database: Database, stopping: asyncio.Event) -> None:
    """Remove unused records now and once a day, until the event is set."""
    while not stopping.is_set():
        try:
            await asyncio.to_thread(remove_unused, database)
        except SQLAlchemyError as error:
            LOG.warning("unused records were not removed: %s", str(error).partition("\n")[0])
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), EVERY.total_seconds())


def remove_unused(database: Database) -> None:
    """Remove old records that belong to no game, table or answer."""
    moment = now()
    is_old = Person.since < moment - UNUSED
    has_account = select(Account.person).where(Account.person == Person.id).exists()
    is_blank = and_(Person.name.is_(None), ~Person.has_decided, ~has_account, Person.since < moment - ANONYMOUS)
    with database.writing() as session:
        for unused in (
            delete(DeviceCode).where(DeviceCode.since < moment - device_codes.VALID),
            delete(UsedCommitment).where(UsedCommitment.since < moment - 2 * commitments.VALID),
            delete(Invitation).where(Invitation.since < moment - UNUSED, ~IS_BEGUN),
            delete(Room).where(Room.since < moment - TERM),
            delete(Person).where(or_(is_old, is_blank), *(~each for each in _traces())),
        ):
            session.execute(unused, execution_options={SLOW: True})


def _traces() -> list[ColumnElement[bool]]:
    """Return the conditions that a person owns a record."""
    played = PlayedGame.person, SeatedPlayer.person, Invitation.person, Guest.person
    owners = (*played, PuzzleAnswer.person, Room.person, RoomMember.person)
    return [select(owner).where(owner == Person.id).exists() for owner in owners]
