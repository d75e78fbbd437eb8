"""The database records: people, their games, and the log entries of each game."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, Index, LargeBinary, String, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from komi.play.fairness import PROTOCOL

MAX_NAME = 40  # characters of a person's name
MAX_LOGIN = 18 * MAX_NAME  # characters of its form for comparisons: one character becomes up to 18
MAX_LABEL = 120  # characters of the label of an action or a chance event
ID = String(32)  # 16 bytes in hex
HASH = String(64)  # SHA-256 in hex


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite does not store time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the time with its time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class DatabaseRecord(DeclarativeBase):
    """The base class of all records."""

    type_annotation_map = {datetime: UtcDateTime(), dict[str, Any]: JSON, list[float]: JSON, bytes: LargeBinary}  # noqa: RUF012


class Secret(DatabaseRecord):
    """A key of this server, by its purpose."""

    __tablename__ = "secrets"

    purpose: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[bytes]


class Person(DatabaseRecord):
    """A player, identified only by a signed cookie.

    Attributes:
        consented_at: the time since when this person's decisions may be studied; None if they may not.
        has_decided: True if the person has decided on this.
    """

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str | None] = mapped_column(String(MAX_NAME))
    since: Mapped[datetime] = mapped_column(default=now)
    consented_at: Mapped[datetime | None]
    has_decided: Mapped[bool] = mapped_column(default=False)


class DeviceCode(DatabaseRecord):
    """A code with which another device becomes this person, as a hash."""

    __tablename__ = "device_codes"

    hash: Mapped[str] = mapped_column(HASH, primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True, unique=True)
    since: Mapped[datetime] = mapped_column(default=now)


class Account(DatabaseRecord):
    """A name and a password with which a person signs in on other devices.

    Attributes:
        name: the name as it was entered.
        login: its form for comparisons.
        hash: the Argon2 hash of the password, with its salt and parameters.
    """

    __tablename__ = "accounts"

    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    login: Mapped[str] = mapped_column(String(MAX_LOGIN), index=True, unique=True)
    hash: Mapped[str] = mapped_column(String(200))


class UsedCommitment(DatabaseRecord):
    """The id of a commitment that has begun a game, even if the game was removed."""

    __tablename__ = "used_commitments"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    since: Mapped[datetime] = mapped_column(default=now)


class PlayedGame(DatabaseRecord):
    """A game, running or finished. Its log is stored as entries.

    Attributes:
        lot: True if the seat was drawn by lot, from the seed and the number.
        seed: the seed of all chance events, together with `number`.
        number: the number that the person's page has added to the seed.
        payoffs: the payoffs by seat, once the game is over.
        mistakes: the total loss of the person's decisions, in winning probability; None if it is not known.
        decisions: the number of these decisions.
        luck: the part of the result that is due to chance.
        skill: the part of the result that is due to the difference in play.
        shared: the secret in the link of a shared game; None if it is not shared.
        resigned: the seat that has resigned; None if none has.
        takebacks: number of times that entries have been taken back.
        minutes: time of each player for the whole game; None without a clock.
        seconds: increment for each completed turn.
        late: True if the player who resigned ran out of time.
        protocol: the version of the protocol in `komi.play.fairness` that draws chance events.
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
    late: Mapped[bool] = mapped_column(default=False)
    protocol: Mapped[int] = mapped_column(default=PROTOCOL)


class LogEntry(DatabaseRecord):
    """An action or a chance event of a game. Its number is unique within the game."""

    __tablename__ = "entries"

    game: Mapped[str] = mapped_column(ForeignKey(PlayedGame.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10))
    label: Mapped[str] = mapped_column(String(MAX_LABEL))
    by: Mapped[str] = mapped_column(String(10))
    at: Mapped[datetime] = mapped_column(default=now)


class PuzzleAnswer(DatabaseRecord):
    """A person's answer to the puzzle of a game on a day. `right`: it is a best action."""

    __tablename__ = "puzzle_answers"
    __table_args__ = (Index("ix_puzzle_answers_game_day", "game", "day"),)

    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(String(80), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    label: Mapped[str] = mapped_column(String(MAX_LABEL))
    right: Mapped[bool]


class SeatedPlayer(DatabaseRecord):
    """A seat in a game between people, at several devices or at one.

    Attributes:
        person: the player; None once they have deleted their data.
        place: 0 for the host; the others follow in the order of their numbers.
        number: the number that the player's page has added to the seed; "" at one device.
        confirmation: the proof that the player's page has checked the finished game; None until it has.
        phrase: the last of the fixed phrases that the player said; None if none.
        said: when that was.
    """

    __tablename__ = "seated_players"

    game: Mapped[str] = mapped_column(ForeignKey(PlayedGame.id, ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str | None] = mapped_column(ForeignKey(Person.id, ondelete="SET NULL"), index=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    place: Mapped[int]
    number: Mapped[str] = mapped_column(String(32))
    confirmation: Mapped[str | None] = mapped_column(HASH)
    phrase: Mapped[str | None] = mapped_column(String(10))
    said: Mapped[datetime | None]


class Invitation(DatabaseRecord):
    """A table that waits for players. The game that begins there has the same id.

    Attributes:
        seat: the seat that the host has requested: first, second or either.
        players: the number of players of the game.
        watch: the secret in the link for spectators.
        minutes: time of each player for the whole game; None without a clock.
        seconds: increment for each completed turn.
        is_open: True if the lobby lists the table: anyone may join, and watch the game.
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
    is_open: Mapped[bool] = mapped_column(default=False)


class Guest(DatabaseRecord):
    """A player at a table that waits for players. The host has place 0.

    Attributes:
        number: the number that the player's page adds to the seed; "" until it is revealed.
        number_hash: the commitment to this number.
    """

    __tablename__ = "guests"

    invitation: Mapped[str] = mapped_column(ForeignKey(Invitation.id, ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True)
    number: Mapped[str] = mapped_column(String(32))
    number_hash: Mapped[str] = mapped_column(HASH)


class Rematch(DatabaseRecord):
    """The table of the rematch of a finished game: a game has at most one."""

    __tablename__ = "rematches"

    game: Mapped[str] = mapped_column(ForeignKey(PlayedGame.id, ondelete="CASCADE"), primary_key=True)
    invitation: Mapped[str] = mapped_column(ForeignKey(Invitation.id, ondelete="CASCADE"), index=True, unique=True)


class Room(DatabaseRecord):
    """A room of a class, in which all play one game.

    Attributes:
        person: the teacher.
        code: the words with which pupils join, joined by a hyphen.
        opponent: the name of the computer opponent; "" in a game for one player.
    """

    __tablename__ = "rooms"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), index=True)
    code: Mapped[str] = mapped_column(String(20), index=True, unique=True)
    game: Mapped[str] = mapped_column(String(80))
    rules: Mapped[dict[str, Any]]
    opponent: Mapped[str] = mapped_column(String(80))
    since: Mapped[datetime] = mapped_column(default=now)


class RoomMember(DatabaseRecord):
    """A pupil in a room, with the name that its board shows. Games count from `since` on."""

    __tablename__ = "room_members"

    room: Mapped[str] = mapped_column(ForeignKey(Room.id, ondelete="CASCADE"), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey(Person.id, ondelete="CASCADE"), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    since: Mapped[datetime] = mapped_column(default=now)
