"""Rows of sweeps kept in a SQLite file: each as soon as it is found, found again by game and rules.

A row is kept under a fingerprint of the game's rules, the engine and the compiler, so that an edited game
never gets the rows of what it was.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Column, Float, MetaData, String, Table, create_engine, event, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from komi.design.openings import Opening
from komi.errors import StorageError

FORMAT = 2
MARK = 0x6B6F6D69  # "komi": SQLite keeps it in the file's header
PATIENCE = 60  # seconds to wait for another process that is writing

_METADATA = MetaData()
_OPENINGS = Table(
    "openings",
    _METADATA,
    Column("game", String, primary_key=True),  # its fingerprint
    Column("rules", String, primary_key=True),
    Column("first", Float, nullable=False),
    Column("expected_actions", Float, nullable=False),
    Column("error_bound", Float, nullable=False),
    Column("length_error_bound", Float, nullable=False),
    Column("checksum", String, nullable=False),  # of all that stands before it
)


class Store:
    """The openings of rule sets, on disk.

    Args:
        path: the file; made if it is not there.

    Raises:
        StorageError: if it cannot be read or written, is no store, or another version's.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = create_engine(f"sqlite:///{path.absolute()}", connect_args={"timeout": PATIENCE})
        event.listen(self._engine, "connect", _leave_transactions)
        event.listen(self._engine, "begin", _begin)
        try:
            self._prepare()
        except BaseException:
            self._engine.dispose()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._engine.dispose()

    def find(self, game: str, rule_sets: Sequence[Any]) -> dict[Any, Opening]:
        """What is kept of these rule sets of the game with this fingerprint; damaged rows are left out."""
        wanted = {_written(rules): rules for rules in rule_sets}
        with self._talking(), self._engine.connect() as connection:
            rows = connection.execute(select(*_OPENINGS.c[1:]).where(_OPENINGS.c.game == game))
            return {
                wanted[rules]: Opening(*numbers)
                for rules, *numbers, checksum in rows
                if rules in wanted and checksum == _checksum(game, rules, numbers)
            }

    def keep(self, game: str, openings: dict[Any, Opening]) -> None:
        """Keep openings; all of them are on disk when this returns, or none and there is an error."""
        rows = [_row(game, _written(rules), opening) for rules, opening in openings.items()]
        with self._talking(), self._engine.begin() as connection:
            connection.execute(insert(_OPENINGS).prefix_with("OR REPLACE"), rows)

    def _prepare(self) -> None:
        """See whose file it is; make it a store if it is new."""
        with self._talking(), self._engine.begin() as connection:
            mark = connection.execute(text("PRAGMA application_id")).scalar_one()
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            if connection.execute(text("SELECT count(*) FROM sqlite_master")).scalar_one():
                self._check_owner(mark, version)
                return
            connection.execute(text(f"PRAGMA application_id = {MARK}"))
            connection.execute(text(f"PRAGMA user_version = {FORMAT}"))
            _METADATA.create_all(connection)

    def _check_owner(self, mark: int, version: int) -> None:
        if mark != MARK:
            raise StorageError(f"{self.path} is a database, but no store of sweeps: name another file.")
        if version != FORMAT:
            raise StorageError(
                f"{self.path} is a store of format {version}, and this komi writes format {FORMAT}: name another file."
            )

    @contextmanager
    def _talking(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error)
            if "not a database" in reason:
                raise StorageError(f"{self.path} is no store of sweeps: name another file.") from None
            if "malformed" in reason:
                raise StorageError(f"{self.path} is damaged ({reason}): move it away, or name another file.") from None
            raise StorageError(
                f"cannot keep rows in {self.path} ({reason}): free some disk space, or name another file with --store."
            ) from None


def _leave_transactions(connection: Any, _: object) -> None:
    """Keep Python's driver from beginning transactions of its own."""
    connection.isolation_level = None


def _begin(connection: Any) -> None:
    """Wait for others that write, so that nothing can change between reading and writing."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _row(game: str, rules: str, opening: Opening) -> dict[str, object]:
    numbers = {column.name: getattr(opening, column.name) for column in _OPENINGS.c[2:-1]}
    checksum = _checksum(game, rules, list(numbers.values()))
    return {"game": game, "rules": rules, **numbers, "checksum": checksum}


def _checksum(game: str, rules: str, numbers: Sequence[object]) -> str:
    return hashlib.blake2b(repr((game, rules, *numbers)).encode(), digest_size=16).hexdigest()


def _written(rules: Any) -> str:
    return json.dumps(rules._asdict(), sort_keys=True)
