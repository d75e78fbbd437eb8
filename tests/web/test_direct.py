"""Requests of the endpoints that a game calls again and again are answered without FastAPI, and in the same way."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from komi.web.direct import DirectMiddleware

from playing import Server, Visitor


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        yield server


@pytest.fixture
def passed_on(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of requests that FastAPI answers."""
    paths: list[str] = []
    init = DirectMiddleware.__init__

    def noting(self: DirectMiddleware, app: Any, *rest: Any, **more: Any) -> None:
        async def noted(scope: Any, receive: Any, send: Any) -> None:
            paths.append(scope.get("path", ""))
            await app(scope, receive, send)

        init(self, noted, *rest, **more)

    monkeypatch.setattr(DirectMiddleware, "__init__", noting)
    return paths


def through_fastapi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komi.web.direct.GAME_PATH", re.compile("nothing"))


def test_moves_states_and_news_take_the_direct_way(passed_on: list[str], server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("piglet")
    passed_on.clear()
    game = ann.moved(game, game["actions"][0]["label"])
    assert ann.get(f"/games/{game['id']}") == game
    assert ann.get(f"/games/{game['id']}/news")["number"] == game["number"]
    assert passed_on == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/games/{id}/moves", b'{"number": 0, "move": "no such move"}'),
        ("POST", "/games/{id}/moves", b'{"number": 99, "move": "flip"}'),
        ("POST", "/games/{id}/moves", b'{"number": -1, "move": "flip"}'),
        ("POST", "/games/{id}/moves", b'{"number": "0", "move": "flip"}'),
        ("POST", "/games/{id}/moves", b'{"number": 0, "move": "flip", "extra": 1}'),
        ("POST", "/games/{id}/moves", b'{"number": 0'),
        ("POST", "/games/{id}/moves", b"[]"),
        ("POST", "/games/{id}/moves", b""),
        ("POST", "/games/{id}/moves", b'{"number": 0, "move": "' + b"x" * 20_000 + b'"}'),
        ("GET", "/games/{id}/moves", None),
        ("GET", "/games/" + "0" * 32, None),
        ("GET", "/games/nonsense/news", None),
        ("DELETE", "/games/{id}", b"{}"),
    ],
)
def test_refusals_are_those_of_fastapi(
    server: Server, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: bytes | None
) -> None:
    answers = []
    for _ in range(2):
        ann = server.visitor()
        game = ann.begin("piglet")
        headers = {"content-type": "application/json"}
        status, answer = ann.request(method, path.format(id=game["id"]), content=body, headers=headers)
        answers.append((status, answer.get("error"), "game" in answer))
        through_fastapi(monkeypatch)
    assert answers[0] == answers[1]


def test_a_body_in_pieces_is_one_body(server: Server) -> None:
    ann: Visitor = server.visitor()
    game = ann.begin("piglet")
    text = json.dumps({"number": game["number"], "move": game["actions"][0]["label"]}).encode()
    headers = {"content-type": "application/json"}
    pieces = iter([text[:5], text[5:]])
    status, _ = ann.request("POST", f"/games/{game['id']}/moves", content=pieces, headers=headers)
    assert status == 200


def test_a_stranger_finds_no_game(server: Server) -> None:
    game = server.visitor().begin("piglet")
    assert server.visitor().request("GET", f"/games/{game['id']}")[0] == 404
