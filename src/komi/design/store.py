"""Results of parameter sweeps stored in a SQLite file, saved as they are computed and indexed by game and rules.

The key is a fingerprint of the game's rules, the engine and the compiler, so that an edited game never gets the
results of an earlier version.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Column, Connection, Float, MetaData, String, Table, create_engine, event, insert, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError

from komi.cache import folder, remove
from komi.design.openings import Opening
from komi.errors import StorageError
from komi.jit.kernels import Notice
from komi.typing import Rules

T = TypeVar("T")

FORMAT = 2  # of the file; raise it when the table changes
APPLICATION_ID = 0x6B6F6D69  # "komi": the application ID in the header of a SQLite file
DAMAGE = ("malformed", "no such", "unsupported file format", "Could not decode")  # parts of SQLite's error messages
LOCK_TIMEOUT = 60  # seconds to wait for a lock of another process

_METADATA = MetaData()
_OPENINGS = Table(
    "openings",
    _METADATA,
    Column("game", String, primary_key=True),  # fingerprint
    Column("rules", String, primary_key=True),
    Column("first", Float, nullable=False),
    Column("expected_actions", Float, nullable=False),
    Column("error_bound", Float, nullable=False),
    Column("length_error_bound", Float, nullable=False),
    Column("checksum", String, nullable=False),  # of all columns before it
)

_MEASURES = Table(
    "measures",
    _METADATA,
    Column("game", String, primary_key=True),
    Column("rules", String, primary_key=True),
    Column("numbers", String, nullable=False),  # the measures, as JSON
    Column("checksum", String, nullable=False),  # of all columns before it
)


def open_store(file: str | Path | None, notice: Notice) -> "SweepStore":
    """Open a store, by default that of the cache folder; that one is recreated if it is damaged.

    Args:
        file: the file; None for the one in the cache folder.
        notice: receives a message before a damaged store in the cache folder is recreated.

    Raises:
        StorageError: as `SweepStore` does.
    """
    return SweepStore(Path(file)) if file else SweepStore(folder("sweeps") / f"sweeps-{FORMAT}.sqlite", notice)


class _UnusableError(StorageError):
    """The file is damaged, or is not a store."""


class SweepStore:
    """The stored openings of rule sets.

    Args:
        path: the file; created if it does not exist.
        notice: for a file in the cache, which only komi writes: receives a message if the file is damaged, before it
            is recreated. Without it a damaged file is left alone.

    Raises:
        StorageError: if it cannot be read or written, is not a store, or has another format version.
    """

    def __init__(self, path: Path, notice: Notice | None = None) -> None:
        self.path = path
        self._notice = notice
        self._engine = create_engine(f"sqlite:///{path.absolute()}", connect_args={"timeout": LOCK_TIMEOUT})
        event.listen(self._engine, "connect", _disable_implicit_transactions)
        event.listen(self._engine, "begin", _begin_immediate)
        try:
            self._do(lambda connection: None)
        except BaseException:
            self._engine.dispose()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._engine.dispose()

    def load(self, game: str, rule_sets: Sequence[Any]) -> dict[Any, Opening]:
        """Return the stored openings of these rule sets for this game fingerprint; damaged rows are omitted."""
        rules_by_key = {_rules_key(rules): rules for rules in rule_sets}
        query = select(*_OPENINGS.c[1:]).where(_OPENINGS.c.game == game)
        return {
            rules_by_key[rules]: Opening(*numbers)
            for rules, *numbers, checksum in self._do(lambda connection: connection.execute(query).all())
            if rules in rules_by_key and checksum == _checksum(game, rules, numbers)
        }

    def save(self, game: str, openings: dict[Any, Opening]) -> None:
        """Store openings in one transaction: all of them are on disk on return, or none if an error is raised."""
        rows = [_row(game, _rules_key(rules), opening) for rules, opening in openings.items()]
        self._do(lambda connection: connection.execute(insert(_OPENINGS).prefix_with("OR REPLACE"), rows))

    def load_measures(self, game: str, rule_sets: Sequence[Any]) -> dict[Any, dict[str, float]]:
        """Return the stored measures of these rule sets for this game fingerprint; damaged rows are omitted."""
        rules_by_key = {_rules_key(rules): rules for rules in rule_sets}
        query = select(*_MEASURES.c[1:]).where(_MEASURES.c.game == game)
        return {
            rules_by_key[rules]: json.loads(numbers)
            for rules, numbers, checksum in self._do(lambda connection: connection.execute(query).all())
            if rules in rules_by_key and checksum == _checksum(game, rules, [numbers])
        }

    def save_measures(self, game: str, rules: Rules, measures: dict[str, float]) -> None:
        """Store the measures of a rule set."""
        key, numbers = _rules_key(rules), json.dumps(measures)
        row = {"game": game, "rules": key, "numbers": numbers, "checksum": _checksum(game, key, [numbers])}
        self._do(lambda connection: connection.execute(insert(_MEASURES).prefix_with("OR REPLACE"), [row]))

    def _do(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; if a cache file is damaged, recreate it first."""
        try:
            return self._transaction(work)
        except _UnusableError:
            if self._notice is None:
                raise
        self._notice(f"{self.path} is damaged and is recreated: stored results of earlier sweeps are computed again")
        self._engine.dispose()
        try:
            for ending in ("", "-journal", "-wal", "-shm"):
                remove(self.path.with_name(self.path.name + ending))
        except OSError as error:
            raise StorageError(f"cannot remove {self.path} ({error.strerror or error}): remove it yourself.") from None
        return self._transaction(work)

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        with self._translated_errors(), self._engine.begin() as connection:
            self._prepare(connection)
            return work(connection)

    def _prepare(self, connection: Connection) -> None:
        """Check the file's owner and format; initialize a new file."""
        application_id = connection.execute(text("PRAGMA application_id")).scalar_one()
        version = connection.execute(text("PRAGMA user_version")).scalar_one()
        if connection.execute(text("SELECT count(*) FROM sqlite_master")).scalar_one():
            self._check_owner(application_id, version)
            _METADATA.create_all(connection)  # tables that this version has added
            return
        connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
        connection.execute(text(f"PRAGMA user_version = {FORMAT}"))
        _METADATA.create_all(connection)

    def _check_owner(self, application_id: int, version: int) -> None:
        if application_id != APPLICATION_ID:
            raise _UnusableError(f"{self.path} is a database, but not a store of sweeps: name another file.")
        if version != FORMAT:
            raise _UnusableError(
                f"{self.path} is a store of format {version}, but this version of komi writes format {FORMAT}: "
                "name another file."
            )

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error)
            if "not a database" in reason:
                raise _UnusableError(f"{self.path} is not a store of sweeps: name another file.") from None
            if any(phrase in reason for phrase in DAMAGE):
                raise _UnusableError(
                    f"{self.path} is damaged ({reason}): move it away, or name another file."
                ) from None
            kind = _UnusableError if self.path.is_dir() or "readonly" in reason else StorageError
            raise kind(
                f"cannot store results in {self.path} ({reason}): "
                "free some disk space, or name another file as the 'store'."
            ) from None


def _disable_implicit_transactions(connection: DBAPIConnection, _: object) -> None:
    """Disable the implicit transactions of Python's driver."""
    connection.isolation_level = None


def _begin_immediate(connection: Connection) -> None:
    """Wait for other writers, so that nothing changes between reading and writing."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _row(game: str, rules: str, opening: Opening) -> dict[str, object]:
    numbers = {column.name: getattr(opening, column.name) for column in _OPENINGS.c[2:-1]}
    checksum = _checksum(game, rules, list(numbers.values()))
    return {"game": game, "rules": rules, **numbers, "checksum": checksum}


def _checksum(game: str, rules: str, numbers: Sequence[object]) -> str:
    return hashlib.blake2b(repr((game, rules, *numbers)).encode(), digest_size=16).hexdigest()


def _rules_key(rules: Rules) -> str:
    return json.dumps(rules._asdict(), sort_keys=True)
