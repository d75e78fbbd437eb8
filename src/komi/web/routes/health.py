"""/api/health: whether the server can play."""

from fastapi import APIRouter, Response
from sqlalchemy import text

from komi.web import models
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/health", tags=["health"])


@router.get("", response_model=models.DoneResponse)
def health(services: CurrentServices) -> Response:
    """Answer once the database has; status 503 if it does not."""
    with services.database.reading() as session:
        session.execute(text("SELECT 1"))
    return respond(models.DoneResponse())
