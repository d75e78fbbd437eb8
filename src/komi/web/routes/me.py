"""/api/me: the person who asks."""

from fastapi import APIRouter, Depends, Response
from sqlalchemy import delete

from komi.web import models
from komi.web.answers import told
from komi.web.people import Person, forget
from komi.web.records import Person as PersonRecord
from komi.web.referee import make_known
from komi.web.services import Served

router = APIRouter(prefix="/api/me", tags=["me"])


@router.get("", response_model=models.Me)
def show(person: Person, services: Served) -> Response:
    """Who the server takes you for."""
    with services.database.reading() as session:
        record = session.get(PersonRecord, person) or PersonRecord(id=person, colours="usual")
        return told(_me(record))


@router.put("", response_model=models.Me)
def change(asked: models.MeAsked, person: Person, services: Served) -> Response:
    """Change your name, or the colours you see; what is not said stays as it is, an empty name is none."""
    with services.database.writing() as session:
        record = make_known(session, person)
        if "name" in asked.model_fields_set:
            record.name = asked.name or None
        if asked.colours is not None:
            record.colours = asked.colours
        return told(_me(record))


@router.delete("", response_model=models.Done, dependencies=[Depends(forget)])
def forget_me(person: Person, services: Served) -> Response:
    """Delete all that is kept of you: your name, your games, everything."""
    with services.database.writing() as session:
        session.execute(delete(PersonRecord).where(PersonRecord.id == person))
    services.referee.forget(person)
    return told(models.Done())


def _me(record: PersonRecord) -> models.Me:
    return models.Me(name=record.name, colours="colour-blind" if record.colours == "colour-blind" else "usual")
