"""The referee of all games on the server: lets moves happen once each, and writes them down before it says so.

An entry of a log can be written only once, which the database sees to: whoever asks twice, late, or from two places
at once, nothing is lost and nothing happens twice. What is in memory can be thrown away at any time: a game is made
again from its entries.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.errors import InputError
from komi.game import Game
from komi.play import fairness
from komi.play.opponents import Player
from komi.web import models
from komi.web.database import Database, kept
from komi.web.live import Happened, LiveGame
from komi.web.live_games import LiveGames
from komi.web.offered import Offered, rules_of
from komi.web.people import new_id
from komi.web.records import Commitment, LogEntry, Person, PlayedGame, now
from komi.web.refusals import RefusalError
from komi.web.seats import Seats, find
from komi.web.work import Asker

MOST_COMMITMENTS = 20  # of one person, not yet used


class Referee:
    """All games on the server.

    Args:
        database: where they are written down.
        offered: what can be played.
        games: those in memory.
        seats: who can be played against.
        ended: is told of each game that ends.
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

    def commit(self, person: str) -> models.Commitment:
        """Draw a seed for a game to come."""
        drawn = fairness.Commitment.drawn()
        record = Commitment(id=new_id(), person=person, seed=drawn.seed)
        with self._database.writing() as session:
            make_known(session, person)
            unused = session.scalars(
                select(Commitment).where(Commitment.person == person).order_by(Commitment.since.desc())
            ).all()
            for old in unused[MOST_COMMITMENTS - 1 :]:
                session.delete(old)
            session.add(record)
        return models.Commitment(commitment=record.id, hash=drawn.hash)

    def begin(self, asker: Asker, asked: models.GameAsked) -> models.GameView:
        """Begin a game, or show the one that was begun with the same commitment.

        Raises:
            RefusalError: if it cannot be begun.
        """
        game = self._offered.find(asked.game)
        rules = rules_of(game, asked.rules)
        _check_chance(game, asked)
        self._seats.rival(asked.opponent or "", game, rules, asker)
        return self.view(asker.person, self._write_beginning(asker.person, asked, rules))

    def view(self, person: str, game_id: str) -> models.GameView:
        """A game as it stands, once it is the person's turn.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self._games.present(person, game_id) as live:
            if live.is_persons_turn or live.table.is_over:
                return self.shown(live)
            try:
                self._let_happen(live, None)
            except IntegrityError:
                pass
            else:
                return self.shown(live)
        return self.view(person, game_id)  # someone else was quicker

    def remove(self, person: str, game_id: str) -> None:
        """Remove a game that is not over.

        Raises:
            RefusalError: if this person has no such game, or it is over.
        """
        with self._games.present(person, game_id) as live:
            if live.table.is_over:
                raise RefusalError(409, "This game is over: it counts in your statistics, and stays.")
            with self._database.writing() as session:
                session.execute(delete(PlayedGame).where(PlayedGame.id == game_id))
            self._games.drop(live)

    def move(self, person: str, game_id: str, asked: models.MoveAsked) -> models.GameView:
        """Let the person's move happen, and what follows from it, unless it has already.

        Raises:
            RefusalError: if it is not possible, with the game as it stands.
        """
        live = self._games.find(person, game_id)
        with live.lock:
            is_next = asked.number == live.table.number and not live.is_stale
            if is_next and (live.is_persons_turn or live.table.is_over) and self._played(live, asked.move):
                return self.shown(live)
        with self._games.present(person, game_id) as live:  # the number is not the next, or something else has happened
            if asked.number < live.table.number:
                return self._past(live, asked)
            if asked.number > live.table.number:
                raise self._conflict(live, f"The next move has the number {live.table.number}, not {asked.number}.")
        self.view(person, game_id)  # the opponent's move comes first
        return self.move(person, game_id, asked)

    def _played(self, live: LiveGame, label: str) -> bool:
        """Let the move happen; false if someone else was quicker."""
        self._check(live, label)
        try:
            self._let_happen(live, label)
        except IntegrityError:
            return False
        return True

    def _past(self, live: LiveGame, asked: models.MoveAsked) -> models.GameView:
        """The game, if this has happened under this number already."""
        if live.was(asked.number, asked.move):
            return self.shown(live)
        raise self._conflict(live, "The game has gone on; this move comes too late.")

    def _conflict(self, live: LiveGame, sentence: str) -> RefusalError:
        return RefusalError(409, sentence, game=self.shown(live).model_dump(mode="json"))

    def _check(self, live: LiveGame, label: str) -> None:
        try:
            live.table.check(label)
        except InputError as error:
            raise RefusalError(422, str(error), game=self.shown(live).model_dump(mode="json")) from None

    def _let_happen(self, live: LiveGame, label: str | None) -> None:
        """Let the person's move happen, if there is one, and all until the person is asked again; write it down."""
        agreed = live.agreed
        player = self._seats.rival(agreed.opponent, agreed.game, agreed.rules, Asker(agreed.person))
        try:
            happened = [] if label is None else [live.enter(label, "hand" if live.table.waiting == "event" else "you")]
            happened += _go_on(live, player)
            if happened:
                self._write(live, happened)
        except BaseException:
            self._games.drop(live)  # what is in memory is further than what is written
            raise
        if live.table.is_over:
            self._ended(live)

    def _write(self, live: LiveGame, happened: Sequence[Happened]) -> None:
        rows = [{"game": live.agreed.id, "at": now(), **vars(entry)} for entry in happened]
        with self._database.writing() as session:
            session.execute(insert(LogEntry), rows)
            if live.table.payoffs is not None:
                session.execute(
                    update(PlayedGame)
                    .where(PlayedGame.id == live.agreed.id)
                    .values(over=now(), payoffs=list(live.table.payoffs))
                )

    def _write_beginning(self, person: str, asked: models.GameAsked, rules: Any) -> str:
        """Write down a new game, unless there is one of the same commitment; its id."""
        players = self._offered.find(asked.game).players(rules)
        with self._database.writing() as session:
            make_known(session, person)
            seed = _redeem(session, person, asked.commitment)
            if seed is None:
                return str(asked.commitment)
            number = asked.number or fairness.draw_number()
            record = PlayedGame(
                id=asked.commitment or new_id(),
                person=person,
                game=asked.game,
                rules=rules._asdict(),
                opponent=asked.opponent or "",
                seat=_seat(asked.seat, players, seed, number),
                lot=asked.seat == "either",
                mode=asked.mode,
                seed=seed,
                number=number,
            )
            session.add(record)
        return record.id

    def shown(self, live: LiveGame) -> models.GameView:
        """A game as its player may see it."""
        agreed = live.agreed
        if live.table.players == 1:
            return live.view("")
        return live.view(find(agreed.opponent, agreed.game, agreed.rules).title)


