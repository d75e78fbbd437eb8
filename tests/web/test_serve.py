"""`komi serve`, started as a process."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2 as httpx
import pytest
from test_rematches import propose

from komi.web.connections import MAX_SECONDS

from playing import SERVE, Visitor, invite, join, serving
from slowly import slowly


def test_it_starts_answers_and_ends_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (process, address):
        assert httpx.get(f"{address}api/me").json() == {"name": None}
        assert "server" not in httpx.get(f"{address}api/me").headers
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")


def test_game_continues_after_the_server_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (process, address), httpx.Client(base_url=address, timeout=60.0) as client:
        commitment = client.post("/api/commitments", json={}).json()["commitment"]
        request = {"game": "pig", "opponent": "random", "seat": "first", "commitment": commitment, "number": "0" * 32}
        game = client.post("/api/games", json=request).json()
        game = client.post(f"/api/games/{game['id']}/moves", json={"number": 0, "move": "roll"}).json()
        process.kill()
        cookies = dict(client.cookies)
    with (
        serving(tmp_path / "games.db") as (_, address),
        httpx.Client(base_url=address, cookies=cookies, timeout=60.0) as client,
    ):
        assert client.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.slow
def test_kills_lose_no_move_no_rematch_and_no_game_of_the_archive(tmp_path: Path) -> None:
    confirmed: dict[str, int] = {}
    cookies: list[dict[str, str]] = [{}, {}]
    current = ""
    for kill in range(6):
        with serving(tmp_path / "games.db") as (process, address), ExitStack() as stack:
            clients = [
                stack.enter_context(httpx.Client(base_url=address, cookies=each, timeout=60.0)) for each in cookies
            ]
            people = [Visitor(client) for client in clients]
            current = current or _begin(people, None)
            assert {one["id"]: one["number"] for one in people[1].get("/games")["games"]}.items() >= {
                (game, number) for game, number in confirmed.items() if game != current
            }
            assert people[0].get(f"/games/{current}")["number"] >= confirmed.get(current, 0)
            moves = 0
            with suppress(httpx.TransportError):
                while True:
                    views = [one.get(f"/games/{current}") for one in people]
                    if views[0]["result"]:
                        current = _begin(people, views)
                        continue
                    if moves == 10 + kill:
                        Thread(target=process.kill).start()  # while requests go on
                    mover = people.index(next(one for one, view in zip(people, views, strict=True) if view["actions"]))
                    played = people[mover].moved(views[mover], views[mover]["actions"][-1]["label"])
                    confirmed[current] = played["number"]
                    moves += 1
            cookies = [dict(client.cookies) for client in clients]
    assert len(confirmed) > 6


def _begin(people: list[Visitor], views: Any) -> str:
    """Begin the first game of two people, or continue to begin the rematch of the last."""
    if views is None:
        table = invite(people[0], goal=1)
    else:
        proposed = people[1].get(f"/games/{views[0]['id']}/rematch")["table"]
        table = proposed or propose(people[0], views[0])
    if not table.get("begun"):
        assert join(people[1], table)[1]["begun"]
    return str(table["id"])


def test_backup_of_a_running_server_is_restored_with_nothing_lost(tmp_path: Path) -> None:
    """A test of the chapter on backups in docs/operate.md."""
    database, backup = tmp_path / "games.db", tmp_path / "backup.db"
    with serving(database) as (_, address), httpx.Client(base_url=address, timeout=60.0) as client:
        client.put("/api/me", json={"name": "Ann"})
        commitment = client.post("/api/commitments", json={}).json()["commitment"]
        request = {"game": "pig", "opponent": "random", "seat": "first", "commitment": commitment, "number": "0" * 32}
        game = client.post("/api/games", json=request).json()
        game = client.post(f"/api/games/{game['id']}/moves", json={"number": 0, "move": "roll"}).json()
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(backup)) as target:
            source.backup(target)
        saved = client.get("/api/export.json").json()
        client.post(f"/api/games/{game['id']}/moves", json={"number": game["number"], "move": "hold"})
        cookies = dict(client.cookies)
    for file in tmp_path.glob("games.db*"):
        file.unlink()
    backup.rename(database)
    with serving(database) as (_, address), httpx.Client(base_url=address, cookies=cookies, timeout=60.0) as client:
        assert client.get("/api/health").json() == {"done": True}
        assert client.get("/api/export.json").json() == saved
        assert client.get(f"/api/games/{game['id']}").json() == game
        after = client.post(f"/api/games/{game['id']}/moves", json={"number": game["number"], "move": "roll"})
        assert after.status_code in (200, 409)  # 409 if a 1 had ended the turn


def test_health_is_refused_with_a_file_that_is_no_database(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (_, address):
        for file in tmp_path.glob("games.db*"):
            file.write_bytes(b"this is no database" * 10_000)
        answer = httpx.get(f"{address}api/health", timeout=60.0)
    assert answer.status_code >= 500
    assert answer.json()["error"].endswith(".")


def test_taken_port_is_one_sentence(run: Any, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--no-open", "--port", port, "--database", f"sqlite:///{tmp_path / 'games.db'}")
    assert refused.code == 2
    assert refused.err == f"komi: port {port} is taken: stop what uses it, or name another with --port.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("by", [signal.SIGINT, *slowly(signal.SIGTERM)])
def test_its_jobs_end_with_it(tmp_path: Path, by: int) -> None:
    def descendants(pid: int) -> set[Path]:
        files = Path(f"/proc/{pid}/task").glob("*/children")
        children = [int(child) for file in files for child in file.read_text().split()]
        return {Path(f"/proc/{child}") for child in children}.union(*map(descendants, children))

    with serving(tmp_path / "games.db") as (process, address), httpx.Client(base_url=address, timeout=60.0) as client:
        preparation = client.post("/api/preparations", json={"game": "pig", "rules": {"goal": 250}}).json()
        while preparation["stage"] in ("waiting", "starting"):
            time.sleep(0.2)
            preparation = client.get(f"/api/preparations/{preparation['key']}").json()
        processes = descendants(process.pid)
        assert len(processes) > 3
        process.send_signal(by)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0 if by == signal.SIGINT else -by, "", "")
        deadline = time.monotonic() + 20
        while any(each.exists() for each in processes):
            assert time.monotonic() < deadline


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--host", "no.such.host.invalid"], "there is no address 'no.such.host.invalid' on this machine."),
        (
            ["--database", "nonsense"],
            "'nonsense' is not the URL of a database: use sqlite:///FILE or postgresql://USER@HOST/NAME.",
        ),
        (["no-file.py"], "there is no file no-file.py."),
        (["pig"], "pig is not a rule file: its name must end in .py."),
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


@pytest.mark.slow
def test_half_sent_requests_are_closed_and_keep_no_one_out(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db", "--host", "0.0.0.0") as (_, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        halves = [socket.create_connection(("127.0.0.1", port)) for _ in range(800)]
        for number, half in enumerate(halves):
            with suppress(OSError):  # there are too many from this address
                half.sendall(
                    (b"", b"GET /api/me HT", b"PUT /api/me HTTP/1.1\r\ncontent-length: 9\r\n\r\n{")[number % 3]
                )
        begun = time.monotonic()
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(transport=elsewhere, base_url=f"http://127.0.0.1:{port}") as ann:
            assert ann.get("/api/me").status_code == 200
            while (
                halves := [half for half in halves if is_open(half)]
            ) and time.monotonic() < begun + MAX_SECONDS + 15:
                time.sleep(0.5)
            assert halves == []
            assert ann.get("/api/me").status_code == 200
        assert httpx.get(f"http://127.0.0.1:{port}/api/me").status_code == 200


def is_open(half: socket.socket) -> bool:
    """Return whether the other side has the connection open; close it."""
    half.setblocking(False)
    try:
        while half.recv(1000):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    half.close()
    return False


@pytest.mark.slow
def test_second_request_on_a_connection_must_come_whole_too(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as (_, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(b"GET /api/me HTTP/1.1\r\nhost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}"):
                answer += half.recv(10_000)
            assert answer.startswith(b"HTTP/1.1 200")
            half.sendall(b"GET /api/me HT")
            half.settimeout(MAX_SECONDS + 15)
            with suppress(ConnectionError):
                assert half.recv(10_000) == b""


@pytest.mark.parametrize(
    ("options", "is_secure"),
    [(("--proxy", "127.0.0.1"), True), (("--proxy", "203.0.113.1"), False), *slowly(((), False))],
)
def test_word_of_a_proxy_is_taken_if_it_is_named(tmp_path: Path, options: tuple[str, ...], is_secure: bool) -> None:
    said = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
    with serving(tmp_path / "games.db", *options) as (_, address):
        assert ("Secure" in httpx.get(f"{address}api/me", headers=said).headers["set-cookie"]) is is_secure


@pytest.mark.slow
def test_warning_is_given_where_the_server_is_public(tmp_path: Path) -> None:
    for options, is_warned in (
        ((), False),
        (("--host", "0.0.0.0"), True),
        (("--host", "0.0.0.0", "--proxy", "::1"), False),
    ):
        with serving(tmp_path / "games.db", *options) as (process, _):
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=20)
            assert ("everyone who can reach this machine can play here" in err) is is_warned
            assert err.count("\n") == is_warned
