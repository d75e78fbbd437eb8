"""Two people become one, when a device joins another, or one gets another id, when all other devices are signed out."""

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from komi.web import models
from komi.web.game_cache import DELETED_SEAT, NOT_TRANSFERRED
from komi.web.records import (
    Account,
    Guest,
    Invitation,
    Person,
    PlayedGame,
    PuzzleAnswer,
    Room,
    RoomMember,
    SeatedPlayer,
    now,
)
from komi.web.responses import ApiError
from komi.web.waiting_tables import IS_BEGUN


def describe(session: Session, person: str) -> models.CodeOwnerResponse:
    """Return a person's name and number of games."""
    seated = select(SeatedPlayer.game).where(SeatedPlayer.person == person)
    mine = or_(PlayedGame.person == person, PlayedGame.id.in_(seated))
    games = session.scalar(select(func.count()).select_from(PlayedGame).where(mine)) or 0
    return models.CodeOwnerResponse(name=session.get_one(Person, person).name, games=games)


OWNED = (PlayedGame.person, SeatedPlayer.person, Invitation.person, Guest.person)  # what two people may own together
OWNED_ONCE = (PuzzleAnswer.person, Room.person, RoomMember.person, Account.person)


def change_id(session: Session, old: str, new: str) -> None:
    """Move everything that belongs to a person to a new id, so that cookies with the old one are of no use."""
    person = session.get(Person, old, with_for_update=True)
    if person is None:
        return
    kept = ("name", "since", "consented_at", "has_decided")
    session.add(Person(id=new, **{field: getattr(person, field) for field in kept}))
    session.flush()
    for owner in (*OWNED, *OWNED_ONCE):
        session.execute(update(owner.class_).where(owner == old).values(person=new))
    session.execute(delete(Person).where(Person.id == old))


def merge(session: Session, old: str, new: str) -> None:
    """Move everything that belongs to one person to another, and delete the first.

    Raises:
        ApiError: if both sit at a table whose game is not over, or both have a name and a password.
    """
    left, joined = session.get(Person, old), session.get_one(Person, new)
    if left is None:
        return
    _leave_common_games(session, old, new)
    _move_account(session, old, new)
    for owner in OWNED:
        session.execute(update(owner.class_).where(owner == old).values(person=new))
    _move_answers(session, old, new)
    session.execute(update(Room).where(Room.person == old).values(person=new))
    known = select(RoomMember.room).where(RoomMember.person == new)
    moved = RoomMember.person == old, RoomMember.room.not_in(session.scalars(known).all())
    session.execute(update(RoomMember).where(*moved).values(person=new))
    joined.name = joined.name or left.name
    if joined.consented_at is not None:  # those agree who have both agreed
        refuses = left.has_decided and left.consented_at is None
        joined.consented_at = None if refuses else max(joined.consented_at, left.consented_at or now())
    session.flush()
    session.execute(delete(Person).where(Person.id == old))


def _leave_common_games(session: Session, old: str, new: str) -> None:
    """Take one of two people from the finished games in which both have a seat: one person has one."""
    other = aliased(SeatedPlayer)
    both = select(SeatedPlayer.game, other.seat).join(other, other.game == SeatedPlayer.game)
    common = session.execute(both.where(SeatedPlayer.person == old, other.person == new)).all()
    seats = {row.game: row.seat for row in common}
    running = select(PlayedGame.id).where(PlayedGame.id.in_(seats), PlayedGame.over.is_(None))
    hosted = select(Guest.invitation).where(Guest.person == new)
    waiting = select(Invitation.id).join(Guest).where(Guest.person == old, Invitation.id.in_(hosted), ~IS_BEGUN)
    if session.scalars(running).first() or session.scalars(waiting).first():
        raise ApiError(409, "Both devices have a seat at one table: end that game, or close the table, first.")
    mine = SeatedPlayer.game.in_(seats), SeatedPlayer.person == old
    session.execute(update(SeatedPlayer).where(*mine).values(DELETED_SEAT))
    for game, seat in seats.items():
        values = {"person": new, "seat": seat, **NOT_TRANSFERRED}
        session.execute(update(PlayedGame).where(PlayedGame.id == game, PlayedGame.person == old).values(values))


def _move_account(session: Session, old: str, new: str) -> None:
    if session.get(Account, old) and session.get(Account, new):
        raise ApiError(409, "Both have a name and a password: remove one of them, or leave this device, first.")
    session.execute(update(Account).where(Account.person == old).values(person=new))


def _move_answers(session: Session, old: str, new: str) -> None:
    """Move the answers to puzzles that the other person has not answered: the first one counts."""
    known = session.execute(select(PuzzleAnswer.game, PuzzleAnswer.day).where(PuzzleAnswer.person == new)).all()
    for answer in session.scalars(select(PuzzleAnswer).where(PuzzleAnswer.person == old)):
        if (answer.game, answer.day) not in known:
            answer.person = new
