"""Rooms for classes. A game counts in a room if a member began it after joining, with the game, rules and opponent."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from komi.web import device_codes, models
from komi.web.export import harmless
from komi.web.identity import new_id
from komi.web.records import LogEntry, PlayedGame, Room, RoomMember
from komi.web.responses import ApiError

CODE_WORDS = 2
MAX_ROOMS = 20  # of one teacher: the oldest ones are closed
MAX_MEMBERS = 100  # of one room
NO_ROOM = "There is no such room: the code may be mistyped, or the room is closed."
COLUMNS = ("name", "games", "won", "decisions", "loss")


def create(session: Session, person: str, request: models.RoomRequest, rules: dict[str, object]) -> Room:
    """Open a room."""
    mine = select(Room.id).where(Room.person == person).order_by(Room.since.desc())
    session.execute(delete(Room).where(Room.id.in_(session.scalars(mine).all()[MAX_ROOMS - 1 :])))
    code = device_codes.draw_words(CODE_WORDS)
    room = Room(id=new_id(), person=person, code=code, game=request.game, rules=rules, opponent=request.opponent or "")
    session.add(room)
    session.flush()
    return room


def find(session: Session, code: str) -> Room:
    """Return the room with a code.

    Raises:
        ApiError: if there is none.
    """
    room = session.scalars(select(Room).where(Room.code == device_codes.normalize(code))).one_or_none()
    if room is None:
        raise ApiError(404, NO_ROOM)
    return room


def own(session: Session, person: str, room_id: str) -> Room:
    """Return a room of this teacher.

    Raises:
        ApiError: if there is none.
    """
    room = session.get(Room, room_id)
    if room is None or room.person != person:
        raise ApiError(404, NO_ROOM)
    return room


def join(session: Session, person: str, room: Room, name: str) -> None:
    """Put a person on the board of a room, or change the name there.

    Raises:
        ApiError: if the room is full.
    """
    member = session.get(RoomMember, (room.id, person))
    if member is not None:
        member.name = name
        return
    count = session.scalar(select(func.count()).select_from(RoomMember).where(RoomMember.room == room.id)) or 0
    if count >= MAX_MEMBERS:
        raise ApiError(409, f"This room is full: it has {MAX_MEMBERS} members.")
    session.add(RoomMember(room=room.id, person=person, name=name))


def leave(session: Session, person: str, room_id: str) -> None:
    """Close a room, or take a pupil from its board.

    Raises:
        ApiError: if this person is neither its teacher nor a member.
    """
    room, member = session.get(Room, room_id), session.get(RoomMember, (room_id, person))
    leaving = room if room is not None and room.person == person else member
    if leaving is None:
        raise ApiError(404, NO_ROOM)
    session.delete(leaving)


def of_person(session: Session, person: str) -> list[models.RoomView]:
    """Return the rooms that a person has opened or joined, the newest first."""
    joined = select(RoomMember.room).where(RoomMember.person == person)
    rooms = select(Room).where(or_(Room.person == person, Room.id.in_(joined))).order_by(Room.since.desc())
    return [view(session, room, person) for room in session.scalars(rooms)]


def view(session: Session, room: Room, person: str) -> models.RoomView:
    """Return a room as a person sees it."""
    return models.RoomView(
        id=room.id,
        code=room.code.replace("-", " "),
        game=room.game,
        rules=room.rules,
        opponent=room.opponent,
        teacher=room.person == person,
        joined=session.get(RoomMember, (room.id, person)) is not None,
    )


def board(session: Session, room: Room) -> models.BoardResponse:
    """Return what the members of a room have played."""
    members = session.scalars(select(RoomMember).where(RoomMember.room == room.id).order_by(RoomMember.name)).all()
    games = select(PlayedGame).where(
        PlayedGame.person.in_([member.person for member in members]),
        PlayedGame.game == room.game,
        PlayedGame.opponent == room.opponent,
        PlayedGame.mode == "normal",
        PlayedGame.started >= room.since,
    )
    played = [game for game in session.scalars(games) if game.rules == room.rules]
    of = {
        member.person: [game for game in played if (game.person, game.started >= member.since) == (member.person, True)]
        for member in members
    }
    chosen = select(LogEntry.game, LogEntry.label, func.count()).where(
        LogEntry.game.in_([game.id for game in played]), LogEntry.kind == "action", LogEntry.by == "you"
    )
    actions: dict[str, Counter[str]] = {}
    for game, label, count in session.execute(chosen.group_by(LogEntry.game, LogEntry.label)):
        actions.setdefault(game, Counter())[label] = count
    pupils = [_pupil(member.name, of[member.person], actions) for member in members]
    return models.BoardResponse(room=view(session, room, room.person), pupils=pupils)


def _pupil(name: str, games: Sequence[PlayedGame], actions: dict[str, Counter[str]]) -> models.PupilView:
    over = [game for game in games if game.payoffs]
    rated = [game for game in over if game.mistakes is not None]
    decisions = sum(game.decisions or 0 for game in rated)
    chosen = sum((actions.get(game.id, Counter()) for game in games), Counter[str]())
    return models.PupilView(
        name=name,
        playing=any(game.over is None for game in games),
        games=len(over),
        won=sum(game.payoffs[game.seat] for game in over if game.payoffs),
        decisions=decisions,
        loss=sum(game.mistakes or 0.0 for game in rated) / decisions if decisions else None,
        actions=dict(chosen.most_common()),
    )


def as_csv(found: models.BoardResponse) -> str:
    """Format a board as a CSV table, with a column for each action."""
    labels = sorted({label for pupil in found.pupils for label in pupil.actions})
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow([harmless(cell) for cell in (*COLUMNS, *labels)])
    for pupil in found.pupils:
        figures = [getattr(pupil, name) for name in COLUMNS]
        writer.writerow([harmless(cell) for cell in (*figures, *(pupil.actions.get(label, 0) for label in labels))])
    return text.getvalue()
