"""The referee of all games on the server: it executes each move exactly once, and stores it before it responds.

The database ensures that each log entry is written only once, so that repeated, late or concurrent requests neither
lose a move nor execute it twice. The games in memory are a cache: each can be rebuilt from its entries.
"""

import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.errors import InputError
from komi.play import fairness, record
from komi.play.opponent_players import Player
from komi.play.opponents import title_of
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.typing import Rules
from komi.web import commitments, models
from komi.web.computer_opponents import ComputerOpponents
from komi.web.database import Database, get_or_insert
from komi.web.game_cache import GameCache, StaleGameError, check_unchanged, write_end, write_entries
from komi.web.game_catalog import GameCatalog, rules_of
from komi.web.game_settings import NewEntry
from komi.web.game_views import game_view
from komi.web.identity import new_id
from komi.web.live_game import LiveGame
from komi.web.participants import name_or_default
from komi.web.queued_job import Requester
from komi.web.records import LogEntry, Person, PlayedGame, SeatedPlayer
from komi.web.responses import ApiError

STALE = (IntegrityError, StaleGameError)  # another request was faster


class GameService:
    """The referee of all games on the server.

    Args:
        database: the database that stores the games.
        catalog: the games on offer.
        games: the games in memory.
        opponents: the computer opponents.
        ended: called with each game that ends.
    """

    def __init__(
        self,
        database: Database,
        catalog: GameCatalog,
        games: GameCache,
        opponents: ComputerOpponents,
        ended: Callable[[LiveGame], None],
    ) -> None:
        self._database, self._catalog, self._games = database, catalog, games
        self._opponents, self._ended = opponents, ended
        self._key = database.secret(commitments.PURPOSE)

    def commit(self, person: str) -> models.CommitmentResponse:
        """Draw a seed for a new game, and return its commitment."""
        commitment = commitments.draw(self._key, person)
        seed = commitments.seed_of(self._key, person, commitment)
        return models.CommitmentResponse(commitment=commitment, hash=fairness.Commitment(seed).hash)

    def begin(self, requester: Requester, request: models.GameRequest) -> models.GameView:
        """Begin a game, or return the one with the same commitment.

        Raises:
            ApiError: if the game cannot begin.
        """
        game = self._catalog.find(request.game)
        rules = rules_of(game, request.rules)
        game = game.under(rules)
        _check_chance(game, request)
        if request.names is None:
            self._opponents.rival(request.opponent or "", game, rules, requester)
        else:
            _check_names(request, game, game.players(rules))
        return self.view(requester, self._write_new_game(requester.person, request, rules))

    def view(self, requester: Requester, game_id: str) -> models.GameView:
        """Play until a person must act, and return the game.

        Raises:
            ApiError: if this person has no such game.
        """
        with self._games.locked(requester.person, game_id) as live:
            if live.is_persons_turn or live.table.is_over:
                return self.view_for(live, requester.person)
            try:
                self._advance(live, None, requester)
            except STALE:
                pass
            else:
                return self.view_for(live, requester.person)
        return self.view(requester, game_id)  # another request was faster

    def remove(self, person: str, game_id: str) -> None:
        """Remove a game that is not over.

        Raises:
            ApiError: if this person has no such game, or it is over.
        """
        with self._games.locked(person, game_id) as live:
            if live.table.is_over:
                raise ApiError(409, "This game is over: it counts in your statistics and cannot be removed.")
            if live.settings.is_with_others:
                raise ApiError(409, "Others play in this game: resign instead.")
            with self._database.writing() as session:
                session.execute(delete(PlayedGame).where(PlayedGame.id == game_id))
            self._games.drop(live)

    def resign(self, person: str, game_id: str) -> models.GameView:
        """Resign for the person. Repeated requests return the same.

        Raises:
            ApiError: if this person has no such game, or it has no other player.
        """
        with self._games.locked(person, game_id) as live:
            if live.table.is_over:
                return self.view_for(live, person)
            try:
                live.table.resign(live.viewer_seat(person))
            except InputError as error:
                raise self._invalid(live, person, str(error)) from None
            try:
                with self._database.transaction() as connection:
                    check_unchanged(connection, live, person)
                    write_end(connection, live)
            except StaleGameError:
                self._games.drop(live)
            except BaseException:
                self._games.drop(live)  # the game in memory is ahead of the database
                raise
            else:
                self._ended(live)
                return self.view_for(live, person)
        return self.resign(person, game_id)

    def take_back(self, requester: Requester, game_id: str, request: models.TakebackRequest) -> models.GameView:
        """Take back the person's last entry and all later ones, unless that has been done already.

        Raises:
            ApiError: if it is not possible, with the current game.
        """
        person = requester.person
        with self._games.locked(person, game_id) as live:
            has_resigned = live.table.resigned is not None
            first = live.table.number if has_resigned else live.last_entered
            if not live.settings.is_test:
                raise self._invalid(
                    live, person, "You can take back entries only in Test Mode: chance events are not drawn twice."
                )
            if request.number < live.table.number:
                raise self._conflict(
                    live, person, "The game has moved on: you would take back something other than what you see."
                )
            if first is None and request.number == live.table.number:
                raise self._invalid(live, person, "There is nothing to take back yet.")
            if request.number == live.table.number:
                with self._database.writing() as session:
                    session.execute(delete(LogEntry).where(LogEntry.game == game_id, LogEntry.number >= first))
                    session.execute(
                        update(PlayedGame)
                        .where(PlayedGame.id == game_id)
                        .values(
                            over=None, payoffs=None, resigned=None, late=False, takebacks=live.settings.takebacks + 1
                        )
                    )
                self._games.drop(live)
        return self.view(requester, game_id)

    def move(self, requester: Requester, game_id: str, request: models.MoveRequest) -> models.GameView:
        """Execute the person's move and what follows from it, unless that has been done already.

        Raises:
            ApiError: if it is not possible, with the current game.
        """
        person = requester.person
        live = self._games.find(person, game_id)
        with live.lock:
            is_next = request.number == live.table.number and not (live.is_stale or live.is_out_of_time())
            if (
                is_next
                and (live.is_turn_of(person) or live.table.is_over)
                and self._execute(live, requester, request.move)
            ):
                return self.view_for(live, person, request.known)
        with self._games.locked(person, game_id) as live:  # the number is not the next one, or the game has changed
            if request.number < live.table.number:
                return self._repeated(live, person, request)
            if request.number > live.table.number:
                sentence = f"The next move has the number {live.table.number}, not {request.number}."
                raise self._conflict(live, person, sentence)
            if live.is_persons_turn and not live.is_turn_of(person):
                raise self._conflict(live, person, "It is not your turn.")
        self.view(requester, game_id)  # the opponent's move comes first
        return self.move(requester, game_id, request)

    def _execute(self, live: LiveGame, requester: Requester, label: str) -> bool:
        """Execute the move. Return False if another request was faster."""
        self._check_move(live, requester.person, label)
        try:
            self._advance(live, label, requester)
        except STALE:
            return False
        return True

    def _repeated(self, live: LiveGame, person: str, request: models.MoveRequest) -> models.GameView:
        """Return the game if the entry with this number is this move, else raise a conflict."""
        if live.has_entered(request.number, request.move, person):
            return self.view_for(live, person, request.known)
        raise self._conflict(live, person, "The game has moved on: this move comes too late.")

    def _conflict(self, live: LiveGame, person: str, sentence: str) -> ApiError:
        return ApiError(409, sentence, game=self.view_for(live, person).model_dump(mode="json"))

    def _invalid(self, live: LiveGame, person: str, sentence: str) -> ApiError:
        return ApiError(422, sentence, game=self.view_for(live, person).model_dump(mode="json"))

    def _check_move(self, live: LiveGame, person: str, label: str) -> None:
        try:
            live.table.check(label)
        except InputError as error:
            with self._games.locked(person, live.settings.id) as current:  # the refusal shows the game
                raise self._invalid(current, person, str(error)) from None

    def _advance(self, live: LiveGame, label: str | None, requester: Requester) -> None:
        """Execute the person's move, if there is one, and all entries until a person must act, and store them."""
        settings = live.settings
        player = (
            None
            if settings.participants
            else self._opponents.rival(settings.opponent, settings.game, settings.rules, requester)
        )
        try:
            entries = [] if label is None else [live.enter(label, "hand" if live.table.waiting == "event" else "you")]
            entries += _play_until_person(live, player)
            if entries:
                self._write(live, entries, requester.person)
        except BaseException:
            self._games.drop(live)  # the game in memory is ahead of the database
            raise
        if live.table.is_over:
            self._ended(live)

    def _write(self, live: LiveGame, entries: Sequence[NewEntry], person: str) -> None:
        with self._database.transaction() as connection:
            check_unchanged(connection, live, person)
            write_entries(connection, live, entries)
            if live.table.payoffs is not None:
                write_end(connection, live)

    def _write_new_game(self, person: str, request: models.GameRequest, rules: Rules) -> str:
        """Store a new game, unless there is one with the same commitment, and return its id."""
        players = self._catalog.find(request.game).players(rules)
        with self._database.writing() as session:
            get_or_create_person(session, person)
            seed = redeem_commitment(session, person, request.commitment)
            if seed is None:
                return str(request.commitment)
            number = request.number or fairness.draw_number()
            played = PlayedGame(
                id=request.commitment or new_id(),
                person=person,
                game=request.game,
                rules=rules._asdict(),
                opponent=request.opponent or "",
                seat=0 if request.names else seat_of(request.seat, players, seed, number),
                lot=request.seat == "either" and not request.names,
                mode=request.mode,
                seed=seed,
                number=number,
            )
            session.add(played)
            session.flush()
            for seat, name in enumerate(request.names or ()):
                seat_name = name_or_default(name, seat)
                session.add(
                    SeatedPlayer(game=played.id, seat=seat, person=person, name=seat_name, place=seat, number="")
                )
        return played.id

    def record(self, live: LiveGame, person: str) -> str:
        """Return the text of a game's record, as a person at the table sees it."""
        settings = live.settings
        if settings.participants is not None:
            names = settings.participants.names
        elif live.table.players == 1:
            names = ("You",)
        else:
            title = title_of(settings.opponent)
            names = tuple("You" if seat == settings.seat else title for seat in range(live.table.players))
        return record.format_game(live.table, settings.game.name, names, settings.seat_of(person) or 0)

    def leave(self, person: str) -> None:
        """Resign for a person in all running games with others."""
        with self._database.reading() as session:
            mine = (
                select(SeatedPlayer.game)
                .join(PlayedGame)
                .where(SeatedPlayer.person == person, PlayedGame.over.is_(None))
            )
            going_on = session.scalars(mine.distinct()).all()
        for game_id in going_on:
            with self._games.locked(person, game_id) as live:
                is_with_others = live.settings.is_with_others
            if is_with_others:
                self.resign(person, game_id)

    def view_for(self, live: LiveGame, person: str | None = None, known: int = 0) -> models.GameView:
        """Return the game as a person at the table may see it; without a person, as the one who began it sees it.

        The first `known` lines of the log are left out.
        """
        settings = live.settings
        with live.lock:  # several people can watch a game at once, while it changes
            seat = settings.seat if person is None else live.viewer_seat(person)
            if live.table.players == 1 or settings.participants is not None:
                return game_view(live, seat, "", may_act=person is not None, known=known)
            return game_view(live, seat, title_of(settings.opponent), known=known)


