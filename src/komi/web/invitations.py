"""Tables to which people are invited by a link. Anyone with the link can take a seat.

Each player commits to a number when taking a seat. When all seats are taken, the numbers are revealed. With the last
number the game begins. Between the first revealed number and the beginning, nobody else can take a seat: a player who
leaves then clears the table.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.play.fairness import Commitment as Seed
from komi.play.fairness import number_hash
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.database import Database
from komi.web.live import LiveGame
from komi.web.live_games import LiveGames
from komi.web.offered import Offered, rules_of
from komi.web.party import joined, name_or, together
from komi.web.people import new_id
from komi.web.records import Chair, Guest, Invitation, Person, PlayedGame, now
from komi.web.referee import make_known, redeem, seat_of
from komi.web.refusals import RefusalError

MAX_OPEN = 20  # invitations of one person
IS_BEGUN = select(PlayedGame.id).where(PlayedGame.id == Invitation.id).exists()
NO_TABLE = "There is no table at this address; the invitation may have been withdrawn."


class Invitations:
    """The tables that wait for players.

    Args:
        database: the database that stores them.
        offered: the games on offer.
        games: the games in memory.
    """

    def __init__(self, database: Database, offered: Offered, games: LiveGames) -> None:
        self._database, self._offered, self._games = database, offered, games

    def invite(self, person: str, asked: models.InvitationAsked) -> models.Invitation:
        """Create a table, or return the one with the same commitment.

        Raises:
            RefusalError: if the table cannot be created.
        """
        game = self._offered.find(asked.game)
        rules = rules_of(game, asked.rules)
        players = game.players(rules)
        if players < 2:
            raise RefusalError(422, f"{title(game)} is for one player: nobody else can be invited.")
        with self._database.writing() as session:
            make_known(session, person)
            invitation = session.get(Invitation, asked.commitment)
            if invitation is None:
                seed = redeem(session, person, asked.commitment)
                if seed is None:
                    raise RefusalError(409, "A game has been begun with this commitment already.")
                _clear(session, person)
                invitation = Invitation(
                    id=asked.commitment,
                    person=person,
                    game=asked.game,
                    rules=rules._asdict(),
                    seat=asked.seat,
                    players=players,
                    seed=seed,
                    watch=new_id(),
                    minutes=asked.clock.minutes if asked.clock else None,
                    seconds=asked.clock.seconds if asked.clock else None,
                )
                session.add(invitation)
                session.flush()
                session.add(Guest(invitation=invitation.id, place=0, person=person, **_number(asked)))
                session.flush()
            elif invitation.person != person:
                raise RefusalError(404, "There is no such commitment; ask for a new one.")
            return _told(session, invitation, person)

    def show(self, person: str, invitation_id: str) -> models.Invitation:
        """Return a table with the players who have joined.

        Raises:
            RefusalError: if there is no such table.
        """
        with self._database.reading() as session:
            return _told(session, _find(session, invitation_id), person)

    def join(self, person: str, invitation_id: str, asked: models.JoinAsked) -> models.Invitation:
        """Take a seat, unless this person has one.

        Raises:
            RefusalError: if there is no such table, or no seat is free.
        """
        number = _number(asked)
        try:
            return self._join(person, invitation_id, number)
        except IntegrityError:  # two players joined at once
            return self._join(person, invitation_id, number)

    def reveal(self, person: str, invitation_id: str, number: str) -> models.Invitation:
        """Reveal the number that this person has committed to. With the last number the game begins.

        Raises:
            RefusalError: if this person has no seat, a seat is free, or the number does not match the commitment.
        """
        with self._database.writing() as session:
            invitation = _find(session, invitation_id, is_taken=True)
            guests = _guests(session, invitation_id)
            own = next((guest for guest in guests if guest.person == person), None)
            if own is None:
                raise RefusalError(404, NO_TABLE)
            if len(guests) < invitation.players:
                raise RefusalError(409, "Seats are free: numbers are revealed when all have committed to theirs.")
            if number_hash(number) != own.number_hash:
                raise RefusalError(422, "That is not the number that you committed to.")
            own.number = number
            session.flush()
            _begin_if_ready(session, invitation, guests)
            return _told(session, invitation, person)

    def waiting(self, person: str) -> list[models.Invitation]:
        """Return the tables where this person has a seat and the game has not begun, newest first."""
        seated = Invitation.id.in_(select(Guest.invitation).where(Guest.person == person))
        with self._database.reading() as session:
            found = session.scalars(select(Invitation).where(seated, ~IS_BEGUN).order_by(Invitation.since.desc()))
            return [_told(session, invitation, person) for invitation in found]

    def withdraw(self, person: str, invitation_id: str) -> None:
        """Clear a table whose game has not begun, or leave it if another person created it.

        Once all seats are taken, leaving clears the table, too: a player who joined then could choose a number.

        Raises:
            RefusalError: if this person has no seat at such a table, or the game has begun.
        """
        with self._database.writing() as session:
            invitation = _find(session, invitation_id, is_taken=True)
            guests = _guests(session, invitation_id)
            own = next((guest for guest in guests if guest.person == person), None)
            if own is None:
                raise RefusalError(404, NO_TABLE)
            if session.get(PlayedGame, invitation_id) is not None:
                raise RefusalError(409, "The game has begun: resign instead.")
            is_full = len(guests) == invitation.players
            session.delete(invitation if invitation.person == person or is_full else own)

    def watched(self, secret: str) -> LiveGame:
        """Return the game that spectators can watch with this secret.

        Raises:
            RefusalError: if there is none, it has not begun, or it has hidden information and is not over.
        """
        with self._database.reading() as session:
            invitation = session.scalars(select(Invitation).where(Invitation.watch == secret)).one_or_none()
            if invitation is None:
                raise RefusalError(404, NO_TABLE)
            if session.get(PlayedGame, invitation.id) is None:
                raise RefusalError(409, "The game has not begun yet.")
            person, game_id = invitation.person, invitation.id
        with self._games.present(person, game_id) as live:
            if live.agreed.game.has("view") and not live.table.is_over:
                raise RefusalError(403, f"{title(live.agreed.game)} hides cards: it can be looked at when it is over.")
            return live

    def _join(self, person: str, invitation_id: str, number: Mapping[str, str]) -> models.Invitation:
        with self._database.writing() as session:
            make_known(session, person)
            invitation = _find(session, invitation_id, is_taken=True)
            guests = _guests(session, invitation_id)
            if person not in [guest.person for guest in guests]:
                if len(guests) >= invitation.players:
                    raise RefusalError(409, "All seats of this table are taken.")
                if number["number_hash"] in [guest.number_hash for guest in guests]:
                    raise RefusalError(422, "Somebody has drawn the same number: draw another.")
                guest = Guest(invitation=invitation_id, place=guests[-1].place + 1, person=person, **number)
                session.add(guest)
                session.flush()
                guests = [*guests, guest]
            _begin_if_ready(session, invitation, guests)
            return _told(session, invitation, person)


def _number(asked: models.JoinAsked) -> dict[str, str]:
    """Return a guest's number, "" until it is revealed, and its hash."""
    if (asked.number is None) == (asked.number_hash is None):
        raise RefusalError(422, "A seat is taken with a number, or with the hash of one: give one of the two.")
    if asked.number is None:
        return {"number": "", "number_hash": str(asked.number_hash)}
    return {"number": asked.number, "number_hash": number_hash(asked.number)}


