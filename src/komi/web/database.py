"""The database: SQLite in a file, or PostgreSQL. It is migrated when it is opened."""

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
from komi.web.records import DatabaseRecord, Secret
from komi.web.statement_limit import StatementLimit

BACKENDS = ("sqlite", "postgresql")
TIMEOUT = 10  # seconds to wait for a writing process
SERVER_TIMEOUT = 5  # seconds to wait for a free connection, for a database server, and for each of its statements
CONNECTIONS = 12
AUXILIARY = ("-wal", "-shm")  # suffixes of SQLite's auxiliary files
DEVELOPMENT = {f"{number:04}" for number in range(1, 11)}  # revisions before the first release
Stored = TypeVar("Stored", bound=DatabaseRecord)
MIGRATION_LOCK = 0x6B6F6D69  # the advisory lock that prevents concurrent migrations


def default_url() -> str:
    """Return the URL of a SQLite file in the user's data folder.

    Raises:
        StorageError: if the folder cannot be created.
    """
    folder = platformdirs.user_data_path("komi")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot create the folder {folder} ({error.strerror or error}): choose another place with --database."
        ) from None
    return f"sqlite:///{folder / 'games.db'}"


class Database:
    """The database of people and games.

    Args:
        address: a URL, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`.

    Raises:
        InputError: if the URL is of neither form.
        StorageError: if the database cannot be opened, is damaged, or belongs to another program or a later version of
            komi.
    """

    def __init__(self, address: str) -> None:
        self._url = _parse(address)
        is_file = self._url.get_backend_name() == "sqlite"
        if is_file:
            _restrict_to_owner(Path(str(self._url.database)))
        options: dict[str, Any] = {"timeout": TIMEOUT} if is_file else {"connect_timeout": SERVER_TIMEOUT}
        self._engine = create_engine(
            self._url,
            connect_args=options,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=TIMEOUT if is_file else SERVER_TIMEOUT,
        )
        self._turn = Lock() if is_file else nullcontext()  # SQLite has one writer: this lock wakes the next one at once
        if is_file:
            event.listen(self._engine, "connect", _configure_sqlite)
        try:
            self._upgrade()
        except BaseException:
            self._engine.dispose()
            raise
        self._limit = None if is_file else StatementLimit(self._engine, SERVER_TIMEOUT)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
        if self._limit is not None:
            self._limit.close()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session for reading."""
        with Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session in a transaction, which is committed at the end, or rolled back if there is an error."""
        with self.transaction() as connection, Session(connection, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a connection in a transaction, which is committed at the end, or rolled back if there is an error."""
        with self._turn, self._engine.begin() as connection:
            if self._url.get_backend_name() == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    def secret(self, purpose: str) -> bytes:
        """Return the key of 32 bytes for this purpose. It is generated on first use."""
        with self.writing() as session:
            return get_or_insert(session, Secret(purpose=purpose, key=secrets.token_bytes(32)), purpose).key

    def _upgrade(self) -> None:
        name = self._url.render_as_string(hide_password=True)
        try:
            with self._engine.connect() as connection:
                _lock(connection)
                _check_integrity(connection, name)
                _check_origin(connection, name)
                _migrate(connection)
                connection.commit()
        except CommandError:
            raise StorageError(f"{name} was written by a later komi: update komi, or name another database.") from None
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
            if getattr(getattr(error, "orig", None), "sqlite_errorname", "").startswith("SQLITE_CORRUPT"):
                raise _damaged(name, reason) from None
            raise StorageError(f"cannot use the database {name} ({reason}).") from None


def get_or_insert(session: Session, record: Stored, key: Any) -> Stored:
    """Return the stored record with this key, or store this one. If several do so at once, the first one is kept."""
    found = session.get(type(record), key)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            session.add(record)
    except IntegrityError:
        return session.get_one(type(record), key)
    return record


def _parse(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise InputError(
            f"{address!r} is not the URL of a database: use sqlite:///FILE or postgresql://USER@HOST/NAME."
        ) from None
    if url.get_backend_name() not in BACKENDS:
        raise InputError(f"komi stores games in {' or '.join(BACKENDS)}, not in {url.get_backend_name()}.")
    if url.get_backend_name() == "sqlite":
        return _check_file(url)
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise InputError("PostgreSQL needs psycopg: pip install 'komi[postgres]'.") from None
    return url.set(drivername="postgresql+psycopg")


def _check_file(url: URL) -> URL:
    if not url.database or url.database == ":memory:":
        raise InputError("a SQLite database needs a file: use sqlite:///FILE.")
    if not Path(url.database).absolute().parent.is_dir():
        raise InputError(f"there is no folder {Path(url.database).absolute().parent} for the database.")
    return url


def _restrict_to_owner(file: Path) -> None:
    """Restrict the file to its owner: it contains the key that signs cookies, and the seeds of open games.

    SQLite gives its auxiliary files the same permissions.
    """
    with suppress(OSError):  # SQLite will report that the file is not accessible
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        for each in (file, *(file.with_name(file.name + ending) for ending in AUXILIARY)):
            if each.exists():
                each.chmod(0o600)


def _configure_sqlite(connection: Any, _: object) -> None:
    """Set up SQLite: readers do not wait for the writer, and commits survive a crash of the process."""
    connection.isolation_level = None  # prevents Python's driver from beginning transactions
    for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})


def _check_integrity(connection: Connection, name: str) -> None:
    """Refuse a damaged SQLite file. PostgreSQL reports damaged pages itself."""
    if connection.dialect.name == "sqlite":
        found = str(connection.scalar(text("PRAGMA integrity_check(1)")))
        if found != "ok":
            raise _damaged(name, found.rpartition("\n")[2].rstrip("."))


def _damaged(name: str, reason: str) -> StorageError:
    file = name.removeprefix("sqlite:///")
    return StorageError(
        f"the database {name} is damaged ({reason}): restore a backup, or save what can be read with "
        f"`sqlite3 '{file}' .recover | sqlite3 recovered.db`, and name that file with --database."
    )


def _check_origin(connection: Connection, name: str) -> None:
    """Refuse databases of other programs, and those of komi before its first release."""
    tables = inspect(connection).get_table_names()
    if tables and "alembic_version" not in tables:
        raise StorageError(f"{name} belongs to another program: name another database for komi.")
    if tables and connection.scalar(text("SELECT version_num FROM alembic_version")) in DEVELOPMENT:
        raise StorageError(f"{name} was written by a development version of komi: name another database.")


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "komi.web:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
