"""Clients that play against a server, in this process or in another."""

import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from komi.play.fairness import number_hash
from komi.web.app import create_app
from komi.web.database import Database

SERVE = [sys.executable, "-c", "from komi.cli import main; main()", "serve", "--no-open", "--no-warm"]
HERE = "http://localhost"
Json = dict[str, Any]


@dataclass
class Visitor:
    """A browser with its own cookies."""

    client: TestClient

    def request(self, method: str, path: str, **more: Any) -> tuple[int, Json]:
        """Send a request; return the status and the response."""
        response = self.client.request(method, f"/api{path}", **more)
        return response.status_code, response.json()

    def patiently(self, method: str, path: str, **more: Any) -> tuple[int, Json]:
        """Send a request again until the rate limit allows it; return the status and the response."""
        while True:
            status, answer = self.request(method, path, **more)
            if status != 429:
                return status, answer
            time.sleep(0.2)

    def get(self, path: str) -> Json:
        status, answer = self.patiently("GET", path)
        assert status == 200, answer
        return answer

    def begin(self, game: str = "red-light", opponent: str | None = "random", **more: Any) -> Json:
        """Start a game, as the page does."""
        status, answer = self.patiently("POST", "/games", json=self.game_request(game, opponent, **more))
        assert status == 201, answer
        return answer

    def game_request(self, game: str = "red-light", opponent: str | None = "random", **more: Any) -> Json:
        """Return the page's request for a new game."""
        commitment = self.patiently("POST", "/commitments", json={})[1]["commitment"]
        number = secrets.token_hex(16)
        return {"game": game, "opponent": opponent, "seat": "first", "commitment": commitment, "number": number} | more

    def move(self, game: Json, label: str, number: int | None = None) -> tuple[int, Json]:
        move = {"number": game["number"] if number is None else number, "move": label}
        return self.patiently("POST", f"/games/{game['id']}/moves", json=move)

    def moved(self, game: Json, label: str) -> Json:
        status, answer = self.move(game, label)
        assert status == 200, answer
        return answer

    def play_on(self, game: Json, most: int = 10_000) -> Json:
        """Play whole turns of the last legal action until the game is over."""
        while game["waiting"] == "action" and most:
            game, most = self.moved(game, game["actions"][-1]["label"]), most - 1
        return game


@dataclass
class Server:
    """A server, and a client in its event loop."""

    app: FastAPI
    inside: TestClient

    @classmethod
    @contextmanager
    def running(cls, address: str, **settings: Any) -> Iterator["Server"]:
        app = create_app(Database(address), **settings)
        with TestClient(app, base_url=HERE) as inside:
            yield cls(app, inside)

    def visitor(self, cookies: Any = None) -> Visitor:
        """Return a new browser; with another's cookies, the same person's second one."""
        return Visitor(TestClient(self.app, base_url=HERE, cookies=cookies))


@contextmanager
def serving(database: Path, *options: str) -> Iterator[tuple[Any, str]]:
    """Start `komi serve`; return the process and its address."""
    process = subprocess.Popen(
        [*SERVE, "--port", "0", "--database", f"sqlite:///{database}", *options],
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


def invite(host: Visitor, game: str = "piglet", seat: str = "first", clock: Any = None, **rules: Any) -> Any:
    """Create a table for others."""
    commitment = host.request("POST", "/commitments", json={})[1]["commitment"]
    body = {"game": game, "rules": rules, "seat": seat, "commitment": commitment, "number": secrets.token_hex(16)}
    body |= {} if clock is None else {"clock": clock}
    status, answer = host.request("POST", "/invitations", json=body)
    assert status == 201, answer
    assert host.request("POST", "/invitations", json=body) == (201, answer)  # sent again
    return answer | {"number": body["number"]}


def join(guest: Visitor, table: Any, number: str | None = None) -> tuple[int, Any]:
    """Take a seat."""
    return guest.request("POST", f"/invitations/{table['id']}/join", json={"number": number or secrets.token_hex(16)})


def commit(visitor: Visitor, number: str, table: Any) -> tuple[int, Any]:
    """Take a seat with the commitment to a number."""
    return visitor.request("POST", f"/invitations/{table['id']}/join", json={"number_hash": number_hash(number)})


def reveal(visitor: Visitor, number: str, table: Any) -> tuple[int, Any]:
    """Reveal the number, once all have committed to theirs."""
    return visitor.request("POST", f"/invitations/{table['id']}/reveal", json={"number": number})


def play_out(people: list[Visitor], game_id: str, most: int = 400) -> Any:
    """Play in turn, always the last legal action."""
    while most:
        game = people[0].get(f"/games/{game_id}")
        if game["result"]:
            return game
        mover = people[game["mover"]]
        view = mover.get(f"/games/{game_id}")
        labels = [action["label"] for action in view["actions"]]
        view = mover.moved(view, labels[-1] if view["state"].get("turn", 0) else labels[0])
        most -= 1
    raise AssertionError("the game does not end")
