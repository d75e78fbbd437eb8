"""What is kept: people, their games, and what happened in each, entry by entry."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, Index, LargeBinary, String, TypeDecorator, sql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from komi.play.fairness import PROTOCOL

LONGEST_NAME = 40  # characters of a person's name
LONGEST_LABEL = 120  # characters of what an action or a chance event is called
ID = String(32)  # 16 bytes in hex
HASH = String(64)  # SHA-256 in hex


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The moment, with its time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Record(DeclarativeBase):
    """Base of all records."""

    type_annotation_map = {datetime: Moment(), dict[str, Any]: JSON, list[float]: JSON, bytes: LargeBinary}  # noqa: RUF012


class Secret(Record):
    """A key of this server, by what it is for."""

    __tablename__ = "secrets"

    purpose: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[bytes]


class Person(Record):
    """Someone who plays; known by a signed cookie and nothing else.

    Attributes:
        studied: since when this person's decisions may be studied; None if they may not.
        asked: whether the person has said so, or that they may not.
    """

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str | None] = mapped_column(String(LONGEST_NAME))
    since: Mapped[datetime] = mapped_column(default=now)
    studied: Mapped[datetime | None]
    asked: Mapped[bool] = mapped_column(default=False, server_default=sql.false())


class UsedCommitment(Record):
    """The id of a commitment that has begun a game, even if the game was removed."""

    __tablename__ = "used_commitments"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    since: Mapped[datetime] = mapped_column(default=now)


class PlayedGame(Record):
    """A game that someone plays or has played; what happened in it is in its entries.

    Attributes:
        lot: whether the seat was drawn by lot, from the seed and the number.
        seed: what chance is drawn from, with `number`.
        number: what the person's page has added to the seed.
        payoffs: by seat, once the game is over.
        mistakes: what the person's decisions gave away in all, in chances of winning; None where it is not known.
        decisions: how many of them there were.
        luck: how much chance has helped the person.
        skill: how much the difference in play has.
        shared: the secret that its link is made of, as long as it is shared.
        resigned: the seat that has given up, if one has.
        takebacks: how often something that was entered has been taken back.
        minutes: for the game, each player; None without a clock.
        seconds: more for each turn.
        late: whether who has resigned did so by running out of time.
        protocol: the version of `komi.play.fairness` that chance is drawn by.
    """

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True)
    game: Mapped[str] = mapped_column(String(80))
    rules: Mapped[dict[str, Any]]
    opponent: Mapped[str] = mapped_column(String(80))
    seat: Mapped[int]
    mode: Mapped[str] = mapped_column(String(10))
    lot: Mapped[bool]
    seed: Mapped[bytes]
    number: Mapped[str] = mapped_column(String(32))
    started: Mapped[datetime] = mapped_column(default=now)
    over: Mapped[datetime | None]
    payoffs: Mapped[list[float] | None]
    mistakes: Mapped[float | None]
    decisions: Mapped[int | None]
    luck: Mapped[float | None]
    skill: Mapped[float | None]
    shared: Mapped[str | None] = mapped_column(ID, index=True, unique=True)
    resigned: Mapped[int | None]
    takebacks: Mapped[int] = mapped_column(default=0)
    minutes: Mapped[int | None]
    seconds: Mapped[int | None]
    late: Mapped[bool] = mapped_column(default=False, server_default=sql.false())
    protocol: Mapped[int] = mapped_column(default=PROTOCOL, server_default="1")


class LogEntry(Record):
    """One action or chance event of a game; its number can be taken only once."""

    __tablename__ = "entries"

    game: Mapped[str] = mapped_column(ForeignKey(PlayedGame.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10))
    label: Mapped[str] = mapped_column(String(LONGEST_LABEL))
    by: Mapped[str] = mapped_column(String(10))
    at: Mapped[datetime] = mapped_column(default=now)


class PuzzleAnswer(Record):
    """What a person answered to the puzzle of a game on a day; `right`: whether it was the best action."""

    __tablename__ = "puzzle_answers"
    __table_args__ = (Index("ix_puzzle_answers_game_day", "game", "day"),)

    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(String(80), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    label: Mapped[str] = mapped_column(String(LONGEST_LABEL))
    right: Mapped[bool]


class Chair(Record):
    """A seat at a table of several people, or of one who plays for all of them.

    Attributes:
        person: who sits there; None once they have deleted everything.
        place: who invited has 0, and the others follow in the order of their numbers.
        number: what their page has added to the seed; "" at one device.
    """

    __tablename__ = "chairs"

    game: Mapped[str] = mapped_column(ForeignKey(PlayedGame.id, ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str | None] = mapped_column(ForeignKey(Person.id, ondelete="SET NULL"), index=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    place: Mapped[int]
    number: Mapped[str] = mapped_column(String(32))


class Invitation(Record):
    """A table that waits for people; once all are there, the game has the same id.

    Attributes:
        seat: what who invited has asked for: first, second or either.
        players: how many there must be.
        watch: the secret that those who only look on have.
        minutes: for the game, each player; None without a clock.
        seconds: more for each turn.
    """

    __tablename__ = "invitations"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True)
    game: Mapped[str] = mapped_column(String(80))
    rules: Mapped[dict[str, Any]]
    seat: Mapped[str] = mapped_column(String(10))
    players: Mapped[int]
    seed: Mapped[bytes]
    watch: Mapped[str] = mapped_column(ID, index=True, unique=True)
    since: Mapped[datetime] = mapped_column(default=now)
    minutes: Mapped[int | None]
    seconds: Mapped[int | None]


class Guest(Record):
    """Somebody who has taken a seat at a table that waits; who invited has place 0.

    Attributes:
        number: what their page adds to the seed; "" until it is revealed.
        number_hash: the commitment to it.
    """

    __tablename__ = "guests"

    invitation: Mapped[str] = mapped_column(ForeignKey(Invitation.id, ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True)
    number: Mapped[str] = mapped_column(String(32))
    number_hash: Mapped[str] = mapped_column(HASH, server_default="")
