"""/api/commitments and /api/games: playing."""

from fastapi import APIRouter, Response
from sqlalchemy import func, select

from komi.web import models
from komi.web.answers import told
from komi.web.people import Person
from komi.web.records import LogEntry, PlayedGame
from komi.web.services import Asking, Served

MOST_LISTED = 200

router = APIRouter(prefix="/api", tags=["playing"])


@router.post("/commitments", response_model=models.Commitment)
def commit(asked: models.Nothing, person: Person, services: Served) -> Response:
    """Have the server draw the seed of a game to come, and see its hash."""
    return told(services.referee.commit(person))


@router.post("/games", response_model=models.GameView, status_code=201)
def begin(asked: models.GameAsked, person: Person, asker: Asking, services: Served) -> Response:
    """Begin a game; the same commitment begins the same game."""
    return told(services.referee.begin(asker, asked), 201)


@router.get("/games", response_model=models.Games)
def games(person: Person, services: Served) -> Response:
    """Your games, the newest first."""
    length = select(func.count()).where(LogEntry.game == PlayedGame.id).scalar_subquery()
    newest = select(PlayedGame, length).where(PlayedGame.person == person).order_by(PlayedGame.started.desc())
    with services.database.reading() as session:
        listed = [_listed(record, number) for record, number in session.execute(newest.limit(MOST_LISTED))]
    return told(models.Games(games=listed))


@router.get("/games/{id}", response_model=models.GameView)
def game(id: models.Id, person: Person, services: Served) -> Response:
    """A game of yours as it stands."""
    return told(services.referee.view(person, id))


@router.post("/games/{id}/moves", response_model=models.GameView)
def move(id: models.Id, asked: models.MoveAsked, person: Person, services: Served) -> Response:
    """Make a move, or say what chance did; sent again, it answers the same and happens once."""
    return told(services.referee.move(person, id, asked))


@router.delete("/games/{id}", response_model=models.Done)
def remove(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Remove a game of yours that is not over; one that is counts, and stays."""
    services.referee.remove(person, id)
    return told(models.Done())


def _listed(record: PlayedGame, number: int) -> models.GameListed:
    return models.GameListed(
        id=record.id,
        game=record.game,
        opponent=record.opponent,
        mode="test" if record.mode == "test" else "normal",
        started=record.started,
        over=record.over is not None,
        number=number,
    )
