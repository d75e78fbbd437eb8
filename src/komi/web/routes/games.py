"""/api/commitments and /api/games: playing."""

from fastapi import APIRouter, Response
from sqlalchemy import func, or_, select

from komi.web import models
from komi.web.live_games import names_at
from komi.web.people import Person
from komi.web.records import Chair, LogEntry, PlayedGame
from komi.web.responses import told
from komi.web.services import Asking, Served

MAX_LISTED = 200

router = APIRouter(prefix="/api", tags=["playing"])


@router.post("/commitments", response_model=models.Commitment)
def commit(asked: models.Nothing, person: Person, services: Served) -> Response:
    """Request a seed for a new game, and get its hash."""
    return told(services.referee.commit(person))


@router.post("/games", response_model=models.GameView, status_code=201)
def begin(asked: models.GameAsked, person: Person, asker: Asking, services: Served) -> Response:
    """Begin a game. The same commitment begins the same game."""
    return told(services.referee.begin(asker, asked), 201)


@router.get("/games", response_model=models.Games)
def games(person: Person, services: Served) -> Response:
    """List your games, newest first."""
    length = select(func.count()).where(LogEntry.game == PlayedGame.id).scalar_subquery()
    seated = PlayedGame.id.in_(select(Chair.game).where(Chair.person == person))
    mine = or_(PlayedGame.person == person, seated)
    newest = select(PlayedGame, length).where(mine).order_by(PlayedGame.started.desc())
    with services.database.reading() as session:
        found = session.execute(newest.limit(MAX_LISTED)).all()
        names = names_at(session, [record.id for record, _ in found])
        listed = [_listed(record, number, names.get(record.id)) for record, number in found]
    return told(models.Games(games=listed))


@router.get("/games/{id}", response_model=models.GameView)
def game(id: models.Id, person: Person, services: Served) -> Response:
    """Get the current state of a game of yours."""
    return told(services.referee.view(person, id))


@router.get("/games/{id}/news", response_model=models.News)
def news(id: models.Id, person: Person, services: Served) -> Response:
    """Get the number of log entries of a game of yours, and whether it is over."""
    with services.games.present(person, id) as live:
        return told(models.News(number=live.table.number, over=live.table.is_over))


@router.post("/games/{id}/moves", response_model=models.GameView)
def move(id: models.Id, asked: models.MoveAsked, person: Person, services: Served) -> Response:
    """Make a move, or enter the outcome of a chance event. A repeated request is executed once and returns the same."""
    return told(services.referee.move(person, id, asked))


@router.post("/games/{id}/resign", response_model=models.GameView)
def resign(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Resign: you lose, and the other players share the win."""
    return told(services.referee.resign(person, id))


@router.post("/games/{id}/takeback", response_model=models.GameView)
def take_back(id: models.Id, asked: models.TakebackAsked, person: Person, services: Served) -> Response:
    """Take back your last entry and all later ones (only in Test Mode)."""
    return told(services.referee.take_back(person, id, asked))


@router.delete("/games/{id}", response_model=models.Done)
def remove(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Remove a game of yours that is not over. Finished games count in your statistics and cannot be removed."""
    services.referee.remove(person, id)
    return told(models.Done())


def _listed(record: PlayedGame, number: int, names: list[str] | None) -> models.GameListed:
    return models.GameListed(
        id=record.id,
        game=record.game,
        opponent=record.opponent,
        names=names,
        mode="test" if record.mode == "test" else "normal",
        started=record.started,
        over=record.over is not None,
        number=number,
    )
