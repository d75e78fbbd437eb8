"""Servers in this process, on a database in a file or in a real PostgreSQL."""

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from komi.web import commitments
from komi.web.database import Database

from playing import Server

BINARIES = [*Path("/usr/lib/postgresql").glob("*/bin"), Path(shutil.which("initdb") or "/nowhere").parent]


@pytest.fixture(autouse=True)
def _same_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw commitments at one time, which their seeds depend on: a test plays the same games in each run."""
    monkeypatch.setattr(commitments, "time", SimpleNamespace(time=lambda: 1.75e9))


def run_as_postgres(command: list[str], **more: Any) -> Any:
    """Run as another user: PostgreSQL refuses to run as root."""
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    return subprocess.run(command, check=True, capture_output=True, text=True, **more)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the address of a PostgreSQL server for all tests, without the name of a database."""
    initdb = next((folder / "initdb" for folder in BINARIES if (folder / "initdb").exists()), None)
    if initdb is None:
        pytest.skip("PostgreSQL is not installed: apt install postgresql.")
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    folder = Path(tempfile.mkdtemp(prefix="komi-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
    control = [str(initdb.with_name("pg_ctl")), "-D", str(folder / "base")]
    try:
        run_as_postgres([str(initdb), "-D", str(folder / "base"), "-A", "trust", "-U", user], cwd="/")
        run_as_postgres([*control, "-w", "-l", str(folder / "log"), "-o", options, "start"], cwd="/")
        try:
            address = f"postgresql://{user}@127.0.0.1:{port}"
            with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE komi_empty")
            Database(f"{address}/komi_empty").close()
            yield address
        finally:
            run_as_postgres([*control, "-m", "immediate", "stop"], cwd="/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a file with all tables empty: creating one takes as long as many a test."""
    file = tmp_path_factory.mktemp("empty") / "games.db"
    Database(f"sqlite:///{file}").close()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path, empty: Path) -> Iterator[str]:
    """Return the address of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{shutil.copy(empty, tmp_path / 'games.db')}"
        return
    server = request.getfixturevalue("postgres")
    name = f"komi_{uuid.uuid4().hex}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE komi_empty")
        yield f"{server}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def server(tmp_path: Path, empty: Path) -> Iterator[Server]:
    """Start a server on a new file."""
    with Server.running(f"sqlite:///{shutil.copy(empty, tmp_path / 'games.db')}") as running:
        yield running


@pytest.fixture
def servers(address: str) -> Iterator[Any]:
    """Start servers on one database."""
    with contextlib.ExitStack() as running:
        yield lambda: running.enter_context(Server.running(address))
