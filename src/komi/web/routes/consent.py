"""/api/consent: your decision on whether your games may be studied."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.game_service import get_or_create_person
from komi.web.identity import CurrentPerson
from komi.web.records import Person, now
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/consent", tags=["consent"])


@router.get("", response_model=models.ConsentResponse)
def show(person: CurrentPerson, services: CurrentServices) -> Response:
    """Return your decision."""
    with services.database.reading() as session:
        record = session.get(Person, person)
        agreed = record.consented_at is not None if record and record.has_decided else None
    return respond(models.ConsentResponse(study=services.studies, agreed=agreed))


@router.put("", response_model=models.ConsentResponse)
def change(body: models.ConsentRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Agree, or withdraw your consent: then none of your decisions is studied any longer, even in earlier games."""
    with services.database.writing() as session:
        record = get_or_create_person(session, person)
        record.has_decided = True
        record.consented_at = (record.consented_at or now()) if body.agreed else None
    return respond(models.ConsentResponse(study=services.studies, agreed=body.agreed))