def get_or_create_person(session: Session, person: str) -> Person:
    """Return the person's record, and create it on first use."""
    return get_or_insert(session, Person(id=person), person)


def _check_chance(game: Game, request: models.GameRequest) -> None:
    """Check that chance events can be drawn, or entered by hand."""
    if request.mode == "test" and game.has("view"):
        raise ApiError(422, f"{title(game)} has hidden information: you cannot enter chance events by hand.")
    if request.mode == "normal" and (request.commitment is None or request.number is None):
        raise ApiError(422, "To begin a game, send a commitment of the server and a number of your own.")


def _check_names(request: models.GameRequest, game: Game, players: int) -> None:
    """Check that each person at one device has a seat."""
    if request.opponent:
        raise ApiError(422, "People on one device play each other: do not name an opponent.")
    if len(request.names or ()) != players:
        raise ApiError(422, f"{title(game)} is for {players} here, not for {len(request.names or ())}.")


def redeem_commitment(session: Session, person: str, commitment: str | None) -> bytes | None:
    """Use a commitment and return its seed. Return None if this person has used it already."""
    if commitment is None:
        return fairness.Commitment.draw().seed
    seed = commitments.use(session, person, commitment)
    if seed is not None:
        return seed
    begun = session.get(PlayedGame, commitment)
    if begun is None or begun.person != person:
        raise ApiError(404, "There is no such commitment: request a new one.")
    return None


def seat_of(choice: str, players: int, seed: bytes, number: str) -> int:
    """Return the requested seat, or draw it by lot."""
    if choice == "either":
        return fairness.random_seat(seed, number, players)
    return 0 if choice == "first" else 1 % players


def _play_until_person(live: LiveGame, player: Player | None) -> list[NewEntry]:
    """Play chance events and the opponent's actions until a person must act, or the game is over."""
    entries = []
    table, settings = live.table, live.settings
    while not (table.is_over or live.is_persons_turn):
        if table.waiting == "event":
            entries.append(live.draw())
        elif table.mover is not None and player is not None:
            state = table.observation(table.mover)
            action = player.choose(state, secrets.SystemRandom().random())
            entries.append(live.enter(settings.game.label(settings.rules, state, action), "computer"))
    return entries
