"""The database: SQLite in a file, or PostgreSQL; brought up to date when it is opened."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import platformdirs
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, Connection, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from komi.errors import InputError, StorageError
from komi.web.records import Record, Secret

KINDS = ("sqlite", "postgresql")
PATIENCE = 10  # seconds to wait for another process that writes, or for a server that does not answer
CONNECTIONS = 12
BESIDE = ("-wal", "-shm")  # how SQLite names its files beside a database
Kept = TypeVar("Kept", bound=Record)
MIGRATING = 0x6B6F6D69  # the lock that keeps two servers from bringing one database up to date at once


def default_url() -> str:
    """A SQLite file in the user's data folder.

    Raises:
        StorageError: if the folder cannot be made.
    """
    folder = platformdirs.user_data_path("komi")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot make the folder {folder} ({error.strerror or error}): name another place with --database."
        ) from None
    return f"sqlite:///{folder / 'games.db'}"


class Database:
    """Where people and games are kept.

    Args:
        address: a URL, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`.

    Raises:
        InputError: if it is no such URL.
        StorageError: if there is no such database, or it is another program's or a later komi's.
    """

    def __init__(self, address: str) -> None:
        self._url = _read(address)
        is_file = self._url.get_backend_name() == "sqlite"
        if is_file:
            _keep_to_owner(Path(str(self._url.database)))
        options: dict[str, Any] = {"timeout": PATIENCE} if is_file else {"connect_timeout": PATIENCE}
        self._engine = create_engine(
            self._url, connect_args=options, pool_size=CONNECTIONS, max_overflow=0, pool_pre_ping=not is_file
        )
        self._turn = Lock() if is_file else nullcontext()  # SQLite has one writer: who waits here is woken at once
        if is_file:
            event.listen(self._engine, "connect", _set_up_file)
        try:
            self._bring_up_to_date()
        except BaseException:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Let go of it."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that changes nothing."""
        with Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session of which all is kept at the end, or nothing if there is an error."""
        with self._turn, Session(self._engine, expire_on_commit=False) as session, session.begin():
            if self._url.get_backend_name() == "sqlite":
                session.connection().exec_driver_sql("BEGIN IMMEDIATE")
            yield session

    def secret(self, purpose: str) -> bytes:
        """A key of 32 bytes for this purpose, drawn when it is first asked for."""
        with self.writing() as session:
            return kept(session, Secret(purpose=purpose, key=secrets.token_bytes(32)), purpose).key

    def _bring_up_to_date(self) -> None:
        name = self._url.render_as_string(hide_password=True)
        try:
            with self._engine.connect() as connection:
                _lock(connection)
                _check_owner(connection, name)
                _migrate(connection)
                connection.commit()
        except CommandError:
            raise StorageError(f"{name} was written by a later komi: update komi, or name another database.") from None
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
            raise StorageError(f"cannot use the database {name} ({reason}).") from None


def kept(session: Session, record: Kept, key: Any) -> Kept:
    """The record with this key that is kept; this one, if there is none: of several at once the first."""
    found = session.get(type(record), key)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            session.add(record)
    except IntegrityError:
        return session.get_one(type(record), key)
    return record


def _read(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise InputError(f"{address!r} is no database: give sqlite:///FILE or postgresql://USER@HOST/NAME.") from None
    if url.get_backend_name() not in KINDS:
        raise InputError(f"komi keeps games in {' or '.join(KINDS)}, not in {url.get_backend_name()}.")
    if url.get_backend_name() == "sqlite":
        return _file_of(url)
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise InputError("PostgreSQL needs psycopg: pip install 'komi[postgres]'.") from None
    return url.set(drivername="postgresql+psycopg")


def _file_of(url: URL) -> URL:
    if not url.database or url.database == ":memory:":
        raise InputError("a SQLite database is a file: give sqlite:///FILE.")
    if not Path(url.database).absolute().parent.is_dir():
        raise InputError(f"there is no folder {Path(url.database).absolute().parent} for the database.")
    return url


def _keep_to_owner(file: Path) -> None:
    """Let nobody else read the file: it holds the key that cookies are signed with, and the seeds of open games.

    SQLite gives the files beside it the same permissions.
    """
    with suppress(OSError):  # then the file is another's, or there is none: SQLite will say
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        for each in (file, *(file.with_name(file.name + ending) for ending in BESIDE)):
            if each.exists():
                each.chmod(0o600)


def _set_up_file(connection: Any, _: object) -> None:
    """Readers do not wait for the writer; what is written is safe if the process dies."""
    connection.isolation_level = None  # keeps Python's driver from beginning transactions of its own
    for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})


def _check_owner(connection: Connection, name: str) -> None:
    tables = inspect(connection).get_table_names()
    if tables and "alembic_version" not in tables:
        raise StorageError(f"{name} is another program's database: name another one for komi.")


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "komi.web:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
