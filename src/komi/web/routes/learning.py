"""/api/games/{id}/hint, review and surface: learning from a game."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.answers import told
from komi.web.live import LiveGame
from komi.web.people import Person
from komi.web.ratings import UNSOLVED
from komi.web.refusals import RefusalError
from komi.web.services import Asking, Served, Services

router = APIRouter(prefix="/api/games/{id}", tags=["learning"])


@router.get("/hint", response_model=models.Hint)
def hint(id: models.Id, person: Person, asker: Asking, services: Served) -> Response:
    """What each of your actions is worth, the best first."""
    with services.games.present(person, id) as live:
        if not (live.is_persons_turn and live.table.waiting == "action"):
            raise RefusalError(409, "It is not your turn to act: there is no hint.")
        state = live.table.state
    solution = services.solutions.solution(live.agreed.game, live.agreed.rules, asker)
    if solution is None:
        raise RefusalError(404, UNSOLVED.format(game=live.agreed.game.name))
    advice = solution.advice(state)
    actions = [models.ActionWorth(**vars(each)) for each in advice]
    return told(models.Hint(actions=actions, best=actions[0].label))


@router.get("/review", response_model=models.Review)
def review(id: models.Id, person: Person, services: Served) -> Response:
    """How the game went, once it is over: what each decision gave away, and what was luck."""
    with services.games.present(person, id) as live:
        return reviewed(live, services)


def reviewed(live: LiveGame, services: Services) -> Response:
    """The review of a game that is over."""
    found = services.ratings.look_back(live)
    game, rules = live.agreed.game, live.agreed.rules
    decisions = [models.Decision(**vars(each) | {"state": game.shown(rules, each.state)}) for each in found.decisions]
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
        )
    )


@router.get("/surface", response_model=models.Surface)
def surface(id: models.Id, person: Person, services: Served) -> Response:
    """When optimal play holds, over both scores, and where on this the game stands."""
    with services.games.present(person, id) as live:
        pass
    return told(services.surfaces.find(live))
