"""/api/invitations and /api/watch: games between several people, and spectators."""

from fastapi import APIRouter, Response

from komi.web import models, phrases
from komi.web.identity import CurrentPerson
from komi.web.lobby import list_tables
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api", tags=["playing with others"])


@router.post("/invitations", response_model=models.InvitationView, status_code=201)
def invite(body: models.InvitationRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Create a table for several people; anyone with its id can take a seat. The same commitment creates it once.

    If another player has already proposed the same rematch, that table is returned.
    """
    return respond(services.invitations.invite(person, body), 201)


@router.get("/invitations", response_model=models.InvitationsResponse)
def invitations(person: CurrentPerson, services: CurrentServices) -> Response:
    """List the tables where you have a seat or are wanted for a rematch, and no game has begun, newest first."""
    return respond(models.InvitationsResponse(invitations=services.invitations.waiting(person)))


@router.get("/invitations/{id}", response_model=models.InvitationView)
def invitation(id: models.Id, person: CurrentPerson, services: CurrentServices) -> Response:
    """Get a table and the players who have joined."""
    return respond(services.invitations.show(person, id))


@router.post("/invitations/{id}/join", response_model=models.InvitationView)
def join(id: models.Id, body: models.JoinRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Take a seat, with the commitment to a number that you drew after seeing the server's hash."""
    return respond(services.invitations.join(person, id, body))


@router.post("/invitations/{id}/reveal", response_model=models.InvitationView)
def reveal(id: models.Id, body: models.RevealRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Reveal your number once all seats are taken. With the last number the game begins, under the id of the table."""
    return respond(services.invitations.reveal(person, id, body.number))


@router.delete("/invitations/{id}", response_model=models.DoneResponse)
def withdraw(id: models.Id, body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Clear a table of yours whose game has not begun, give up your seat at another's, or decline a rematch."""
    services.invitations.withdraw(person, id)
    return respond(models.DoneResponse())


@router.post("/games/{id}/confirm", response_model=models.ConfirmationsResponse)
def confirm(
    id: models.Id, body: models.ConfirmationRequest, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Confirm a finished game to the other players' pages, and get their confirmations."""
    confirmations = services.invitations.confirm(person, id, body.confirmation)
    return respond(models.ConfirmationsResponse(confirmations=confirmations))


@router.get("/lobby", response_model=models.LobbyResponse)
def lobby(person: CurrentPerson, services: CurrentServices) -> Response:
    """List the open tables that wait for players, and those whose games you can watch, the newest first."""
    with services.database.reading() as session:
        return respond(list_tables(session, person, services.invitations.presence, services.catalog.hides))


@router.post("/games/{id}/phrases", response_model=models.DoneResponse)
def say(id: models.Id, body: models.PhraseRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Say one of the phrases to the others at the table, who see your last one for a minute."""
    with services.game_cache.locked(person, id) as live, services.database.writing() as session:
        phrases.say(session, live, person, body.phrase)
    return respond(models.DoneResponse())


@router.get("/games/{id}/rematch", response_model=models.RematchResponse)
def rematch(id: models.Id, person: CurrentPerson, services: CurrentServices) -> Response:
    """Get the rematch that a player of a finished game has proposed, and the score of the games so far."""
    return respond(services.invitations.rematch(person, id))


@router.get("/watch/{secret}", response_model=models.GameView)
def watch(secret: models.Id, services: CurrentServices) -> Response:
    """Watch a game. A game with hidden information can be watched once it is over."""
    return respond(services.game_service.view_for(services.invitations.watched(secret)))