def make_known(session: Session, person: str) -> Person:
    """The person's record, made when there is something to write down."""
    return kept(session, Person(id=person), person)


def _check_chance(game: Game, asked: models.GameAsked) -> None:
    """See that chance can be drawn, or entered by hand."""
    if asked.mode == "test" and game.has("view"):
        raise RefusalError(422, f"{game.name} hides something from its players: chance cannot be entered by hand.")
    if asked.mode == "normal" and (asked.commitment is None or asked.number is None):
        raise RefusalError(422, "A game begins with a commitment of the server and a number of yours.")


def _redeem(session: Session, person: str, commitment: str | None) -> bytes | None:
    """The seed of a commitment, which can be used once; None if this person has used it already."""
    if commitment is None:
        return fairness.Commitment.drawn().seed
    drawn = session.get(Commitment, commitment, with_for_update=True)
    if drawn is not None and drawn.person == person:
        session.delete(drawn)
        return drawn.seed
    begun = session.get(PlayedGame, commitment)
    if begun is None or begun.person != person:
        raise RefusalError(404, "There is no such commitment; ask for a new one.")
    return None


def _seat(asked: str, players: int, seed: bytes, number: str) -> int:
    if asked == "either":
        return fairness.seat_by_lot(seed, number, players)
    return 0 if asked == "first" else 1 % players


def _go_on(live: LiveGame, player: Player | None) -> list[Happened]:
    """Let chance and the opponent act until the person is asked, or the game is over."""
    happened = []
    table, agreed = live.table, live.agreed
    while not (table.is_over or live.is_persons_turn):
        if table.waiting == "event":
            happened.append(live.draw())
        elif table.mover is not None and player is not None:
            state = table.seen(table.mover)
            action = player.choose(state, secrets.SystemRandom().random())
            happened.append(live.enter(agreed.game.label(agreed.rules, state, action), "computer"))
    return happened
