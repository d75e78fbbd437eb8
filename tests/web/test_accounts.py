"""A name and a password, for those who want them, make another device the same person."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from komi.web import accounts
from komi.web.database import Database
from komi.web.housekeeping import remove_unused
from komi.web.responses import ApiError

from playing import Server, Visitor, invite, join

NAME, PASSWORD = "Ann", "correct horse"
SIGN_IN = {"name": NAME, "password": PASSWORD}
WRONG = (403, {"error": accounts.WRONG})


def account(server: Server, **more: str) -> Visitor:
    person = server.visitor()
    assert person.request("PUT", "/account", json=SIGN_IN | more) == (200, {"name": more.get("name", NAME)})
    return person


def sign_in(device: Visitor, name: str = NAME, password: str = PASSWORD) -> tuple[int, Any]:
    return device.request("POST", "/account/sign-in", json={"name": name, "password": password})


def remove(device: Visitor, password: str) -> tuple[int, Any]:
    return device.request("DELETE", "/account", json={"password": password})


def database_of(server: Server) -> Database:
    database: Database = server.app.state.services.database
    return database


def test_name_and_password_make_another_device_the_same_person(servers: Any) -> None:
    server = servers()
    desk, phone = account(server), server.visitor()
    games = [desk.begin("piglet"), phone.begin("piglet")]
    assert sign_in(phone, " \uff21NN", PASSWORD) == (200, {"done": True})  # capitals, spaces and widths do not count
    assert phone.client.cookies["komi"] == desk.client.cookies["komi"]
    assert {game["id"] for game in phone.get("/games")["games"]} == {game["id"] for game in games}
    assert phone.get("/account") == {"name": NAME}
    assert sign_in(phone) == (200, {"done": True})  # again


def test_wrong_password_and_unknown_name_have_one_response(server: Server) -> None:
    account(server)
    eve = server.visitor()
    assert sign_in(eve, password=PASSWORD.upper()) == sign_in(eve, name="Bob") == sign_in(eve, password="") == WRONG
    assert eve.get("/games")["games"] == []


def test_unknown_name_costs_the_same_work(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    account(server)
    verified: list[str] = []
    hasher = server.app.state.services.accounts._hasher
    verify = type(hasher).verify
    monkeypatch.setattr(type(hasher), "verify", lambda self, *given: verified.append(given[0]) or verify(self, *given))
    eve = server.visitor()
    sign_in(eve, password="wrong password")
    sign_in(eve, name="Bob")
    known, unknown = (each.rpartition("$")[0].rpartition("$")[0] for each in verified)
    assert known == unknown  # the parameters of Argon2


def test_database_and_export_hold_no_password(server: Server) -> None:
    ann = account(server)
    with database_of(server).reading() as session:
        row = session.execute(text("SELECT * FROM accounts")).one()
    assert row.hash.startswith("$argon2id$")
    exported = ann.client.get("/api/export.json").text
    assert ann.get("/export.json")["signs_in_as"] == NAME
    assert not any(secret in exported for secret in (row.hash, "argon2", PASSWORD))
    assert PASSWORD not in str(row)


def test_change_requires_the_present_password(server: Server) -> None:
    ann, phone = account(server), server.visitor()
    change = {"name": "Anna", "password": "another horse"}
    for present in ({}, {"present": "wrong"}):
        refused = ann.request("PUT", "/account", json=change | present)
        assert refused == (403, {"error": accounts.WRONG_PASSWORD})
    assert remove(ann, "wrong")[0] == 403
    assert ann.request("PUT", "/account", json=change | {"present": PASSWORD}) == (200, {"name": "Anna"})
    assert sign_in(phone) == WRONG
    assert sign_in(phone, "Anna", "another horse")[0] == 200
    assert remove(phone, "another horse") == (200, {"done": True})
    assert ann.get("/account") == {"name": None}
    assert sign_in(server.visitor(), "Anna", "another horse") == WRONG


def test_name_belongs_to_one_person(servers: Any) -> None:
    server = servers()
    account(server)
    bob = server.visitor()
    assert bob.request("PUT", "/account", json=SIGN_IN | {"name": "ANN"}) == (409, {"error": accounts.TAKEN})
    with ThreadPoolExecutor(3) as pool:
        answers = list(
            pool.map(lambda _: server.visitor().request("PUT", "/account", json=SIGN_IN | {"name": "Eve"})[0], "abc")
        )
    assert sorted(answers) == [200, 409, 409]


@pytest.mark.parametrize("password", ["", "short", "x" * 201, "\ud800" * 10, 5, "Annabella"])
def test_password_is_refused_without_being_quoted(server: Server, password: Any) -> None:
    ann = server.visitor()
    content = json.dumps({"name": "annabella", "password": password if password != "Annabella" else "ANNABELLA"})
    sent = ann.request("PUT", "/account", content=content, headers={"content-type": "application/json"})
    assert sent[0] == 422
    assert not password or str(password) not in sent[1]["error"]


def test_two_accounts_do_not_become_one(server: Server) -> None:
    account(server)
    bob = account(server, name="Bob")
    assert sign_in(bob)[0] == 409
    assert bob.get("/account") == {"name": "Bob"}


def test_account_moves_with_a_device_that_joins_by_a_code(server: Server) -> None:
    ann, phone = account(server), server.visitor()
    code = "-".join(phone.request("POST", "/devices", json={})[1]["words"])
    assert ann.request("POST", "/devices/join", json={"code": code})[0] == 200
    assert phone.get("/account") == {"name": NAME}
    assert sign_in(server.visitor())[0] == 200


def test_deleting_everything_deletes_the_account(server: Server) -> None:
    ann = account(server)
    ann.request("DELETE", "/me", headers={"content-type": "application/json"})
    with database_of(server).reading() as session:
        assert session.scalar(text("SELECT count(*) FROM accounts")) == 0
    assert sign_in(server.visitor()) == WRONG


def test_person_with_an_account_is_removed_after_thirty_days_without_a_game(server: Server) -> None:
    account(server)
    left = []
    for days in (2, 31):
        with database_of(server).writing() as session:
            session.execute(text(f"UPDATE people SET since = datetime('now', '-{days} days')"))
        remove_unused(database_of(server))
        with database_of(server).reading() as session:
            left.append(session.scalar(text("SELECT count(*) FROM accounts")))
    assert left == [1, 0]


def test_attempts_are_limited_and_strangers_cannot_lock_out_the_owner(server: Server) -> None:
    service = server.app.state.services.accounts
    key = accounts.login_of(NAME)
    service._remember(key, "home")
    for stranger in range(accounts.NAME.at_once):  # many addresses, one attempt each
        service._count_attempt(key, f"stranger {stranger}")
    with pytest.raises(ApiError, match=accounts.OFTEN):
        service._count_attempt(key, "another stranger")
    service._count_attempt(key, "home")
    service._count_attempt(key, "abroad", is_owner=True)  # with the cookie and the present password
    service._count_attempt("bob", "another stranger")
    eve = server.visitor()
    statuses = [sign_in(eve, "Bob", "wrong password")[0] for _ in range(accounts.PAIR.at_once + 1)]
    assert statuses == [403] * accounts.PAIR.at_once + [429]


def test_hashes_wait_in_one_thread_and_the_server_answers_meanwhile(server: Server) -> None:
    service = server.app.state.services.accounts
    running: list[int] = []

    def slowly(_: object) -> int:
        running.append(1)
        time.sleep(0.02)
        assert running.pop() == 1
        assert not running
        return 1

    async def crowd() -> tuple[int, int]:
        tasks = [service._in_turn(str(number % 20), slowly, None) for number in range(120)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [each for each in results if isinstance(each, ApiError)]
        assert all(each.status_code == 503 for each in refused)
        return results.count(1), len(refused)

    with ThreadPoolExecutor(1) as outside:  # of the event loop of a browser
        counts = outside.submit(asyncio.run, crowd()).result()
    assert counts == (accounts.MAX_WAITING, 120 - accounts.MAX_WAITING)
    assert not service._waiting


def test_name_that_no_account_can_have_is_refused(servers: Any) -> None:
    status, answer = sign_in(servers().visitor(), "a\x00b")
    assert (status, answer["error"]) == (
        422,
        "The field 'name': a name is one line of visible letters, digits and signs.",
    )


@pytest.mark.parametrize(("path", "move"), [("", ""), ("/news", ""), ("/moves", "flip"), ("/moves", "no such move")])
def test_device_is_signed_out_where_another_server_has_its_games_in_memory(servers: Any, path: str, move: str) -> None:
    one, other = servers(), servers()
    ann, bob = one.visitor(), one.visitor()
    table = invite(ann)
    join(bob, table)
    for person in (ann, bob):
        lost, game = other.visitor(person.client.cookies), f"/games/{table['id']}"
        body = {"json": {"number": lost.get(game)["number"], "move": move}} if move else {}
        person.request("POST", "/devices/sign-out-others", json={})
        status, answer = lost.request("POST" if body else "GET", game + path, **body)
        assert (status, answer) == (404, {"error": "There is no such game."})
        assert person.get(game)["number"] == 0


def test_all_other_devices_are_signed_out_at_once(servers: Any) -> None:
    server = servers()
    desk = account(server)
    desk.request("PUT", "/me", json={"name": "Ann"})
    desk.request("PUT", "/consent", json={"agreed": True})
    lost = server.visitor(desk.client.cookies)
    game = desk.begin("piglet")
    assert lost.get(f"/games/{game['id']}") == game
    code = "-".join(lost.request("POST", "/devices", json={})[1]["words"])
    assert desk.request("POST", "/devices/sign-out-others", json={}) == (200, {"done": True})
    assert lost.request("GET", f"/games/{game['id']}")[0] == 404
    assert lost.move(game, "flip")[0] == 404
    assert (lost.get("/me"), lost.get("/account")) == ({"name": None}, {"name": None})
    assert server.visitor().request("POST", "/devices/join", json={"code": code})[0] == 404
    assert desk.get("/me") == {"name": "Ann"}
    assert desk.get("/consent")["agreed"]
    desk.moved(game, "flip")
    assert sign_in(lost)[0] == 200  # who knows the password comes back
    assert lost.get("/me") == {"name": "Ann"}
