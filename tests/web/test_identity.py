"""People are kept apart, and known by nothing but a cookie that this server has signed."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from komi.web.identity import network_of

from playing import Visitor


def owner(visitor: Visitor) -> str:
    return visitor.client.cookies["komi"].partition(".")[0]


def test_cookie_is_out_of_reach_of_scripts_and_other_sites(servers: Any) -> None:
    cookie = servers().visitor().client.get("/api/me").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_cookie_is_given_once(servers: Any) -> None:
    ann = servers().visitor()
    assert "set-cookie" in ann.client.get("/api/me").headers
    assert "set-cookie" not in ann.client.get("/api/me").headers
    assert "set-cookie" not in ann.client.get("/api/catalog").headers


def test_page_gives_the_cookie_before_its_scripts_ask_for_anything(servers: Any) -> None:
    ann = servers().visitor()
    assert "set-cookie" in ann.client.get("/").headers
    assert "set-cookie" not in ann.client.get("/api/me").headers


def test_addresses_of_one_ipv6_network_are_one() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1%eth0") != network_of("2001:db8:0:1::1")
    assert network_of("192.0.2.1") == network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("testclient") == "testclient"


def test_forged_cookie_is_a_new_person(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    ann.request("PUT", "/me", json={"name": "Ann"})
    known = ann.client.cookies["komi"]
    for forged in (known[:-9] + "A" * 9, owner(ann), f"{owner(ann)}.", known.replace(owner(ann), "0" * 32), "x" * 5000):
        eve = server.visitor({"komi": forged})
        response = eve.client.get("/api/me")
        assert response.json()["name"] is None
        assert "set-cookie" in response.headers


def test_cookies_of_other_servers_on_this_machine_are_ignored(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    ann.request("PUT", "/me", json={"name": "Ann"})
    others = f'settings={{"a": [1, "x"]}}; bad name=1; ;=; komi={ann.client.cookies["komi"]}; z="'
    assert server.visitor().request("GET", "/me", headers={"cookie": others})[1] == {"name": "Ann"}


def test_first_requests_at_once_make_one_person(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    ann.get("/me")
    tabs = [server.visitor(ann.client.cookies) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda tab: tab.request("PUT", "/me", json={"name": "Ann"}), tabs))
    assert answers == [(200, {"name": "Ann"})] * 8


def test_cookie_is_still_good_after_a_restart(servers: Any) -> None:
    ann = servers().visitor()
    ann.request("PUT", "/me", json={"name": "Ann"})
    assert servers().visitor(ann.client.cookies).get("/me") == {"name": "Ann"}


def test_name_is_kept_as_it_is_and_bounded(servers: Any) -> None:
    ann = servers().visitor()
    for name in ("Zoë", "<b>Bobby</b>'); DROP TABLE people;--", "=1+1", "🐷" * 40):
        assert ann.request("PUT", "/me", json={"name": name}) == (200, {"name": name})
    for name in ("x" * 41, 5, "a\x00b", "line\nbreak", "\ud800"):
        content = json.dumps({"name": name})
        status, answer = ann.request("PUT", "/me", content=content, headers={"content-type": "application/json"})
        assert (status, list(answer)) == (422, ["error"])
    assert ann.request("PUT", "/me", json={"name": "  "})[1]["name"] is None


def test_another_persons_game_is_not_there(servers: Any) -> None:
    server = servers()
    ann, eve = server.visitor(), server.visitor()
    game = ann.begin()
    for path in ("", "/hint", "/review", "/surface"):
        status, answer = eve.request("GET", f"/games/{game['id']}{path}")
        assert (status, answer) == (404, {"error": "There is no such game."})
    assert eve.move(game, "draw") == (404, {"error": "There is no such game."})
    assert eve.get("/games")["games"] == []
    assert ann.get(f"/games/{game['id']}") == game


def test_another_persons_commitment_is_not_there(servers: Any) -> None:
    server = servers()
    ann, eve = server.visitor(), server.visitor()
    request = ann.game_request()
    assert eve.request("POST", "/games", json=request)[0] == 404
    ann.request("POST", "/games", json=request)
    assert eve.request("POST", "/games", json=request)[0] == 404


def test_forgetting_deletes_everything(servers: Any) -> None:
    server = servers()
    ann, bob = server.visitor(), server.visitor()
    ann.request("PUT", "/me", json={"name": "Ann"})
    gone, stays = ann.moved(ann.begin(), "draw"), bob.begin()
    cookies = dict(ann.client.cookies)
    assert ann.request("DELETE", "/me", headers={"content-type": "application/json"}) == (200, {"done": True})
    assert ann.client.cookies["komi"] != cookies["komi"]
    before = server.visitor(cookies)  # a copy of the cookie brings nothing back
    nothing = {"name": None, "signs_in_as": None, "since": None, "study": None}
    lists: dict[str, list[Any]] = {key: [] for key in ("rooms", "taught", "puzzles", "tables", "games")}
    assert before.get("/export.json") == {**nothing, **lists}
    assert before.request("GET", f"/games/{gone['id']}")[0] == 404
    assert before.move(gone, "draw")[0] == 404
    with server.app.state.services.database.reading() as session:
        tables = ("people", "games", "entries")
        left = [session.connection().exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() for table in tables]
    assert left == [1, 1, 0]
    assert bob.get(f"/games/{stays['id']}") == stays


def test_cookie_is_for_https_alone_where_that_is_how_it_was_requested(servers: Any) -> None:
    server = servers()
    assert "Secure" not in server.visitor().client.get("/api/me").headers["set-cookie"]
    assert "Secure" in server.visitor().client.get("https://localhost/api/me").headers["set-cookie"]
