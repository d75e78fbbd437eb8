"""/api/sandbox and /api/records: any position of a game, its analysis, and games as text."""

import secrets

from fastapi import APIRouter, Response
from starlette.responses import PlainTextResponse

from komi.play.review import review as analyze_table
from komi.rules.vocabulary import title
from komi.web import models, sandbox
from komi.web.game_views import game_view
from komi.web.identity import CurrentPerson
from komi.web.ratings import UNSOLVED
from komi.web.responses import ApiError, respond
from komi.web.routes.learning import advised, reviewed
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api", tags=["sandbox"])


@router.post("/sandbox", response_model=models.GameView)
def create(body: models.SandboxRequest, services: CurrentServices) -> Response:
    """Create a game from any position and all entries since. It is not stored."""
    live = sandbox.create(services.catalog, body)
    return respond(game_view(live, live.viewer_seat(live.settings.person), ""))


@router.post("/sandbox/hint", response_model=models.HintResponse)
def hint(body: models.SandboxRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the values of the mover's actions, best first."""
    live = sandbox.create(services.catalog, body)
    if live.table.waiting != "action":
        raise ApiError(409, "No player is to move in this position: there is no hint.")
    return advised(live, requester, services)


@router.post("/sandbox/choice", response_model=models.ChoiceResponse)
def choose(body: models.SandboxChoiceRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Let an opponent choose an action for the mover."""
    live = sandbox.create(services.catalog, body)
    if live.table.waiting != "action":
        raise ApiError(409, "No player is to move in this position.")
    game, rules, state = live.settings.game, live.settings.rules, live.table.state
    player = services.opponents.player(body.opponent, game, rules, requester)
    action = player.choose(state, secrets.SystemRandom().random())
    return respond(models.ChoiceResponse(label=game.label(rules, state, action)))


@router.post("/sandbox/review", response_model=models.ReviewResponse)
def review(body: models.SandboxReviewRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the analysis of the entries so far, for one seat."""
    live = sandbox.create(services.catalog, body)
    if body.seat >= live.table.players:
        raise ApiError(422, f"There are {live.table.players} seats, counted from 0.")
    solution = services.solutions.solution(live.settings.game, live.settings.rules, requester)
    if solution is None:
        raise ApiError(404, UNSOLVED.format(game=title(live.settings.game)))
    return reviewed(live, analyze_table(solution, live.table, body.seat))


@router.post("/sandbox/record", response_model=models.RecordTextResponse)
def write(body: models.SandboxRequest, services: CurrentServices) -> Response:
    """Write the game as the text of a record."""
    live = sandbox.create(services.catalog, body)
    return respond(models.RecordTextResponse(text=sandbox.record_text(live.settings.game, live)))


@router.post("/records", response_model=models.RecordResponse)
def read(body: models.RecordRequest, services: CurrentServices) -> Response:
    """Parse a record."""
    return respond(sandbox.read(services.catalog, body.text))


@router.get("/games/{id}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def download(id: models.Id, person: CurrentPerson, services: CurrentServices) -> Response:
    """Download the record of a game of yours as a text file. With hidden information, it must be over."""
    with services.game_cache.locked(person, id) as live:
        if live.settings.game.has("view") and not live.table.is_over:
            raise ApiError(
                409, f"{title(live.settings.game)} has hidden information: you can download its record when it is over."
            )
        text = services.game_service.record(live, person)
    disposition = f'attachment; filename="{live.settings.game.name}.txt"'
    return PlainTextResponse(text, headers={"content-disposition": disposition})
