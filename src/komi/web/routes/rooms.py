"""/api/rooms: rooms for classes."""

from fastapi import APIRouter, Response

from komi.web import models, rooms
from komi.web.game_catalog import rules_of
from komi.web.game_service import get_or_create_person
from komi.web.identity import CurrentPerson
from komi.web.responses import respond
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api/rooms", tags=["classes"])


@router.get("", response_model=models.RoomsResponse)
def mine(person: CurrentPerson, services: CurrentServices) -> Response:
    """List the rooms that you have opened or joined, the newest first."""
    with services.database.reading() as session:
        return respond(models.RoomsResponse(rooms=rooms.of_person(session, person)))


@router.post("", response_model=models.RoomView, status_code=201)
def create(
    body: models.RoomRequest, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Open a room in which all play one game, under the same rules against the same opponent."""
    game = services.catalog.find(body.game)
    rules = rules_of(game, body.rules)
    services.opponents.rival(body.opponent or "", game.under(rules), rules, requester)
    with services.database.writing() as session:
        get_or_create_person(session, person)
        room = rooms.create(session, person, body, rules._asdict())
        return respond(rooms.view(session, room, person), 201)


@router.post("/find", response_model=models.RoomView)
def find(body: models.RoomCodeRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Get the room with a code, before you join."""
    with services.database.reading() as session:
        return respond(rooms.view(session, rooms.find(session, body.code), person))


@router.post("/join", response_model=models.RoomView)
def join(body: models.RoomJoinRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Join a room: its teacher sees your name there, and your games in it from now on."""
    with services.database.writing() as session:
        get_or_create_person(session, person)
        room = rooms.find(session, body.code)
        rooms.join(session, person, room, body.name)
        session.flush()
        return respond(rooms.view(session, room, person))


@router.delete("/{room}", response_model=models.DoneResponse)
def leave(room: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Close a room of yours, or leave another's: its board shows nothing of you any longer."""
    with services.database.writing() as session:
        rooms.leave(session, person, room)
    return respond(models.DoneResponse())


@router.get("/{room}/board", response_model=models.BoardResponse)
def board(room: models.Id, person: CurrentPerson, services: CurrentServices) -> Response:
    """Get the board of a room of yours."""
    with services.database.reading() as session:
        return respond(rooms.board(session, rooms.own(session, person, room)))


@router.get("/{room}/board.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
def board_csv(room: models.Id, person: CurrentPerson, services: CurrentServices) -> Response:
    """Download the board of a room of yours as a table."""
    with services.database.reading() as session:
        table = rooms.as_csv(rooms.board(session, rooms.own(session, person, room)))
    headers = {"content-disposition": 'attachment; filename="komi-class.csv"'}
    return Response(table, media_type="text/csv; charset=utf-8", headers=headers)
