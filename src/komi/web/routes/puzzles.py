"""/api/puzzles: the puzzle of the day of each game."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.identity import CurrentPerson
from komi.web.responses import respond
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])


@router.get("/{game}", response_model=models.PuzzleView)
def show(
    game: models.GameName, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Get today's puzzle of a game, and its solution once you have answered."""
    return respond(services.puzzles.show(game, requester))


@router.post("/{game}", response_model=models.PuzzleView)
def answer(
    game: models.GameName,
    body: models.PuzzleAnswerRequest,
    person: CurrentPerson,
    requester: CurrentRequester,
    services: CurrentServices,
) -> Response:
    """Answer the puzzle of this day. Only the first answer counts."""
    return respond(services.puzzles.answer(game, body.day, body.label, requester))
