"""The referee of all games on the server: it executes each move exactly once, and stores it before it responds.

The database ensures that each log entry is written only once, so that repeated, late or concurrent requests neither
lose a move nor execute it twice. The games in memory are a cache: each can be rebuilt from its entries.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.errors import InputError
from komi.game import Game
from komi.play import fairness, record
from komi.play.opponent_players import Player
from komi.play.opponents import title_of
from komi.rules.vocabulary import title
from komi.web import commitments, models
from komi.web.database import Database, kept
from komi.web.live import Happened, LiveGame
from komi.web.live_games import LiveGames, OvertakenError, see_that_it_goes_on, write_end, write_what_happened
from komi.web.offered import Offered, rules_of
from komi.web.party import name_or
from komi.web.people import new_id
from komi.web.records import Chair, LogEntry, Person, PlayedGame
from komi.web.refusals import RefusalError
from komi.web.seats import Seats
from komi.web.work import Asker

OVERTAKEN = (IntegrityError, OvertakenError)  # another request was faster


class Referee:
    """The referee of all games on the server.

    Args:
        database: the database that stores the games.
        offered: the games on offer.
        games: the games in memory.
        seats: the computer opponents.
        ended: called with each game that ends.
    """

    def __init__(
        self,
        database: Database,
        offered: Offered,
        games: LiveGames,
        seats: Seats,
        ended: Callable[[LiveGame], None],
    ) -> None:
        self._database, self._offered, self._games = database, offered, games
        self._seats, self._ended = seats, ended
        self._key = database.secret(commitments.PURPOSE)

    def commit(self, person: str) -> models.Commitment:
        """Draw a seed for a new game, and return its commitment."""
        commitment = commitments.draw(self._key, person)
        seed = commitments.seed_of(self._key, person, commitment)
        return models.Commitment(commitment=commitment, hash=fairness.Commitment(seed).hash)

    def begin(self, asker: Asker, asked: models.GameAsked) -> models.GameView:
        """Begin a game, or return the one with the same commitment.

        Raises:
            RefusalError: if the game cannot begin.
        """
        game = self._offered.find(asked.game)
        rules = rules_of(game, asked.rules)
        _check_chance(game, asked)
        if asked.names is None:
            self._seats.rival(asked.opponent or "", game, rules, asker)
        else:
            _check_names(asked, game, game.players(rules))
        return self.view(asker.person, self._write_beginning(asker.person, asked, rules))

    def view(self, person: str, game_id: str) -> models.GameView:
        """Play until a person must act, and return the game.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self._games.present(person, game_id) as live:
            if live.is_persons_turn or live.table.is_over:
                return self.shown(live, person)
            try:
                self._let_happen(live, None)
            except OVERTAKEN:
                pass
            else:
                return self.shown(live, person)
        return self.view(person, game_id)  # another request was faster

    def remove(self, person: str, game_id: str) -> None:
        """Remove a game that is not over.

        Raises:
            RefusalError: if this person has no such game, or it is over.
        """
        with self._games.present(person, game_id) as live:
            if live.table.is_over:
                raise RefusalError(409, "This game is over: it counts in your statistics, and stays.")
            if live.agreed.is_with_others:
                raise RefusalError(409, "Others play in this game: resign instead.")
            with self._database.writing() as session:
                session.execute(delete(PlayedGame).where(PlayedGame.id == game_id))
            self._games.drop(live)

    def resign(self, person: str, game_id: str) -> models.GameView:
        """Resign for the person. Repeated requests return the same.

        Raises:
            RefusalError: if this person has no such game, or it has no other player.
        """
        with self._games.present(person, game_id) as live:
            if live.table.is_over:
                return self.shown(live, person)
            try:
                live.table.resign(live.eyes_of(person))
            except InputError as error:
                raise self._refused(live, person, str(error)) from None
            try:
                with self._database.writing() as session:
                    see_that_it_goes_on(session, live)
                    write_end(session, live)
            except OvertakenError:
                self._games.drop(live)
            except BaseException:
                self._games.drop(live)  # the game in memory is ahead of the database
                raise
            else:
                self._ended(live)
                return self.shown(live, person)
        return self.resign(person, game_id)

    def take_back(self, person: str, game_id: str, asked: models.TakebackAsked) -> models.GameView:
        """Take back the person's last entry and all later ones, unless that has been done already.

        Raises:
            RefusalError: if it is not possible, with the current game.
        """
        with self._games.present(person, game_id) as live:
            has_resigned = live.table.resigned is not None
            first = live.table.number if has_resigned else live.last_entered
            if not live.agreed.is_test:
                raise self._refused(
                    live, person, "Only in Test Mode can something be taken back: chance is not drawn twice."
                )
            if asked.number < live.table.number:
                raise self._conflict(
                    live, person, "The game has gone on; what you see is not what would be taken back."
                )
            if first is None and asked.number == live.table.number:
                raise self._refused(live, person, "There is nothing to take back yet.")
            if asked.number == live.table.number:
                with self._database.writing() as session:
                    session.execute(delete(LogEntry).where(LogEntry.game == game_id, LogEntry.number >= first))
                    session.execute(
                        update(PlayedGame)
                        .where(PlayedGame.id == game_id)
                        .values(over=None, payoffs=None, resigned=None, late=False, takebacks=live.agreed.takebacks + 1)
                    )
                self._games.drop(live)
        return self.view(person, game_id)

    def move(self, person: str, game_id: str, asked: models.MoveAsked) -> models.GameView:
        """Execute the person's move and what follows from it, unless that has been done already.

        Raises:
            RefusalError: if it is not possible, with the current game.
        """
        live = self._games.find(person, game_id)
        with live.lock:
            is_next = asked.number == live.table.number and not (live.is_stale or live.has_run_out())
            if is_next and (live.is_turn_of(person) or live.table.is_over) and self._played(live, person, asked.move):
                return self.shown(live, person, asked.known)
        with self._games.present(person, game_id) as live:  # the number is not the next one, or the game has changed
            if asked.number < live.table.number:
                return self._past(live, person, asked)
            if asked.number > live.table.number:
                sentence = f"The next move has the number {live.table.number}, not {asked.number}."
                raise self._conflict(live, person, sentence)
            if live.is_persons_turn and not live.is_turn_of(person):
                raise self._conflict(live, person, "It is not your turn.")
        self.view(person, game_id)  # the opponent's move comes first
        return self.move(person, game_id, asked)

    def _played(self, live: LiveGame, person: str, label: str) -> bool:
        """Execute the move. Return False if another request was faster."""
        self._check(live, person, label)
        try:
            self._let_happen(live, label)
        except OVERTAKEN:
            return False
        return True

    def _past(self, live: LiveGame, person: str, asked: models.MoveAsked) -> models.GameView:
        """Return the game if the entry with this number is this move, else raise a conflict."""
        if live.was(asked.number, asked.move, person):
            return self.shown(live, person, asked.known)
        raise self._conflict(live, person, "The game has gone on; this move comes too late.")

    def _conflict(self, live: LiveGame, person: str, sentence: str) -> RefusalError:
        return RefusalError(409, sentence, game=self.shown(live, person).model_dump(mode="json"))

    def _refused(self, live: LiveGame, person: str, sentence: str) -> RefusalError:
        return RefusalError(422, sentence, game=self.shown(live, person).model_dump(mode="json"))

    def _check(self, live: LiveGame, person: str, label: str) -> None:
        try:
            live.table.check(label)
        except InputError as error:
            raise self._refused(live, person, str(error)) from None

    def _let_happen(self, live: LiveGame, label: str | None) -> None:
        """Execute the person's move, if there is one, and all entries until a person must act, and store them."""
        agreed = live.agreed
        asker = Asker(agreed.person)
        player = None if agreed.party else self._seats.rival(agreed.opponent, agreed.game, agreed.rules, asker)
        try:
            happened = [] if label is None else [live.enter(label, "hand" if live.table.waiting == "event" else "you")]
            happened += _go_on(live, player)
            if happened:
                self._write(live, happened)
        except BaseException:
            self._games.drop(live)  # the game in memory is ahead of the database
            raise
        if live.table.is_over:
            self._ended(live)

    def _write(self, live: LiveGame, happened: Sequence[Happened]) -> None:
        with self._database.writing() as session:
            see_that_it_goes_on(session, live)
            write_what_happened(session, live, happened)
            if live.table.payoffs is not None:
                write_end(session, live)

    def _write_beginning(self, person: str, asked: models.GameAsked, rules: Any) -> str:
        """Store a new game, unless there is one with the same commitment, and return its id."""
        players = self._offered.find(asked.game).players(rules)
        with self._database.writing() as session:
            make_known(session, person)
            seed = redeem(session, person, asked.commitment)
            if seed is None:
                return str(asked.commitment)
            number = asked.number or fairness.draw_number()
            played = PlayedGame(
                id=asked.commitment or new_id(),
                person=person,
                game=asked.game,
                rules=rules._asdict(),
                opponent=asked.opponent or "",
                seat=0 if asked.names else seat_of(asked.seat, players, seed, number),
                lot=asked.seat == "either" and not asked.names,
                mode=asked.mode,
                seed=seed,
                number=number,
            )
            session.add(played)
            session.flush()
            for chair, name in enumerate(asked.names or ()):
                named = name_or(name, chair)
                session.add(Chair(game=played.id, seat=chair, person=person, name=named, place=chair, number=""))
        return played.id

    def record(self, live: LiveGame, person: str) -> str:
        """Return the text of a game's record, as a person at the table sees it."""
        agreed = live.agreed
        if agreed.party is not None:
            names = agreed.party.names
        elif live.table.players == 1:
            names = ("You",)
        else:
            title = title_of(agreed.opponent)
            names = tuple("You" if seat == agreed.seat else title for seat in range(live.table.players))
        return record.format_game(live.table, agreed.game.name, names, agreed.seat_of(person) or 0)

    def leave(self, person: str) -> None:
        """Resign for a person in all running games with others."""
        with self._database.reading() as session:
            mine = select(Chair.game).join(PlayedGame).where(Chair.person == person, PlayedGame.over.is_(None))
            going_on = session.scalars(mine.distinct()).all()
        for game_id in going_on:
            with self._games.present(person, game_id) as live:
                is_with_others = live.agreed.is_with_others
            if is_with_others:
                self.resign(person, game_id)

    def shown(self, live: LiveGame, person: str | None = None, known: int = 0) -> models.GameView:
        """Return the game as a person at the table may see it; without a person, as the one who began it sees it.

        The first `known` lines of the log are left out.
        """
        agreed = live.agreed
        seat = agreed.seat if person is None else live.eyes_of(person)
        if live.table.players == 1 or agreed.party is not None:
            return live.view(seat, "", may_act=person is not None, known=known)
        return live.view(seat, title_of(agreed.opponent), known=known)


