"""Tables to which people are invited by a link. Anyone with the link can take a seat.

Each player commits to a number when taking a seat. When all seats are taken, the numbers are revealed. With the last
number the game begins. Between the first revealed number and the beginning, no one else can take a seat: a player who
leaves then clears the table. After the game, the pages of the players confirm it to each other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.play.fairness import number_hash
from komi.rules.vocabulary import title
from komi.web import models, phrases, rematches
from komi.web.database import Database
from komi.web.game_cache import GameCache
from komi.web.game_catalog import GameCatalog, rules_of
from komi.web.game_service import get_or_create_person, redeem_commitment, seat_of
from komi.web.identity import new_id
from komi.web.live_game import LiveGame
from komi.web.lobby import Presence
from komi.web.participants import combined_number, name_or_default, ordered_numbers
from komi.web.records import Guest, Invitation, PlayedGame, Rematch, SeatedPlayer, now
from komi.web.responses import ApiError
from komi.web.waiting_tables import IS_BEGUN, NO_TABLE, clear_oldest, find_table, guests_at, invitation_view, names_of


class Invitations:
    """The tables that wait for players.

    Args:
        database: the database that stores them.
        catalog: the games on offer.
        games: the games in memory.
    """

    def __init__(self, database: Database, catalog: GameCatalog, games: GameCache) -> None:
        self._database, self._catalog, self._games = database, catalog, games
        self.presence = Presence()

    def invite(self, person: str, request: models.InvitationRequest) -> models.InvitationView:
        """Create a table, or return the one with the same commitment, or another player's for the same rematch.

        Raises:
            ApiError: if the table cannot be created.
        """
        if request.seat == "next" and request.follows is None:
            raise ApiError(422, "Players move on to the next seat in a rematch alone.")
        if request.follows is not None:
            with self._games.locked(person, request.follows) as live:
                rematches.check_terms(live, person, request)
        try:
            return self._invite(person, request)
        except IntegrityError:  # two players proposed a rematch at once
            return self._invite(person, request)

    def _invite(self, person: str, request: models.InvitationRequest) -> models.InvitationView:
        game = self._catalog.find(request.game)
        rules = rules_of(game, request.rules)
        players = game.players(rules)
        if players < 2:
            raise ApiError(422, f"{title(game)} is for one player: you cannot invite others.")
        with self._database.writing() as session:
            get_or_create_person(session, person)
            proposed = rematches.table_after(session, request.follows)
            if proposed is not None:
                return invitation_view(session, proposed, person)
            invitation = session.get(Invitation, request.commitment)
            if invitation is None:
                seed = redeem_commitment(session, person, request.commitment)
                if seed is None:
                    raise ApiError(409, "This commitment has already started a game.")
                clear_oldest(session, person)
                invitation = Invitation(
                    id=request.commitment,
                    person=person,
                    game=request.game,
                    rules=rules._asdict(),
                    seat=request.seat,
                    players=players,
                    seed=seed,
                    watch=new_id(),
                    minutes=request.clock.minutes if request.clock else None,
                    seconds=request.clock.seconds if request.clock else None,
                    is_open=request.open,
                )
                session.add(invitation)
                session.flush()
                session.add(Guest(invitation=invitation.id, place=0, person=person, **_number(request)))
                if request.follows is not None:
                    session.add(Rematch(game=request.follows, invitation=invitation.id))
                session.flush()
            elif invitation.person != person:
                raise ApiError(404, "There is no such commitment: request a new one.")
            return invitation_view(session, invitation, person)

    def show(self, person: str, invitation_id: str) -> models.InvitationView:
        """Return a table with the players who have joined.

        Raises:
            ApiError: if there is no such table.
        """
        with self._database.reading() as session:
            invitation = find_table(session, invitation_id)
            if invitation.is_open and invitation.person == person:
                self.presence.note(invitation_id)
            return invitation_view(session, invitation, person)

    def join(self, person: str, invitation_id: str, request: models.JoinRequest) -> models.InvitationView:
        """Take a seat, unless this person has one.

        Raises:
            ApiError: if there is no such table, or no seat is free.
        """
        number = _number(request)
        try:
            return self._join(person, invitation_id, number)
        except IntegrityError:  # two players joined at once
            return self._join(person, invitation_id, number)

    def reveal(self, person: str, invitation_id: str, number: str) -> models.InvitationView:
        """Reveal the number that this person has committed to. With the last number the game begins.

        Raises:
            ApiError: if this person has no seat, a seat is free, or the number does not match the commitment.
        """
        with self._database.writing() as session:
            invitation = find_table(session, invitation_id, is_taken=True)
            guests = guests_at(session, invitation_id)
            own = next((guest for guest in guests if guest.person == person), None)
            if own is None:
                raise ApiError(404, NO_TABLE)
            if len(guests) < invitation.players:
                raise ApiError(
                    409, "Some seats are free: numbers are revealed when all players have committed to theirs."
                )
            if number_hash(number) != own.number_hash:
                raise ApiError(422, "That is not the number that you committed to.")
            own.number = number
            session.flush()
            _begin_if_ready(session, invitation, guests)
            return invitation_view(session, invitation, person)

    def waiting(self, person: str) -> list[models.InvitationView]:
        """Return the tables where this person has a seat or is wanted for a rematch, and no game has begun.

        The newest is the first.
        """
        seated = Invitation.id.in_(select(Guest.invitation).where(Guest.person == person))
        wanted = or_(seated, Invitation.id.in_(rematches.proposed_to(person)))
        with self._database.reading() as session:
            found = session.scalars(select(Invitation).where(wanted, ~IS_BEGUN).order_by(Invitation.since.desc()))
            views = [invitation_view(session, invitation, person) for invitation in found]
        return [view for view in views if view.seated or len(view.names) < view.players]

    def rematch(self, person: str, game_id: str) -> models.RematchResponse:
        """Return the table of the rematch of a finished game, if there is one, and the score so far.

        Raises:
            ApiError: if this person has no such game among friends, or it is not over.
        """
        with self._games.locked(person, game_id) as live:
            rematches.check_end(live)
        with self._database.reading() as session:
            invitation = rematches.table_after(session, game_id)
            games, score = rematches.score(session, live)
            table = None if invitation is None else invitation_view(session, invitation, person)
            said = phrases.recent(session, game_id)
        return models.RematchResponse(table=table, games=games, score=score, phrases=said)

    def withdraw(self, person: str, invitation_id: str) -> None:
        """Clear a table whose game has not begun, or leave it if another person created it.

        Once all seats are taken, leaving clears the table, too: a player who joined then could choose a number. So does
        a player who declines a rematch.

        Raises:
            ApiError: if this person has no seat at such a table and is not wanted there, or the game has begun.
        """
        with self._database.writing() as session:
            invitation = find_table(session, invitation_id, is_taken=True)
            guests = guests_at(session, invitation_id)
            own = next((guest for guest in guests if guest.person == person), None)
            is_begun = session.get(PlayedGame, invitation_id) is not None
            if own is None and (is_begun or not rematches.is_proposed_to(session, person, invitation_id)):
                raise ApiError(404, NO_TABLE)
            if is_begun:
                raise ApiError(409, "The game has begun: resign instead.")
            is_full = len(guests) == invitation.players
            session.delete(invitation if own is None or invitation.person == person or is_full else own)

    def watched(self, secret: str) -> LiveGame:
        """Return the game that spectators can watch with this secret.

        Raises:
            ApiError: if there is none, it has not begun, or it has hidden information and is not over.
        """
        with self._database.reading() as session:
            invitation = session.scalars(select(Invitation).where(Invitation.watch == secret)).one_or_none()
            if invitation is None:
                raise ApiError(404, NO_TABLE)
            if session.get(PlayedGame, invitation.id) is None:
                raise ApiError(409, "The game has not begun yet.")
            person, game_id = invitation.person, invitation.id
        with self._games.locked(person, game_id) as live:
            if live.settings.game.has("view") and not live.table.is_over:
                raise ApiError(403, f"{title(live.settings.game)} has hidden cards: you can watch it when it is over.")
            return live

    def confirm(self, person: str, game_id: str, confirmation: str) -> list[str | None]:
        """Store the confirmation of a finished game by this person's page, once, and return those of all seats.

        Raises:
            ApiError: if this person has no such game among friends, or it is not over.
        """
        with self._games.locked(person, game_id) as live, self._database.writing() as session:
            query = select(SeatedPlayer).where(SeatedPlayer.game == game_id).order_by(SeatedPlayer.seat)
            seated = session.scalars(query).all()
            if not (live.table.is_over and seated and all(player.number for player in seated)):
                raise ApiError(409, "A game among friends can be confirmed when it is over.")
            own = seated[live.settings.seat_of(person) or 0]
            own.confirmation = own.confirmation or confirmation
            return [player.confirmation for player in seated]

    def _join(self, person: str, invitation_id: str, number: Mapping[str, str]) -> models.InvitationView:
        with self._database.writing() as session:
            get_or_create_person(session, person)
            invitation = find_table(session, invitation_id, is_taken=True)
            guests = guests_at(session, invitation_id)
            if person not in [guest.person for guest in guests]:
                if len(guests) >= invitation.players:
                    raise ApiError(409, "All seats of this table are taken.")
                if number["number_hash"] in [guest.number_hash for guest in guests]:
                    raise ApiError(422, "Another player has drawn the same number: draw another one.")
                guest = Guest(invitation=invitation_id, place=guests[-1].place + 1, person=person, **number)
                session.add(guest)
                session.flush()
                guests = [*guests, guest]
            _begin_if_ready(session, invitation, guests)
            return invitation_view(session, invitation, person)


def _number(request: models.JoinRequest) -> dict[str, str]:
    """Return a guest's number, "" until it is revealed, and its hash."""
    if (request.number is None) == (request.number_hash is None):
        raise ApiError(422, "To take a seat, send either a number or the hash of one.")
    if request.number is None:
        return {"number": "", "number_hash": str(request.number_hash)}
    return {"number": request.number, "number_hash": number_hash(request.number)}