def _begin_if_ready(session: Session, invitation: Invitation, guests: Sequence[Guest]) -> None:
    """Begin the game unless it has begun, a seat is free, or a number is not revealed."""
    is_ready = len(guests) == invitation.players and all(guest.number for guest in guests)
    if is_ready and session.get(PlayedGame, invitation.id) is None:
        _begin(session, invitation, guests)


def _begin(session: Session, invitation: Invitation, guests: Sequence[Guest]) -> None:
    """Begin the game of a table where all numbers are revealed."""
    numbers = together(guests[0].number, [guest.number for guest in guests[1:]])
    number = joined(numbers)
    host = seat_of(invitation.seat, invitation.players, invitation.seed, number)
    session.add(
        PlayedGame(
            id=invitation.id,
            person=invitation.person,
            game=invitation.game,
            rules=invitation.rules,
            opponent="",
            seat=host,
            lot=invitation.seat == "either",
            mode="normal",
            seed=invitation.seed,
            number=number,
            started=now(),
            minutes=invitation.minutes,
            seconds=invitation.seconds,
        )
    )
    session.flush()
    names = _names(session, [guest.person for guest in guests])
    for guest in guests:
        place = numbers.index(guest.number)
        seat = (host + place) % invitation.players
        named: dict[str, Any] = {"name": name_or(names[guest.person], seat), "place": place, "number": guest.number}
        session.add(Chair(game=invitation.id, seat=seat, person=guest.person, **named))


def _clear(session: Session, person: str) -> None:
    """Clear the oldest waiting tables of a person who has too many."""
    waiting = select(Invitation.id).where(Invitation.person == person, ~IS_BEGUN).order_by(Invitation.since.desc())
    old = session.scalars(waiting).all()[MAX_OPEN - 1 :]
    session.execute(delete(Invitation).where(Invitation.id.in_(old)))


def _find(session: Session, invitation_id: str, *, is_taken: bool = False) -> Invitation:
    found = session.get(Invitation, invitation_id, with_for_update=is_taken)
    if found is None:
        raise RefusalError(404, NO_TABLE)
    return found


def _guests(session: Session, invitation_id: str) -> list[Guest]:
    return list(session.scalars(select(Guest).where(Guest.invitation == invitation_id).order_by(Guest.place)))


def _names(session: Session, people: Sequence[str]) -> dict[str, str | None]:
    found = session.execute(select(Person.id, Person.name).where(Person.id.in_(people)))
    return {row.id: row.name for row in found}


def _told(session: Session, invitation: Invitation, person: str) -> models.Invitation:
    guests = _guests(session, invitation.id)
    people = [guest.person for guest in guests]
    names = _names(session, people)
    is_seated = person in people
    hashes = [guest.number_hash for guest in guests]
    return models.Invitation(
        id=invitation.id,
        game=invitation.game,
        rules=invitation.rules,
        seat=invitation.seat,  # type: ignore[arg-type]
        players=invitation.players,
        clock=_clock(invitation),
        hash=Seed(invitation.seed).hash,
        names=[names.get(each) or "Somebody" for each in people],
        seated=is_seated,
        host=invitation.person == person,
        begun=session.get(PlayedGame, invitation.id) is not None,
        watch=invitation.watch if is_seated else None,
        number_hashes=[hashes[0], *sorted(hashes[1:])],
        revealed=any(guest.number for guest in guests if guest.person == person),
    )


def _clock(invitation: Invitation) -> models.ClockAgreed | None:
    if invitation.minutes is None or invitation.seconds is None:
        return None
    return models.ClockAgreed(minutes=invitation.minutes, seconds=invitation.seconds)
