"""/api/invitations and /api/watch: tables of several people, and those who look on."""

from fastapi import APIRouter, Response

from komi.web import models
from komi.web.answers import told
from komi.web.people import Person
from komi.web.services import Served

router = APIRouter(prefix="/api", tags=["playing with others"])


@router.post("/invitations", response_model=models.Invitation, status_code=201)
def invite(asked: models.InvitationAsked, person: Person, services: Served) -> Response:
    """Lay a table for several people; whoever has its id can take a seat. The same commitment lays the same table."""
    return told(services.invitations.invite(person, asked), 201)


@router.get("/invitations", response_model=models.Invitations)
def invitations(person: Person, services: Served) -> Response:
    """The tables at which you have a seat and the game has not begun, the newest first."""
    return told(models.Invitations(invitations=services.invitations.waiting(person)))


@router.get("/invitations/{id}", response_model=models.Invitation)
def invitation(id: models.Id, person: Person, services: Served) -> Response:
    """A table, and who is there already."""
    return told(services.invitations.show(person, id))


@router.post("/invitations/{id}/join", response_model=models.Invitation)
def join(id: models.Id, asked: models.JoinAsked, person: Person, services: Served) -> Response:
    """Take a seat, with the commitment to a number that you drew after seeing the server's hash."""
    return told(services.invitations.join(person, id, asked))


@router.post("/invitations/{id}/reveal", response_model=models.Invitation)
def reveal(id: models.Id, asked: models.NumberAsked, person: Person, services: Served) -> Response:
    """Reveal your number once all seats are taken; with the last one the game begins, under the id of the table."""
    return told(services.invitations.reveal(person, id, asked.number))


@router.delete("/invitations/{id}", response_model=models.Done)
def withdraw(id: models.Id, asked: models.Nothing, person: Person, services: Served) -> Response:
    """Clear a table of yours that nobody plays at yet, or give up your seat at another's."""
    services.invitations.withdraw(person, id)
    return told(models.Done())


@router.get("/watch/{secret}", response_model=models.GameView)
def watch(secret: models.Id, services: Served) -> Response:
    """Look on at a game; where something is hidden, once it is over."""
    return told(services.referee.shown(services.invitations.watched(secret)))