def _begin_if_ready(session: Session, invitation: Invitation, guests: Sequence[Guest]) -> None:
    """Begin the game unless it has begun, a seat is free, or a number is not revealed."""
    is_ready = len(guests) == invitation.players and all(guest.number for guest in guests)
    if is_ready and session.get(PlayedGame, invitation.id) is None:
        _begin(session, invitation, guests)


def _begin(session: Session, invitation: Invitation, guests: Sequence[Guest]) -> None:
    """Begin the game of a table where all numbers are revealed."""
    numbers = ordered_numbers(guests[0].number, [guest.number for guest in guests[1:]])
    number = combined_number(numbers)
    people = [guest.person for guest in sorted(guests, key=lambda guest: numbers.index(guest.number))]
    if invitation.seat == "next":
        seats = rematches.next_seats(session, invitation.id, people)
    else:
        host = seat_of(invitation.seat, invitation.players, invitation.seed, number)
        seats = {person: (host + place) % invitation.players for place, person in enumerate(people)}
    session.add(
        PlayedGame(
            id=invitation.id,
            person=invitation.person,
            game=invitation.game,
            rules=invitation.rules,
            opponent="",
            seat=seats[invitation.person],
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
    names = names_of(session, [guest.person for guest in guests])
    for guest in guests:
        seat = seats[guest.person]
        named: dict[str, Any] = {
            "name": name_or_default(names[guest.person], seat),
            "place": people.index(guest.person),
            "number": guest.number,
        }
        session.add(SeatedPlayer(game=invitation.id, seat=seat, person=guest.person, **named))
