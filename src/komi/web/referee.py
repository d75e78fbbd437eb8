"""The referee of all games on the server: lets moves happen once each, and writes them down before it says so.

An entry of a log can be written only once, which the database sees to: whoever asks twice, late, or from two places
at once, nothing is lost and nothing happens twice. What is in memory can be thrown away at any time: a game is made
again from its entries.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, cast

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.errors import InputError, KomiError
from komi.play import fairness
from komi.play.opponents import Player
from komi.web import models
from komi.web.database import Database
from komi.web.live import Agreed, By, Happened, LiveGame
from komi.web.offered import Offered, rules_of
from komi.web.people import new_id
from komi.web.records import Commitment, LogEntry, Person, PlayedGame, now
from komi.web.refusals import RefusalError
from komi.web.seats import Seats, find

MOST_LIVE = 500
MOST_COMMITMENTS = 20  # of one person, not yet used
NO_GAME = "There is no such game."


class Referee:
    """All games on the server.

    Args:
        database: where they are written down.
        offered: what can be played.
        seats: who can be played against.
        ended: is told of each game that ends.
    """

    def __init__(
        self, database: Database, offered: Offered, seats: Seats, ended: Callable[[LiveGame], None] = lambda game: None
    ) -> None:
        self._database, self._offered, self._seats, self._ended = database, offered, seats, ended
        self._live: OrderedDict[str, LiveGame] = OrderedDict()
        self._lock = Lock()

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

    def begin(self, person: str, asked: models.GameAsked) -> models.GameView:
        """Begin a game, or show the one that was begun with the same commitment.

        Raises:
            RefusalError: if it cannot be begun.
        """
        game = self._offered.find(asked.game)
        rules = rules_of(game, asked.rules)
        find(asked.opponent, game, rules)
        self._seats.player(asked.opponent, game, rules)
        return self.view(person, self._write_beginning(person, asked, rules))

    def view(self, person: str, game_id: str) -> models.GameView:
        """A game as it stands, once it is the person's turn.

        Raises:
            RefusalError: if this person has no such game.
        """
        with self.present(person, game_id) as live:
            if live.is_persons_turn or live.table.is_over:
                return self._shown(live)
            try:
                self._let_happen(live, None)
            except IntegrityError:
                pass
            else:
                return self._shown(live)
        return self.view(person, game_id)  # someone else was quicker

    def move(self, person: str, game_id: str, asked: models.MoveAsked) -> models.GameView:
        """Let the person's move happen, and what follows from it, unless it has already.

        Raises:
            RefusalError: if it is not possible, with the game as it stands.
        """
        live = self._find(person, game_id)
        with live.lock:
            is_next = asked.number == live.table.number and not live.is_stale
            if is_next and self._played(live, asked.move):
                return self._shown(live)
        with self.present(person, game_id) as live:  # the number is not the next, or something else has happened
            if asked.number < live.table.number and live.was(asked.number, asked.move):
                return self._shown(live)
            if asked.number < live.table.number:
                sentence = "The game has gone on; this move comes too late."
            else:
                sentence = f"The next move has the number {live.table.number}, not {asked.number}."
            raise RefusalError(409, sentence, game=self._shown(live).model_dump(mode="json"))

    @contextmanager
    def present(self, person: str, game_id: str) -> Iterator[LiveGame]:
        """The game as it stands, whoever has let something happen in it; nothing else happens in it meanwhile.

        Raises:
            RefusalError: if this person has no such game.
        """
        while True:
            live = self._find(person, game_id)
            with live.lock:
                if self._is_up_to_date(live):
                    yield live
                    return
                self._drop(live)

    def forget(self, person: str) -> None:
        """Throw away what is held of a person's games."""
        with self._lock:
            for game_id in [key for key, live in self._live.items() if live.agreed.person == person]:
                del self._live[game_id]

    def _played(self, live: LiveGame, label: str) -> bool:
        """Let the move happen; false if someone else was quicker."""
        self._check(live, label)
        try:
            self._let_happen(live, label)
        except IntegrityError:
            return False
        return True

    def _check(self, live: LiveGame, label: str) -> None:
        try:
            live.table.check(label)
        except InputError as error:
            raise RefusalError(422, str(error), game=self._shown(live).model_dump(mode="json")) from None

    def _let_happen(self, live: LiveGame, label: str | None) -> None:
        """Let the person's move happen, if there is one, and all until the person is asked again; write it down."""
        agreed = live.agreed
        player = self._seats.player(agreed.opponent, agreed.game, agreed.rules)
        try:
            happened = [] if label is None else [live.enter(label, "hand" if live.table.waiting == "event" else "you")]
            happened += _go_on(live, player)
            if happened:
                self._write(live, happened)
        except BaseException:
            self._drop(live)  # what is in memory is further than what is written
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
        is_test = asked.mode == "test"
        if is_test and self._offered.find(asked.game).has("view"):
            raise RefusalError(422, f"{asked.game} hides something from its players: chance cannot be entered by hand.")
        if not is_test and (asked.commitment is None or asked.number is None):
            raise RefusalError(422, "A game begins with a commitment of the server and a number of yours.")
        players = self._offered.find(asked.game).players(rules)
        with self._database.writing() as session:
            make_known(session, person)
            seed = _redeem(session, person, asked.commitment)
            if seed is None:
                return str(asked.commitment)
            record = PlayedGame(
                id=asked.commitment or new_id(),
                person=person,
                game=asked.game,
                rules=rules._asdict(),
                opponent=asked.opponent,
                seat=_seat(asked.seat, players),
                mode=asked.mode,
                seed=seed,
                number=asked.number or fairness.draw_number(),
            )
            session.add(record)
        return record.id

    def _find(self, person: str, game_id: str) -> LiveGame:
        """The game in memory, perhaps not as it stands; made from its record if it is not there."""
        with self._lock:
            live = self._live.get(game_id)
            if live is not None:
                self._live.move_to_end(game_id)
        if live is None:
            live = self._keep(self._read(game_id))
        if live.agreed.person != person:
            raise RefusalError(404, NO_GAME)
        return live

    def _is_up_to_date(self, live: LiveGame) -> bool:
        game_id = live.agreed.id
        last = select(func.max(LogEntry.number)).where(LogEntry.game == game_id).scalar_subquery()
        with self._database.reading() as session:
            row = session.execute(select(PlayedGame.id, last).where(PlayedGame.id == game_id)).one_or_none()
        if row is None:
            self._drop(live)
            raise RefusalError(404, NO_GAME)
        written = 0 if row[1] is None else row[1] + 1
        return not live.is_stale and written == live.table.number

    def _keep(self, live: LiveGame) -> LiveGame:
        with self._lock:
            live = self._live.setdefault(live.agreed.id, live)
            if len(self._live) > MOST_LIVE:
                self._live.popitem(last=False)
        return live

    def _drop(self, live: LiveGame) -> None:
        live.is_stale = True
        with self._lock:
            if self._live.get(live.agreed.id) is live:
                del self._live[live.agreed.id]

    def _read(self, game_id: str) -> LiveGame:
        with self._database.reading() as session:
            record = session.get(PlayedGame, game_id)
            if record is None:
                raise RefusalError(404, NO_GAME)
            entries = session.execute(
                select(LogEntry.label, LogEntry.by).where(LogEntry.game == game_id).order_by(LogEntry.number)
            ).all()
        game = self._offered.find(record.game)
        try:
            agreed = Agreed(
                id=game_id,
                person=record.person,
                game=game,
                rules=game.rules(record.rules),
                opponent=record.opponent,
                seat=record.seat,
                is_test=record.mode == "test",
                seed=record.seed,
                number=record.number,
            )
            return LiveGame(agreed, [(label, cast(By, by)) for label, by in entries])
        except KomiError as error:
            sentence = f"The rules of {game.name} are no longer what this game began with: {error}"
            raise RefusalError(410, sentence) from None

    def _shown(self, live: LiveGame) -> models.GameView:
        agreed = live.agreed
        return live.view(find(agreed.opponent, agreed.game, agreed.rules).title)


def make_known(session: Session, person: str) -> Person:
    """The person's record, made when there is something to write down."""
    record = session.get(Person, person)
    if record is None:
        record = Person(id=person)
        session.add(record)
        session.flush()
    return record


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


def _seat(asked: str, players: int) -> int:
    return {"first": 0, "second": 1 % players}.get(asked, secrets.randbelow(players))


def _go_on(live: LiveGame, player: Player) -> list[Happened]:
    """Let chance and the opponent act until the person is asked, or the game is over."""
    happened = []
    table, agreed = live.table, live.agreed
    while not (table.is_over or live.is_persons_turn):
        if table.waiting == "event":
            happened.append(live.draw())
        elif table.mover is not None:
            state = table.seen(table.mover)
            action = player.choose(state, secrets.SystemRandom().random())
            happened.append(live.enter(agreed.game.label(agreed.rules, state, action), "computer"))
    return happened
