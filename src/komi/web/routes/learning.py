"""/api/games/{id}/hint, review and surface: hints and analysis."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from komi.play.review import Review
from komi.web import models
from komi.web.identity import CurrentPerson
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.ratings import outcome_groups, unsolved
from komi.web.responses import ApiError, respond
from komi.web.services import CurrentRequester, CurrentServices, Services

router = APIRouter(prefix="/api/games/{id}", tags=["learning"])

Seat = Annotated[int | None, Query(ge=0, le=7)]


@router.get("/hint", response_model=models.HintResponse)
def hint(id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the values of your actions, best first."""
    with services.game_cache.locked(person, id) as live:
        _check_hints(live)
        return advised(live, requester, services)


@router.get("/hint/estimates", response_model=models.EstimatesResponse)
def estimates(id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the values of your actions as a search estimates them, for games that komi does not solve."""
    with services.game_cache.locked(person, id) as live:
        _check_hints(live)
        return respond(services.estimates.of_actions(live, requester))


def advised(live: LiveGame, requester: Requester, services: Services) -> Response:
    """Create the response with the values of the mover's actions."""
    solution = services.solutions.solution(live.settings.game, live.settings.rules, requester)
    if solution is None:
        raise ApiError(404, unsolved(live.settings.game, live.settings.rules))
    actions = [
        models.ActionValueView.model_validate(
            {"label": action.label, "worth": action.value, "value": action.result, "plies": action.plies}
        )
        for action in solution.action_values(live.table.state)
    ]
    return respond(models.HintResponse(actions=actions, best=actions[0].label))


@router.get("/review", response_model=models.ReviewResponse)
def review(
    id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices, seat: Seat = None
) -> Response:
    """Get the analysis of a finished game, for your seat or another one: the loss of each decision, luck and skill."""
    with services.game_cache.locked(person, id) as live:
        return reviewed(live, services.ratings.analyze(live, _reviewed_seat(live, person, seat), requester))


@router.get("/review/estimates", response_model=models.EstimatedReviewResponse)
def estimated_review(
    id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices, seat: Seat = None
) -> Response:
    """Get the decision that a search finds the costliest in a finished game, for games that komi does not solve."""
    with services.game_cache.locked(person, id) as live:
        chosen = _reviewed_seat(live, person, seat)
        chosen = live.settings.seat if chosen is None else chosen
        return respond(services.estimates.of_decisions(live, chosen, requester))


@router.get("/excitement", response_model=models.ExcitementResponse)
def excitement(
    id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices
) -> Response:
    """Compare how exciting a finished game was with sampled games between the same players."""
    with services.game_cache.locked(person, id) as live:
        return respond(services.excitement.compare(live, requester))


def reviewed(live: LiveGame, found: Review) -> Response:
    """Create the response for a review."""
    game, rules = live.settings.game, live.settings.rules
    decisions = [
        models.DecisionView(
            number=decision.number,
            seat=decision.seat,
            state=game.shown(rules, decision.state),
            chosen=decision.chosen,
            best=decision.best,
            worth=decision.values,
            loss=decision.loss,
            reasons=outcome_groups(decision.reasons),
        )
        for decision in found.decisions
    ]
    return respond(
        models.ReviewResponse(
            decisions=decisions,
            worst=found.worst,
            start=found.start,
            curve=[models.ChanceView(number=number, chance=chance) for number, chance in enumerate(found.curve)],
            mistakes=found.mistakes,
            gifts=found.gifts,
            luck=found.luck,
            skill=found.skill,
            accuracy=found.accuracy,
        )
    )


@router.get("/surface", response_model=models.SurfaceResponse)
def surface(id: models.Id, person: CurrentPerson, requester: CurrentRequester, services: CurrentServices) -> Response:
    """Get the hold-value surface of optimal play over both scores, and the current point on it."""
    with services.game_cache.locked(person, id) as live:
        if not live.table.is_over:
            _refuse_help_against_others(live)
    return respond(services.surfaces.find(live, requester))


def _reviewed_seat(live: LiveGame, person: str, seat: int | None) -> int | None:
    if seat is not None and seat >= live.table.players:
        raise ApiError(422, f"There are {live.table.players} seats, counted from 0.")
    return live.settings.seat_of(person) if seat is None else seat


def _check_hints(live: LiveGame) -> None:
    _refuse_help_against_others(live)
    if not (live.is_persons_turn and live.table.waiting == "action"):
        raise ApiError(409, "It is not your turn: there is no hint.")


def _refuse_help_against_others(live: LiveGame) -> None:
    if live.settings.is_with_others:
        raise ApiError(403, "Others play in this game: there are no hints until it is over.")
