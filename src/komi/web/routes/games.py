"""/api/commitments and /api/games: playing."""

from contextlib import suppress

from fastapi import APIRouter, Response

from komi.web import models, phrases
from komi.web.archive import Filter, list_games
from komi.web.identity import CurrentPerson
from komi.web.responses import ApiError, respond
from komi.web.services import CurrentRequester, CurrentServices, Services

router = APIRouter(prefix="/api", tags=["playing"])


@router.post("/commitments", response_model=models.CommitmentResponse)
def commit(body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Request a seed for a new game, and get its hash."""
    return respond(services.game_service.commit(person))


@router.post("/games", response_model=models.GameView, status_code=201)
def begin(
    body: models.GameRequest, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Begin a game. The same commitment begins the same game."""
    return respond(services.game_service.begin(requester, body), 201)


@router.get("/games", response_model=models.GamesResponse)
def games(
    person: CurrentPerson,
    services: CurrentServices,
    over: bool | None = None,
    game: models.GameName | None = None,
    opponent: models.OpponentName | None = None,
    result: models.Outcome | None = None,
    text: models.Word = "",
    before: models.Id | None = None,
) -> Response:
    """List your games, newest first, 50 at a time: those after the game `before`, with someone whose name has `text`.

    `opponent` is the name of one, "people" or "alone".
    """
    with services.database.reading() as session:
        listed = list_games(session, person, Filter(over, game, opponent, result, text, before))
    for summary in listed.games:
        if summary.turn and summary.names:  # an opponent of komi moves at once
            summary.turn = _is_turn_of(person, summary.id, services)
    return respond(listed)


@router.get("/games/{id}", response_model=models.GameView)
def game(id: models.Id, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the current state of a game of yours."""
    return respond(services.game_service.view(requester, id))


@router.get("/games/{id}/news", response_model=models.NewsResponse)
def news(id: models.Id, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the number of log entries of a game of yours, whether it is over or your turn, and what the others say."""
    person = requester.person
    with services.game_cache.locked(person, id) as live:
        number, over, turn = live.table.number, live.table.is_over, live.is_turn_of(person)
    with services.database.reading() as session:
        said = phrases.recent(session, id) if live.settings.is_with_others else []
    return respond(models.NewsResponse(number=number, over=over, turn=turn, phrases=said))


@router.post("/games/{id}/moves", response_model=models.GameView)
def move(id: models.Id, body: models.MoveRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Make a move, or enter the outcome of a chance event. A repeated request is executed once and returns the same."""
    return respond(services.game_service.move(requester, id, body))


@router.post("/games/{id}/resign", response_model=models.GameView)
def resign(id: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Resign: you lose, and the other players share the win."""
    return respond(services.game_service.resign(person, id))


@router.post("/games/{id}/takeback", response_model=models.GameView)
def take_back(
    id: models.Id, body: models.TakebackRequest, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Take back your last entry and all later ones (only in Test Mode)."""
    return respond(services.game_service.take_back(requester, id, body))


@router.delete("/games/{id}", response_model=models.DoneResponse)
def remove(id: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Remove a game of yours that is not over. Finished games count in your statistics and cannot be removed."""
    services.game_service.remove(person, id)
    return respond(models.DoneResponse())


def _is_turn_of(person: str, id: str, services: Services) -> bool:
    """Return whether a person is to move in a game; not in one whose rules have changed since it began."""
    with suppress(ApiError), services.game_cache.locked(person, id) as live:
        return live.is_turn_of(person)
    return False
