"""/api/games/{id}/share and /api/shared: finished games that players share."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.identity import CurrentPerson
from komi.web.responses import respond
from komi.web.routes.learning import reviewed
from komi.web.services import CurrentRequester, CurrentServices

router = APIRouter(prefix="/api", tags=["sharing"])


@router.post("/games/{id}/share", response_model=models.SharedResponse)
def share(id: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Share a finished game of yours. Anyone with the secret can view it, and nothing else."""
    return respond(models.SharedResponse(secret=services.sharing.share(person, id)))


@router.delete("/games/{id}/share", response_model=models.DoneResponse)
def withdraw(id: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Stop sharing a game. Its secret becomes invalid."""
    services.sharing.withdraw(person, id)
    return respond(models.DoneResponse())


@router.get("/shared/{secret}", response_model=models.GameView)
def shared(secret: models.Id, services: CurrentServices) -> Response:
    """Get a shared game, as its player saw it."""
    return respond(services.game_service.view_for(services.sharing.find(secret)))


@router.get("/shared/{secret}/review", response_model=models.ReviewResponse)
def shared_review(secret: models.Id, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the analysis of a shared game."""
    live = services.sharing.find(secret)
    return reviewed(live, services.ratings.analyze(live, requester=requester))
