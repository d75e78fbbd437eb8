"""Rematches: a player of a finished game among friends creates the next table, and the others see it where they sit.

Two players exchange their seats. Among more, each one moves on to the next seat. The score adds the payoffs of a person
in all games that followed each other.
"""

from collections.abc import Sequence

from sqlalchemy import Select, literal, select
from sqlalchemy.orm import Session

from komi.web import models
from komi.web.live_game import LiveGame
from komi.web.records import Invitation, PlayedGame, Rematch, SeatedPlayer
from komi.web.responses import ApiError


def check_end(live: LiveGame) -> None:
    """Check that a game among friends is over.

    Raises:
        ApiError: if it is not over, or no other person plays in it.
    """
    if not (live.settings.is_with_others and live.table.is_over):
        raise ApiError(409, "There is a rematch when a game among friends is over.")


def check_terms(live: LiveGame, person: str, request: models.InvitationRequest) -> None:
    """Check that a table has the terms of the game before it, with the seats exchanged.

    Raises:
        ApiError: if they differ, or the game before is not over.
    """
    check_end(live)
    settings, clock = live.settings, request.clock
    rules = settings.game.rules(request.rules)
    seat = ("second", "first")[settings.seat_of(person) or 0] if live.table.players == 2 else "next"
    minutes_and_seconds = None if settings.clock is None else (settings.clock.minutes, settings.clock.seconds)
    if (
        request.game != settings.game.name
        or rules != settings.rules
        or request.seat != seat
        or request.open
        or (None if clock is None else (clock.minutes, clock.seconds)) != minutes_and_seconds
    ):
        raise ApiError(422, "A rematch has the rules and the clock of the game before it, with the seats exchanged.")


def table_after(session: Session, game_id: str | None) -> Invitation | None:
    """Return the table of the rematch of a game, if there is one."""
    followers = select(Invitation).join(Rematch, Rematch.invitation == Invitation.id).where(Rematch.game == game_id)
    return session.scalars(followers).one_or_none()


def game_before(session: Session, invitation_id: str) -> str | None:
    """Return the id of the game of which a table is the rematch, or None."""
    return session.scalars(select(Rematch.game).where(Rematch.invitation == invitation_id)).one_or_none()


def next_seats(session: Session, invitation_id: str, people: Sequence[str]) -> dict[str, int]:
    """Return the seats of people at the table of a rematch: the next ones, and for newcomers those that are left."""
    before = select(SeatedPlayer).where(SeatedPlayer.game == game_before(session, invitation_id))
    moved = {
        player.person: (player.seat + 1) % len(people)
        for player in session.scalars(before)
        if player.person is not None and player.person in people
    }
    left = [seat for seat in range(len(people)) if seat not in moved.values()]
    return moved | dict(zip([person for person in people if person not in moved], left, strict=True))


def proposed_to(person: str) -> Select[str]:
    """Select the ids of the tables that are rematches of this person's games."""
    played = select(SeatedPlayer.game).where(SeatedPlayer.person == person)
    return select(Rematch.invitation).where(Rematch.game.in_(played))


def is_proposed_to(session: Session, person: str, invitation_id: str) -> bool:
    """Return whether a table is the rematch of one of this person's games."""
    return session.scalars(proposed_to(person).where(Rematch.invitation == invitation_id)).one_or_none() is not None


def score(session: Session, live: LiveGame) -> tuple[int, list[float]]:
    """Return the number of finished games up to this one, and what each seat's player has won of them."""
    chain = select(literal(live.settings.id).label("id")).cte(recursive=True)
    chain = chain.union_all(select(Rematch.game).join(chain, Rematch.invitation == chain.c.id))
    finished = (
        select(SeatedPlayer.person, SeatedPlayer.seat, PlayedGame.id, PlayedGame.payoffs)
        .join(PlayedGame)
        .where(PlayedGame.id.in_(select(chain.c.id)), PlayedGame.payoffs.is_not(None))
    )
    rows = session.execute(finished).all()
    won: dict[str, float] = {}
    for row in rows:
        if row.person is not None:
            won[row.person] = won.get(row.person, 0.0) + row.payoffs[row.seat]
    people = () if live.settings.participants is None else live.settings.participants.people
    return len({row.id for row in rows}), [won.get(person, 0.0) for person in people]
