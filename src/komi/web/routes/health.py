"""/api/health: whether the server can play."""

from fastapi import APIRouter, Response
from sqlalchemy import select

from komi.web import models
from komi.web.records import Secret
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/health", tags=["health"])


@router.get("", response_model=models.DoneResponse)
def health(services: CurrentServices) -> Response:
    """Answer once the database has; status 503 if it does not, 500 if its file is damaged."""
    with services.database.reading() as session:
        session.scalars(select(Secret.purpose).limit(1)).all()  # a row: SQLite opens no file for less
    return respond(models.DoneResponse())