def make_known(session: Session, person: str) -> Person:
    """Return the person's record, and create it on first use."""
    return kept(session, Person(id=person), person)


def _check_chance(game: Game, asked: models.GameAsked) -> None:
    """Check that chance events can be drawn, or entered by hand."""
    if asked.mode == "test" and game.has("view"):
        raise RefusalError(422, f"{title(game)} hides something from its players: chance cannot be entered by hand.")
    if asked.mode == "normal" and (asked.commitment is None or asked.number is None):
        raise RefusalError(422, "A game begins with a commitment of the server and a number of yours.")


def _check_names(asked: models.GameAsked, game: Game, players: int) -> None:
    """Check that each person at one device has a seat."""
    if asked.opponent:
        raise RefusalError(422, "At one device people play each other: name no opponent.")
    if len(asked.names or ()) != players:
        raise RefusalError(422, f"{title(game)} is for {players} here, not for {len(asked.names or ())}.")


def redeem(session: Session, person: str, commitment: str | None) -> bytes | None:
    """Use a commitment and return its seed. Return None if this person has used it already."""
    if commitment is None:
        return fairness.Commitment.draw().seed
    seed = commitments.use(session, person, commitment)
    if seed is not None:
        return seed
    begun = session.get(PlayedGame, commitment)
    if begun is None or begun.person != person:
        raise RefusalError(404, "There is no such commitment; ask for a new one.")
    return None


def seat_of(asked: str, players: int, seed: bytes, number: str) -> int:
    """Return the requested seat, or draw it by lot."""
    if asked == "either":
        return fairness.random_seat(seed, number, players)
    return 0 if asked == "first" else 1 % players


def _go_on(live: LiveGame, player: Player | None) -> list[Happened]:
    """Play chance events and the opponent's actions until a person must act, or the game is over."""
    happened = []
    table, agreed = live.table, live.agreed
    while not (table.is_over or live.is_persons_turn):
        if table.waiting == "event":
            happened.append(live.draw())
        elif table.mover is not None and player is not None:
            state = table.observation(table.mover)
            action = player.choose(state, secrets.SystemRandom().random())
            happened.append(live.enter(agreed.game.label(agreed.rules, state, action), "computer"))
    return happened
