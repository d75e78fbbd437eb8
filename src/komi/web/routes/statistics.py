"""/api/statistics and /api/export: your results, and all data stored about you."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from komi.web import models
from komi.web.export import as_csv, everything
from komi.web.identity import CurrentPerson
from komi.web.responses import respond
from komi.web.services import CurrentServices
from komi.web.statistics import finished
from komi.web.statistics import statistics as statistics_of

router = APIRouter(prefix="/api", tags=["statistics"])


@router.get("/statistics", response_model=models.StatisticsResponse)
def statistics(person: CurrentPerson, services: CurrentServices) -> Response:
    """Get the ratings of your decisions, and your results. Games with chance entered by hand do not count."""
    with services.database.reading() as session:
        return respond(statistics_of(finished(session, person), services.catalog))


@router.get("/export.json")
def export_json(person: CurrentPerson, services: CurrentServices) -> JSONResponse:
    """Download all data stored about you."""
    with services.database.reading() as session:
        return JSONResponse(everything(session, person, services.catalog.hides), headers=_saved_as("json"))


@router.get("/export.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
def export_csv(person: CurrentPerson, services: CurrentServices) -> Response:
    """Download your games as a table."""
    with services.database.reading() as session:
        table = as_csv(everything(session, person, services.catalog.hides))
    return Response(table, media_type="text/csv; charset=utf-8", headers=_saved_as("csv"))


def _saved_as(ending: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="komi-games.{ending}"'}
