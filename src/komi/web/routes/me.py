"""/api/me: your profile."""

from fastapi import APIRouter, Request, Response
from sqlalchemy import delete, update

from komi.web import models
from komi.web.game_cache import DELETED_SEAT, transfer_ownership
from komi.web.game_service import get_or_create_person
from komi.web.identity import CurrentPerson, reset_id
from komi.web.records import Person, SeatedPlayer
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/me", tags=["me"])


@router.get("", response_model=models.ProfileResponse)
def show(person: CurrentPerson, services: CurrentServices) -> Response:
    """Get your profile."""
    with services.database.reading() as session:
        record = session.get(Person, person)
        return respond(models.ProfileResponse(name=record.name if record else None))


@router.put("", response_model=models.ProfileResponse)
def change(body: models.ProfileRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Change your name. An empty name removes it."""
    with services.database.writing() as session:
        record = get_or_create_person(session, person)
        record.name = body.name or None
        return respond(models.ProfileResponse(name=record.name))


@router.delete("", response_model=models.DoneResponse)
def forget_me(request: Request, person: CurrentPerson, services: CurrentServices) -> Response:
    """Delete all data that is stored about you: your name, your games, everything."""
    services.game_service.leave(person)
    with services.database.writing() as session:
        transfer_ownership(session, person)
        session.execute(update(SeatedPlayer).where(SeatedPlayer.person == person).values(DELETED_SEAT))
        session.execute(delete(Person).where(Person.id == person))
    services.game_cache.forget(person)
    reset_id(request)
    return respond(models.DoneResponse())


@router.post("/leave", response_model=models.DoneResponse)
def leave(body: models.EmptyRequest, request: Request, person: CurrentPerson) -> Response:
    """Leave this browser, which becomes a new person. Your data stays, for your other devices."""
    reset_id(request)
    return respond(models.DoneResponse())
