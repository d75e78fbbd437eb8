"""Tables that wait for players, as the database holds them and as a person may see them."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from komi.play.fairness import Commitment as Seed
from komi.web import models, rematches
from komi.web.records import Guest, Invitation, Person, PlayedGame
from komi.web.responses import ApiError

IS_BEGUN = select(PlayedGame.id).where(PlayedGame.id == Invitation.id).exists()
MAX_OPEN = 20  # tables of one person
UNNAMED = "A player"
NO_TABLE = "There is no table at this address; the invitation may have been withdrawn."


def find_table(session: Session, invitation_id: str, *, is_taken: bool = False) -> Invitation:
    """Return a table, locked until the end of the transaction if it `is_taken` for a change.

    Raises:
        ApiError: if there is none.
    """
    found = session.get(Invitation, invitation_id, with_for_update=is_taken)
    if found is None:
        raise ApiError(404, NO_TABLE)
    return found


def guests_at(session: Session, invitation_id: str) -> list[Guest]:
    """Return the players at a table, the host first."""
    return list(session.scalars(select(Guest).where(Guest.invitation == invitation_id).order_by(Guest.place)))


def names_of(session: Session, people: Sequence[str]) -> dict[str, str | None]:
    """Return the names of people by their ids, None for those without one."""
    found = session.execute(select(Person.id, Person.name).where(Person.id.in_(people)))
    return {row.id: row.name for row in found}


def invitation_view(session: Session, invitation: Invitation, person: str) -> models.InvitationView:
    """Return a table as a person may see it."""
    guests = guests_at(session, invitation.id)
    people = [guest.person for guest in guests]
    follows = rematches.game_before(session, invitation.id)
    names, is_seated = names_of(session, people), person in people
    hashes = [guest.number_hash for guest in guests]
    return models.InvitationView(
        id=invitation.id,
        game=invitation.game,
        rules=invitation.rules,
        seat=invitation.seat,  # type: ignore[arg-type]
        players=invitation.players,
        clock=clock_of(invitation),
        hash=Seed(invitation.seed).hash,
        names=[names.get(each) or UNNAMED for each in people],
        seated=is_seated,
        host=invitation.person == person,
        begun=session.get(PlayedGame, invitation.id) is not None,
        watch=invitation.watch if is_seated else None,
        number_hashes=[hashes[0], *sorted(hashes[1:])],
        revealed=any(guest.number for guest in guests if guest.person == person),
        rematch=follows is not None,
        follows=follows,
        open=invitation.is_open,
    )


def clock_of(invitation: Invitation) -> models.TimeControlView | None:
    """Return the time control of a table, or None."""
    if invitation.minutes is None or invitation.seconds is None:
        return None
    return models.TimeControlView(minutes=invitation.minutes, seconds=invitation.seconds)


def clear_oldest(session: Session, person: str) -> None:
    """Clear the oldest waiting tables of a person who has too many."""
    waiting = select(Invitation.id).where(Invitation.person == person, ~IS_BEGUN).order_by(Invitation.since.desc())
    old = session.scalars(waiting).all()[MAX_OPEN - 1 :]
    session.execute(delete(Invitation).where(Invitation.id.in_(old)))
