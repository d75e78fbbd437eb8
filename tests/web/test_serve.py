"""`komi serve` as people start it: a process of its own."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

SERVE = [sys.executable, "-c", "from komi.cli import main; main()", "serve", "--no-open"]


@contextmanager
def serving(database: Path) -> Iterator[tuple[Any, str]]:
    process = subprocess.Popen(
        [*SERVE, "--port", "0", "--database", f"sqlite:///{database}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[3]
    finally:
        process.kill()
        process.communicate()


def test_it_starts_answers_and_ends_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (process, address):
        assert httpx.get(f"{address}api/me").json() == {"name": None}
        assert "server" not in httpx.get(f"{address}api/me").headers
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")


def test_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (process, address), httpx.Client(base_url=address) as client:
        commitment = client.post("/api/commitments", json={}).json()["commitment"]
        wish = {"game": "pig", "opponent": "random", "seat": "first", "commitment": commitment, "number": "0" * 32}
        game = client.post("/api/games", json=wish).json()
        game = client.post(f"/api/games/{game['id']}/moves", json={"number": 0, "move": "roll"}).json()
        process.kill()
        cookies = dict(client.cookies)
    with serving(tmp_path / "games.db") as (_, address), httpx.Client(base_url=address, cookies=cookies) as client:
        assert client.get(f"/api/games/{game['id']}").json() == game


def test_taken_port_is_one_sentence(run: Any, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--no-open", "--port", port, "--database", f"sqlite:///{tmp_path / 'games.db'}")
    assert refused.code == 2
    assert refused.err == f"komi: port {port} is taken: stop what uses it, or name another with --port.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--host", "no.such.host.invalid"], "there is no address 'no.such.host.invalid' on this machine."),
        (["--database", "nonsense"], "'nonsense' is no database: give sqlite:///FILE or postgresql://USER@HOST/NAME."),
        (["no-file.py"], "there is no file no-file.py."),
        (["pig"], "pig is no rule file: its name must end in .py."),
    ],
)
def test_bad_option_is_one_sentence(run: Any, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    refused = run("serve", "--no-open", "--port", 0, "--database", f"sqlite:///{tmp_path / 'games.db'}", *arguments)
    assert (refused.code, refused.err) == (2, f"komi: {sentence}\n")


def test_missing_package_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ImportError(name='fastapi')")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(SERVE, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "komi: komi serve needs fastapi: pip install 'komi[serve]'.\n")
