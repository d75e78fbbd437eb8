"""The database is brought up to date by itself, and is komi's own."""

import os
import signal
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, create_engine, inspect, text
from sqlalchemy.exc import OperationalError

import komi.web.database
from komi.errors import InputError, StorageError
from komi.web.database import Database, default_url
from komi.web.records import DatabaseRecord, Person, now


def test_steps_lead_to_what_the_records_say(address: str) -> None:
    database = Database(address)
    with database.reading() as session:
        context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
        assert compare_metadata(context, DatabaseRecord.metadata) == []
    database.close()


def test_database_of_the_release_before_is_upgraded_with_what_it_holds(address: str) -> None:
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    old = MetaData()
    with engine.begin() as connection:
        old.reflect(connection)
        old.drop_all(connection)
        config = Config()
        config.set_main_option("script_location", "komi.web:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "v2")
        person = {"id": "0" * 32, "name": "Ann", "since": now(), "has_decided": False}
        connection.execute(old.tables["people"].insert(), person)
        assert "rematches" not in inspect(connection).get_table_names()
    engine.dispose()
    test_steps_lead_to_what_the_records_say(address)
    database = Database(address)
    with database.reading() as session:
        assert session.get_one(Person, "0" * 32).name == "Ann"
    database.close()


def test_database_of_a_development_version_is_refused(address: str) -> None:
    database = Database(address)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0010'"))
    database.close()
    with pytest.raises(StorageError, match="was written by a development version of komi"):
        Database(address)


def test_what_is_written_is_there_when_it_is_opened_again(address: str) -> None:
    database = Database(address)
    secret = database.secret("cookies")
    with database.writing() as session:
        session.add(Person(id="0" * 32, name="Ann"))
    database.close()
    again = Database(address)
    with again.reading() as session:
        ann = session.get(Person, "0" * 32)
        assert ann is not None
        assert (ann.name, ann.since.tzinfo is not None) == ("Ann", True)
    assert again.secret("cookies") == secret != again.secret("something else")
    again.close()


def test_error_leaves_nothing_half_written(address: str) -> None:
    database = Database(address)
    with pytest.raises(ZeroDivisionError), database.writing() as session:
        session.add(Person(id="0" * 32))
        session.flush()
        raise ZeroDivisionError
    with database.reading() as session:
        assert session.get(Person, "0" * 32) is None
    database.close()


def test_database_of_a_later_komi_is_refused(address: str) -> None:
    database = Database(address)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(StorageError, match="was written by a later komi"):
        Database(address)


def test_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE bookmarks (title TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StorageError, match="belongs to another program"):
        Database(f"sqlite:///{file}")
    assert file.read_bytes()[100:] == before[100:]  # the header notes how it is written


@pytest.mark.parametrize(
    ("address", "kind", "sentence"),
    [
        ("nonsense", InputError, "'nonsense' is not the URL of a database"),
        ("mysql://localhost/games", InputError, "not in mysql"),
        ("sqlite://", InputError, "a SQLite database needs a file"),
        ("sqlite:////no/such/folder/games.db", InputError, "there is no folder /no/such/folder"),
        ("postgresql://user:secret@127.0.0.1:1/games", StorageError, "cannot use the database postgresql"),
    ],
)
def test_address_that_leads_nowhere_is_refused_in_one_sentence(address: str, kind: Any, sentence: str) -> None:
    with pytest.raises(kind, match=sentence) as refused:
        Database(address)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_games_are_kept_with_the_users_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    assert default_url() == f"sqlite:///{tmp_path / 'komi' / 'games.db'}"
    assert (tmp_path / "komi").is_dir()


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_no_one_else_can_read_the_file_of_games(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    before = os.umask(0)
    try:
        for _ in range(2):
            database = Database(f"sqlite:///{file}")
            database.secret("cookies")
            found = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
            assert set(found.values()) == {0o600}, found
            database.close()
            file.chmod(0o644)  # as an earlier komi left it
    finally:
        os.umask(before)


def test_damaged_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    database = Database(f"sqlite:///{file}")
    with database.writing() as session:
        session.add_all(Person(id=f"{number:032}", name="Ann") for number in range(300))
    database.close()
    whole, page = file.read_bytes(), 4096
    assert len(whole) > 10 * page
    for start in range(page, len(whole), page):
        file.write_bytes(whole[:start] + bytes([0xA5] * page) + whole[start + page :])
        with pytest.raises(StorageError, match=r"is damaged \(.+\): restore a backup, .* \.recover"):
            Database(f"sqlite:///{file}")
    file.write_bytes(whole)
    Database(f"sqlite:///{file}").close()


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_statement_of_a_frozen_server_ends(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(komi.web.database, "SERVER_TIMEOUT", 2)
    database = Database(address)
    pid_of = text("SELECT pg_backend_pid()")

    def freeze(session: Any) -> int:
        pid = int(session.scalar(pid_of))
        os.kill(pid, signal.SIGSTOP)
        return pid

    with database.reading() as session:
        frozen = [freeze(session)]
        with pytest.raises(OperationalError):
            session.scalar(pid_of)
    with database.reading() as session:  # frozen between two requests
        frozen.append(int(session.scalar(pid_of)))
    os.kill(frozen[1], signal.SIGSTOP)
    with database.reading() as session:
        assert session.scalar(pid_of) not in frozen
    with pytest.raises(OperationalError), database.writing() as session:
        session.add(Person(id="1" * 32))
        session.flush()
        frozen.append(freeze(session))
    for pid in frozen:
        os.kill(pid, signal.SIGCONT)
    with database.reading() as session:
        assert session.scalar(pid_of) not in frozen
    database.close()
