"""/api/games/{id}/hint, review and surface: hints and analysis."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from komi.play.review import Review as Looked
from komi.web import models
from komi.web.live import LiveGame
from komi.web.people import Person
from komi.web.ratings import unsolved
from komi.web.reasons import parts_told
from komi.web.refusals import RefusalError
from komi.web.responses import told
from komi.web.services import Asking, Served, Services
from komi.web.work import Asker

router = APIRouter(prefix="/api/games/{id}", tags=["learning"])

Seat = Annotated[int | None, Query(ge=0, le=7)]


@router.get("/hint", response_model=models.Hint)
def hint(id: models.Id, person: Person, asker: Asking, services: Served) -> Response:
    """Get the values of your actions, best first."""
    with services.games.present(person, id) as live:
        _refuse_help_against_others(live)
        if not (live.is_persons_turn and live.table.waiting == "action"):
            raise RefusalError(409, "It is not your turn to act: there is no hint.")
        return advised(live, asker, services)


def advised(live: LiveGame, asker: Asker, services: Services) -> Response:
    """Create the response with the values of the mover's actions."""
    solution = services.solutions.solution(live.agreed.game, live.agreed.rules, asker)
    if solution is None:
        raise RefusalError(404, unsolved(live.agreed.game, live.agreed.rules))
    actions = [
        models.ActionWorth.model_validate(
            {"label": action.label, "worth": action.value, "value": action.result, "plies": action.plies}
        )
        for action in solution.action_values(live.table.state)
    ]
    return told(models.Hint(actions=actions, best=actions[0].label))


@router.get("/review", response_model=models.Review)
def review(id: models.Id, person: Person, asker: Asking, services: Served, seat: Seat = None) -> Response:
    """Get the analysis of a finished game, for your seat or another one: the loss of each decision, luck and skill."""
    with services.games.present(person, id) as live:
        if seat is not None and seat >= live.table.players:
            raise RefusalError(422, f"There are {live.table.players} seats, counted from 0.")
        found = services.ratings.look_back(live, live.agreed.seat_of(person) if seat is None else seat, asker)
        return reviewed(live, found)


def reviewed(live: LiveGame, found: Looked) -> Response:
    """Create the response for a review."""
    game, rules = live.agreed.game, live.agreed.rules
    decisions = [
        models.Decision(**vars(each) | {"state": game.shown(rules, each.state), "reasons": parts_told(each.reasons)})
        for each in found.decisions
    ]
    return told(
        models.Review(
            decisions=decisions,
            worst=found.worst,
            start=found.start,
            curve=[models.Chance(number=number, chance=chance) for number, chance in enumerate(found.curve)],
            mistakes=found.mistakes,
            gifts=found.gifts,
            luck=found.luck,
            skill=found.skill,
            accuracy=found.accuracy,
        )
    )


@router.get("/surface", response_model=models.Surface)
def surface(id: models.Id, person: Person, asker: Asking, services: Served) -> Response:
    """Get the hold-value surface of optimal play over both scores, and the current point on it."""
    with services.games.present(person, id) as live:
        if not live.table.is_over:
            _refuse_help_against_others(live)
    return told(services.surfaces.find(live, asker))


def _refuse_help_against_others(live: LiveGame) -> None:
    if live.agreed.is_with_others:
        raise RefusalError(403, "Others play in this game: there are no hints until it is over.")
