"""/api/sandbox and /api/records: any position of a game, its analysis, and games as text."""

import secrets

from fastapi import APIRouter, Response
from starlette.responses import PlainTextResponse

from komi.play.review import review as look_back
from komi.rules.vocabulary import title
from komi.web import models, sandbox
from komi.web.people import Person
from komi.web.ratings import UNSOLVED
from komi.web.refusals import RefusalError
from komi.web.responses import told
from komi.web.routes.learning import advised, reviewed
from komi.web.services import Asking, Served

router = APIRouter(prefix="/api", tags=["sandbox"])


@router.post("/sandbox", response_model=models.GameView)
def lay(asked: models.SandboxAsked, services: Served) -> Response:
    """Create a game from any position and all entries since. It is not stored."""
    live = sandbox.laid(services.offered, asked)
    return told(live.view(live.eyes_of(live.agreed.person), ""))


@router.post("/sandbox/hint", response_model=models.Hint)
def hint(asked: models.SandboxAsked, asker: Asking, services: Served) -> Response:
    """Get the values of the mover's actions, best first."""
    live = sandbox.laid(services.offered, asked)
    if live.table.waiting != "action":
        raise RefusalError(409, "Nobody is to act there: there is no hint.")
    return advised(live, asker, services)


@router.post("/sandbox/choice", response_model=models.Choice)
def choose(asked: models.SandboxChoiceAsked, asker: Asking, services: Served) -> Response:
    """Let an opponent choose an action for the mover."""
    live = sandbox.laid(services.offered, asked)
    if live.table.waiting != "action":
        raise RefusalError(409, "Nobody is to act there.")
    game, rules, state = live.agreed.game, live.agreed.rules, live.table.state
    player = services.seats.player(asked.opponent, game, rules, asker)
    action = player.choose(state, secrets.SystemRandom().random())
    return told(models.Choice(label=game.label(rules, state, action)))


@router.post("/sandbox/review", response_model=models.Review)
def review(asked: models.SandboxReviewAsked, asker: Asking, services: Served) -> Response:
    """Get the analysis of the entries so far, for one seat."""
    live = sandbox.laid(services.offered, asked)
    if asked.seat >= live.table.players:
        raise RefusalError(422, f"There are {live.table.players} seats, counted from 0.")
    solution = services.solutions.solution(live.agreed.game, live.agreed.rules, asker)
    if solution is None:
        raise RefusalError(404, UNSOLVED.format(game=title(live.agreed.game)))
    return reviewed(live, look_back(solution, live.table, asked.seat))


@router.post("/sandbox/record", response_model=models.RecordText)
def write(asked: models.SandboxAsked, services: Served) -> Response:
    """Write the game as the text of a record."""
    live = sandbox.laid(services.offered, asked)
    return told(models.RecordText(text=sandbox.written(live.agreed.game, live)))


@router.post("/records", response_model=models.RecordRead)
def read(asked: models.RecordAsked, services: Served) -> Response:
    """Parse a record."""
    return told(sandbox.read(services.offered, asked.text))


@router.get("/games/{id}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def download(id: models.Id, person: Person, services: Served) -> Response:
    """Download the record of a game of yours as a text file. With hidden information, it must be over."""
    with services.games.present(person, id) as live:
        if live.agreed.game.has("view") and not live.table.is_over:
            raise RefusalError(
                409, f"{title(live.agreed.game)} hides something: its record can be had when it is over."
            )
        text = services.referee.record(live, person)
    disposition = f'attachment; filename="{live.agreed.game.name}.txt"'
    return PlainTextResponse(text, headers={"content-disposition": disposition})
