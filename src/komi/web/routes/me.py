"""/api/me: your profile."""

from fastapi import APIRouter, Request, Response
from sqlalchemy import delete, update

from komi.web import models
from komi.web.live_games import hand_over
from komi.web.people import Person, forget
from komi.web.records import Chair
from komi.web.records import Person as PersonRecord
from komi.web.referee import make_known
from komi.web.responses import told
from komi.web.services import Served

router = APIRouter(prefix="/api/me", tags=["me"])


@router.get("", response_model=models.Me)
def show(person: Person, services: Served) -> Response:
    """Get your profile."""
    with services.database.reading() as session:
        record = session.get(PersonRecord, person)
        return told(models.Me(name=record.name if record else None))


@router.put("", response_model=models.Me)
def change(asked: models.MeAsked, person: Person, services: Served) -> Response:
    """Change your name. An empty name removes it."""
    with services.database.writing() as session:
        record = make_known(session, person)
        record.name = asked.name or None
        return told(models.Me(name=record.name))


@router.delete("", response_model=models.Done)
def forget_me(request: Request, person: Person, services: Served) -> Response:
    """Delete all data that is stored about you: your name, your games, everything."""
    services.referee.leave(person)
    with services.database.writing() as session:
        hand_over(session, person)
        session.execute(update(Chair).where(Chair.person == person).values(name="", person=None))
        session.execute(delete(PersonRecord).where(PersonRecord.id == person))
    services.games.forget(person)
    forget(request)
    return told(models.Done())
