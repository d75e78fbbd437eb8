"""A finished game is shown, read-only, to people who have its secret, until it is withdrawn."""

from typing import Any

import pytest

from playing import Server, Visitor


@pytest.fixture
def ann(server: Server) -> Visitor:
    return server.visitor()


@pytest.fixture
def eve(server: Server) -> Visitor:
    return server.visitor()


def finished(visitor: Visitor) -> Any:
    return visitor.play_on(visitor.begin("piglet", rules={"goal": 2}))


def shared(visitor: Visitor, game: Any) -> str:
    status, answer = visitor.request("POST", f"/games/{game['id']}/share", json={})
    assert status == 200, answer
    return str(answer["secret"])


def test_a_person_with_the_secret_sees_what_the_player_saw(ann: Visitor, eve: Visitor) -> None:
    game = finished(ann)
    secret = shared(ann, game)
    assert len(secret) == 32
    assert secret != game["id"]
    assert eve.get(f"/shared/{secret}") == ann.get(f"/games/{game['id']}")
    assert shared(ann, game) == secret


def test_link_gives_no_right_to_the_game(ann: Visitor, eve: Visitor) -> None:
    game = finished(ann)
    secret = shared(ann, game)
    for address in (game["id"], secret):
        assert eve.request("GET", f"/games/{address}")[0] == 404
        assert eve.request("POST", f"/games/{address}/moves", json={"number": 0, "move": "flip"})[0] == 404
        assert eve.request("DELETE", f"/games/{address}", json={})[0] == 404
        assert eve.request("DELETE", f"/games/{address}/share", json={})[0] == 404
    assert eve.request("POST", f"/games/{game['id']}/share", json={})[0] == 404
    assert eve.get(f"/shared/{secret}")["id"] == game["id"]


def test_secret_that_was_withdrawn_leads_nowhere_and_the_next_is_another(ann: Visitor, eve: Visitor) -> None:
    game = finished(ann)
    secret = shared(ann, game)
    assert ann.request("DELETE", f"/games/{game['id']}/share", json={}) == (200, {"done": True})
    status, answer = eve.request("GET", f"/shared/{secret}")
    assert (status, answer["error"]) == (
        404,
        "There is no shared game at this address; its link may have been withdrawn.",
    )
    assert eve.request("GET", f"/shared/{secret}/review")[0] == 404
    assert shared(ann, game) != secret


def test_unfinished_game_is_not_shared(ann: Visitor) -> None:
    game = ann.begin("piglet")
    status, answer = ann.request("POST", f"/games/{game['id']}/share", json={})
    assert (status, answer["error"]) == (409, "A game can be shared when it is over.")


def test_shared_games_go_when_their_player_deletes_everything(ann: Visitor, eve: Visitor) -> None:
    secret = shared(ann, finished(ann))
    assert ann.request("DELETE", "/me", json={})[0] == 200
    assert eve.request("GET", f"/shared/{secret}")[0] == 404
