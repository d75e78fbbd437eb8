"""/api/statistics and /api/export: your results, and all data stored about you."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from komi.web import models
from komi.web.export import as_csv, everything
from komi.web.people import Person
from komi.web.responses import told
from komi.web.services import Served
from komi.web.statistics import finished
from komi.web.statistics import statistics as statistics_of

router = APIRouter(prefix="/api", tags=["statistics"])


@router.get("/statistics", response_model=models.Statistics)
def statistics(person: Person, services: Served) -> Response:
    """Summarize your results at each game against each opponent. Games with chance entered by hand do not count."""
    with services.database.reading() as session:
        return told(statistics_of(finished(session, person)))


@router.get("/export.json")
def export_json(person: Person, services: Served) -> JSONResponse:
    """Download all data stored about you."""
    with services.database.reading() as session:
        return JSONResponse(everything(session, person, services.offered.hides), headers=_saved_as("json"))


@router.get("/export.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
def export_csv(person: Person, services: Served) -> Response:
    """Download your games as a table."""
    with services.database.reading() as session:
        table = as_csv(everything(session, person, services.offered.hides))
    return Response(table, media_type="text/csv; charset=utf-8", headers=_saved_as("csv"))


def _saved_as(ending: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="komi-games.{ending}"'}
