"""/api/catalog, rules, opponents, preparations, strengths and rungs: the games on offer, and their jobs."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.game_catalog import opponents_response, rules_module, rules_of
from komi.web.queued_job import QueuedJob
from komi.web.responses import ApiError, respond
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api", tags=["games on offer"])


@router.get("/catalog", response_model=models.CatalogResponse)
def catalog(services: CurrentServices) -> Response:
    """List all games, with their rules and opponents."""
    return respond(services.catalog.catalog)


@router.get("/rules/{game}", response_model=models.RulesModuleResponse)
def rules(game: models.GameName, services: CurrentServices) -> Response:
    """Get the rules of a game as a module of JavaScript, with which the page checks finished games."""
    return respond(models.RulesModuleResponse(source=rules_module(services.catalog.find(game))))


@router.post("/how-to-play", response_model=models.HowToPlayResponse)
def how_to_play(body: models.RulesRequest, services: CurrentServices) -> Response:
    """Explain how a game is played."""
    game = services.catalog.find(body.game)
    return respond(models.HowToPlayResponse(paragraphs=list(game.how_to_play(rules_of(game, body.rules)))))


@router.post("/opponents", response_model=models.OpponentsResponse)
def opponents(body: models.RulesRequest, services: CurrentServices) -> Response:
    """List the opponents under these rules."""
    game = services.catalog.find(body.game)
    return respond(opponents_response(game, rules_of(game, body.rules)))


@router.post(
    "/preparations", response_model=models.PreparationResponse, responses={202: {"model": models.PreparationResponse}}
)
def prepare(body: models.PreparationRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Solve a game under these rules and prepare an opponent, unless that is done. Status 202 while in progress."""
    game = services.catalog.find(body.game)
    rules = rules_of(game, body.rules)
    if body.opponent is None:
        found = services.solutions.prepare(game, game.alone(rules), requester)
        return _progress(found, playable=game.players(rules) == 1)
    found = services.opponents.prepare(body.opponent, game, rules, requester)
    return _progress(found, playable=services.opponents.can_play(body.opponent, game, rules, found))


@router.get(
    "/preparations/{key}",
    response_model=models.PreparationResponse,
    responses={202: {"model": models.PreparationResponse}},
)
def preparation(key: models.Id, services: CurrentServices) -> Response:
    """Get the progress of a job."""
    found = services.solver_queue.find(key) or services.preparation_queue.find(key)
    if found is None:
        raise ApiError(404, "There is no such preparation: request it again.")
    return _progress(found)


@router.post(
    "/strengths", response_model=models.StrengthsResponse, responses={202: {"model": models.StrengthsResponse}}
)
def strengths(body: models.RulesRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Compare the opponents: how often each beats each other. Status 202 while that is being computed."""
    game = services.catalog.find(body.game)
    matches = services.strengths.find(game, rules_of(game, body.rules), requester)
    return respond(
        models.StrengthsResponse(ready=matches is not None, matches=matches or []), 202 if matches is None else 200
    )


@router.post("/rungs", response_model=models.RungsResponse)
def rungs(body: models.RulesRequest, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Measure what policies from careless to perfect give away per game: the rungs of the ladder of ratings."""
    game = services.catalog.find(body.game)
    return respond(models.RungsResponse(rungs=services.strengths.rungs(game, rules_of(game, body.rules), requester)))


def _progress(job: QueuedJob, *, playable: bool = False) -> Response:
    shown = models.PreparationResponse(
        key=job.key,
        ready=job.ready,
        playable=playable or job.ready,
        stage=job.stage,
        done=job.done,
        total=job.total,
        error=job.error,
    )
    response = respond(shown, 202 if not job.is_over else 200)
    if not job.is_over:
        response.headers["retry-after"] = str(job.seconds)
    return response
