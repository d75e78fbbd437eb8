"""/api/games/{id}/share and /api/shared: finished games that players share."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.people import Person
from komi.web.responses import told
from komi.web.routes.learning import reviewed
from komi.web.services import Asking, Served

router = APIRouter(prefix="/api", tags=["sharing"])


@router.post("/games/{id}/share", response_model=models.Shared)
def share(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Share a finished game of yours. Anyone with the secret can view it, and nothing else."""
    return told(models.Shared(secret=services.sharing.share(person, id)))


@router.delete("/games/{id}/share", response_model=models.Done)
def withdraw(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Stop sharing a game. Its secret becomes invalid."""
    services.sharing.withdraw(person, id)
    return told(models.Done())


@router.get("/shared/{secret}", response_model=models.GameView)
def shared(secret: models.Id, services: Served) -> Response:
    """Get a shared game, as its player saw it."""
    return told(services.referee.shown(services.sharing.find(secret)))


@router.get("/shared/{secret}/review", response_model=models.Review)
def shared_review(secret: models.Id, asker: Asking, services: Served) -> Response:
    """Get the analysis of a shared game."""
    live = services.sharing.find(secret)
    return reviewed(live, services.ratings.look_back(live, asker=asker))
