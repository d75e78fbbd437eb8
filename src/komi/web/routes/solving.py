"""/api/catalog, /api/opponents, /api/preparations, /api/strengths: the games on offer, and their preparation."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.offered import opponents_offered, rules_of
from komi.web.refusals import RefusalError
from komi.web.responses import told
from komi.web.services import Asking, Served
from komi.web.work import Preparation

router = APIRouter(prefix="/api", tags=["games on offer"])


@router.get("/catalog", response_model=models.Catalog)
def catalog(services: Served) -> Response:
    """List all games, with their rules and opponents."""
    return told(services.offered.catalog)


@router.post("/how-to-play", response_model=models.HowToPlay)
def how_to_play(asked: models.HowToPlayAsked, services: Served) -> Response:
    """Explain how a game is played."""
    game = services.offered.find(asked.game)
    return told(models.HowToPlay(paragraphs=list(game.how_to_play(rules_of(game, asked.rules)))))


@router.post("/opponents", response_model=models.Opponents)
def opponents(asked: models.OpponentsAsked, services: Served) -> Response:
    """List the opponents under these rules."""
    game = services.offered.find(asked.game)
    return told(opponents_offered(game, rules_of(game, asked.rules)))


@router.post("/preparations", response_model=models.Preparation, responses={202: {"model": models.Preparation}})
def prepare(asked: models.PreparationAsked, asker: Asking, services: Served) -> Response:
    """Solve a game under these rules and prepare an opponent, unless that is done. Status 202 while in progress."""
    game = services.offered.find(asked.game)
    rules = rules_of(game, asked.rules)
    if asked.opponent is None:
        found = services.solutions.prepare(game, game.alone(rules), asker)
        return _told(found, playable=game.players(rules) == 1)
    found = services.seats.prepare(asked.opponent, game, rules, asker)
    return _told(found, playable=services.seats.can_play(asked.opponent, game, rules, found))


@router.get("/preparations/{key}", response_model=models.Preparation, responses={202: {"model": models.Preparation}})
def preparation(key: models.Id, services: Served) -> Response:
    """Get the progress of a preparation."""
    found = services.solving.find(key) or services.preparing.find(key)
    if found is None:
        raise RefusalError(404, "There is no such preparation; ask for it again.")
    return _told(found)


@router.post("/strengths", response_model=models.Strengths, responses={202: {"model": models.Strengths}})
def strengths(asked: models.StrengthsAsked, asker: Asking, services: Served) -> Response:
    """Compare the opponents: how often each beats each other. Status 202 while that is being computed."""
    game = services.offered.find(asked.game)
    matches = services.strengths.find(game, rules_of(game, asked.rules), asker)
    return told(models.Strengths(ready=matches is not None, matches=matches or []), 202 if matches is None else 200)


def _told(preparation: Preparation, *, playable: bool = False) -> Response:
    shown = models.Preparation(
        key=preparation.key,
        ready=preparation.ready,
        playable=playable or preparation.ready,
        stage=preparation.stage,
        done=preparation.done,
        total=preparation.total,
        error=preparation.error,
    )
    response = told(shown, 202 if not preparation.is_over else 200)
    if not preparation.is_over:
        response.headers["retry-after"] = str(preparation.seconds)
    return response
