"""/api/invitations and /api/watch: games between several people, and spectators."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.people import Person
from komi.web.responses import told
from komi.web.services import Served

router = APIRouter(prefix="/api", tags=["playing with others"])


@router.post("/invitations", response_model=models.Invitation, status_code=201)
def invite(asked: models.InvitationAsked, person: Person, services: Served) -> Response:
    """Create a table for several people; anyone with its id can take a seat. The same commitment creates it once."""
    return told(services.invitations.invite(person, asked), 201)


@router.get("/invitations", response_model=models.Invitations)
def invitations(person: Person, services: Served) -> Response:
    """List the tables where you have a seat and the game has not begun, newest first."""
    return told(models.Invitations(invitations=services.invitations.waiting(person)))


@router.get("/invitations/{id}", response_model=models.Invitation)
def invitation(id: models.Id, person: Person, services: Served) -> Response:
    """Get a table and the players who have joined."""
    return told(services.invitations.show(person, id))


@router.post("/invitations/{id}/join", response_model=models.Invitation)
def join(id: models.Id, asked: models.JoinAsked, person: Person, services: Served) -> Response:
    """Take a seat, with the commitment to a number that you drew after seeing the server's hash."""
    return told(services.invitations.join(person, id, asked))


@router.post("/invitations/{id}/reveal", response_model=models.Invitation)
def reveal(id: models.Id, asked: models.NumberAsked, person: Person, services: Served) -> Response:
    """Reveal your number once all seats are taken. With the last number the game begins, under the id of the table."""
    return told(services.invitations.reveal(person, id, asked.number))


@router.delete("/invitations/{id}", response_model=models.Done)
def withdraw(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Clear a table of yours whose game has not begun, or give up your seat at another person's table."""
    services.invitations.withdraw(person, id)
    return told(models.Done())


@router.get("/watch/{secret}", response_model=models.GameView)
def watch(secret: models.Id, services: Served) -> Response:
    """Watch a game. A game with hidden information can be watched once it is over."""
    return told(services.referee.shown(services.invitations.watched(secret)))
