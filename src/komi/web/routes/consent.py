"""/api/consent: your decision on whether your games may be studied."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.people import Person
from komi.web.records import Person as PersonRecord
from komi.web.records import now
from komi.web.referee import make_known
from komi.web.responses import told
from komi.web.services import Served

router = APIRouter(prefix="/api/consent", tags=["consent"])


@router.get("", response_model=models.Consent)
def show(person: Person, services: Served) -> Response:
    """Return your decision."""
    with services.database.reading() as session:
        record = session.get(PersonRecord, person)
        agreed = record.studied is not None if record and record.asked else None
    return told(models.Consent(study=services.studies, agreed=agreed))


@router.put("", response_model=models.Consent)
def change(asked: models.ConsentAsked, person: Person, services: Served) -> Response:
    """Agree, or withdraw your consent: then none of your decisions is studied any longer, even in earlier games."""
    with services.database.writing() as session:
        record = make_known(session, person)
        record.asked = True
        record.studied = (record.studied or now()) if asked.agreed else None
    return told(models.Consent(study=services.studies, agreed=asked.agreed))
