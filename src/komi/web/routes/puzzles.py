"""/api/puzzles: the puzzle of the day of each game."""

from datetime import date

from babel.dates import format_date
from fastapi import APIRouter, Request, Response

from komi.web import models, preview
from komi.web.identity import CurrentPerson
from komi.web.language import say
from komi.web.responses import ApiError, respond
from komi.web.routes.page import chosen
from komi.web.services import CurrentRequester, CurrentServices

NO_PICTURES = "There is no picture here, or this server cannot draw any: pip install 'komi[plot]'."
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


@router.get("/{game}/{day}.png", response_class=Response)
def picture(
    game: models.GameName, day: models.Day, request: Request, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Get a picture of a puzzle's position."""
    found, state = services.puzzles.position(game, day, requester)
    if not preview.has_picture(found):
        raise ApiError(404, NO_PICTURES)
    code = chosen(request)
    words = say(code, "Puzzle of {0}. What would you do here?", format_date(date.fromisoformat(day), locale=code))
    drawn = preview.draw_puzzle(found, found.default_rules, state, words, code)
    return Response(drawn, media_type="image/png")


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
