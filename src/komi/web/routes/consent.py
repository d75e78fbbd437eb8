"""/api/consent: whether the person's decisions may be studied."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.answers import told
from komi.web.people import Person
from komi.web.records import Person as PersonRecord
from komi.web.records import now
from komi.web.referee import make_known
from komi.web.services import Served

router = APIRouter(prefix="/api/consent", tags=["consent"])


@router.get("", response_model=models.Consent)
def show(person: Person, services: Served) -> Response:
    """What you have said."""
    with services.database.reading() as session:
        record = session.get(PersonRecord, person)
        agreed = record.studied is not None if record and record.asked else None
    return told(models.Consent(study=services.studies, agreed=agreed))


@router.put("", response_model=models.Consent)
def change(asked: models.ConsentAsked, person: Person, services: Served) -> Response:
    """Agree, or take it back: then none of your decisions is studied any more, those of earlier games neither."""
    with services.database.writing() as session:
        record = make_known(session, person)
        record.asked = True
        record.studied = (record.studied or now()) if asked.agreed else None
    return told(models.Consent(study=services.studies, agreed=asked.agreed))
