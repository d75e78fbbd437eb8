"""/api/catalog, /api/preparations, /api/strengths: what can be played, and getting it ready."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from komi.web import models
from komi.web.answers import told
from komi.web.offered import rules_of
from komi.web.refusals import RefusalError
from komi.web.services import Served
from komi.web.solutions import Preparation

router = APIRouter(prefix="/api", tags=["games on offer"])


@router.get("/catalog", response_model=models.Catalog)
def catalog(services: Served) -> Response:
    """All games, with their rules and opponents."""
    return told(services.offered.catalog)


@router.post("/preparations", response_model=models.Preparation, responses={202: {"model": models.Preparation}})
def prepare(asked: models.PreparationAsked, services: Served) -> Response:
    """Have a game solved under these rules, if it is not; 202 while that goes on."""
    game = services.offered.find(asked.game)
    return _told(services.solutions.prepare(game, rules_of(game, asked.rules)))


@router.get("/preparations/{key}", response_model=models.Preparation, responses={202: {"model": models.Preparation}})
def preparation(key: models.Id, services: Served) -> Response:
    """How far the solver is."""
    found = services.solutions.find(key)
    if found is None:
        raise RefusalError(404, "There is no such preparation; ask for it again.")
    return _told(found)


@router.get("/strengths", response_model=models.Strengths, responses={202: {"model": models.Strengths}})
def strengths(
    game: Annotated[str, Query(max_length=80)],
    services: Served,
    rules: Annotated[str, Query(max_length=2000, description="The rules as a JSON object.")] = "{}",
) -> Response:
    """How often each opponent beats each; 202 while that is being worked out."""
    found = services.offered.find(game)
    matches = services.strengths.find(found, rules_of(found, _read(rules)))
    return told(models.Strengths(ready=matches is not None, matches=matches or []), 202 if matches is None else 200)


def _told(preparation: Preparation) -> Response:
    shown = models.Preparation(
        key=preparation.key,
        ready=preparation.ready,
        stage=preparation.stage,
        done=preparation.done,
        total=preparation.total,
        error=preparation.error,
    )
    return told(shown, 200 if preparation.ready or preparation.error else 202)


def _read(rules: str) -> dict[str, Any]:
    try:
        read = json.loads(rules)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise RefusalError(422, "The rules must be a JSON object.")
    return read
