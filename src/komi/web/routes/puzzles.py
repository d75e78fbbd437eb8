"""/api/puzzles: the puzzle of the day of each game."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.identity import CurrentPerson
from komi.web.responses import respond
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])


@router.get("", response_model=models.PuzzlesResponse)
def list_puzzles(person: CurrentPerson, services: CurrentServices) -> Response:
    """List the games that have puzzles, with your answers of the last days."""
    return respond(services.puzzles.list(person))


@router.get("/{game}", response_model=models.PuzzleView)
def show(
    game: models.GameName,
    person: CurrentPerson,
    requester: CurrentRequester,
    services: CurrentServices,
    day: models.Day | None = None,
) -> Response:
    """Get the puzzle of a game, today's or that of an earlier day, and its solution once you have answered that day."""
    return respond(services.puzzles.show(game, day, requester))


@router.post("/{game}", response_model=models.PuzzleView)
def answer(
    game: models.GameName,
    body: models.PuzzleAnswerRequest,
    person: CurrentPerson,
    requester: CurrentRequester,
    services: CurrentServices,
) -> Response:
    """Answer the puzzle of this day. Only the first answer counts, and only on that day."""
    return respond(services.puzzles.answer(game, body.day, body.label, requester))
