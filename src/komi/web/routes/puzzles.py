"""/api/puzzles: the puzzle of the day of each game."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.people import Person
from komi.web.responses import told
from komi.web.services import Asking, Served

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])


@router.get("/{game}", response_model=models.PuzzleView)
def show(game: models.GameName, person: Person, asker: Asking, services: Served) -> Response:
    """Get today's puzzle of a game, and its solution once you have answered."""
    return told(services.puzzles.show(game, asker))


@router.post("/{game}", response_model=models.PuzzleView)
def answer(
    game: models.GameName, asked: models.PuzzleAnswered, person: Person, asker: Asking, services: Served
) -> Response:
    """Answer the puzzle of this day. Only the first answer counts."""
    return told(services.puzzles.answer(game, asked.day, asked.label, asker))
