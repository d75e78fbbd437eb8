"""A finished game is shown, read-only, to people who have its secret, until it is withdrawn."""

from threading import Thread
from typing import Any

import pytest

from komi.web import game_views, preview

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


def test_log_is_whole_when_two_people_look_at_once(
    server: Server, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished(ann)
    secret, services, line = shared(ann, game), server.app.state.services, game_views._line
    other = Thread(target=lambda: services.game_service.view_for(services.sharing.find(secret)))

    def interrupted(*given: Any) -> Any:
        if other.ident is None:
            other.start()
            other.join(0.5)
        return line(*given)

    services.game_cache._cached.clear()
    monkeypatch.setattr(game_views, "_line", interrupted)
    assert len(ann.get(f"/shared/{secret}")["log"]) == game["number"]
    other.join()
    assert len(ann.get(f"/shared/{secret}")["log"]) == game["number"]


@pytest.mark.skipif(not preview.can_draw(), reason="matplotlib is not installed")
def test_picture_shows_names_as_they_are(ann: Visitor, eve: Visitor) -> None:
    names = ["$\\foo$", "Bob"]
    game = ann.play_on(ann.begin("piglet", opponent=None, seat="first", rules={"goal": 1}, names=names))
    assert eve.client.get(f"/shared/{shared(ann, game)}.png").status_code == 200
