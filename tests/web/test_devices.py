"""A code of six words, valid once and for ten minutes, makes another device the same person."""

import re
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from komi.web import device_codes
from komi.web.database import Database
from komi.web.game_service import get_or_create_person
from komi.web.housekeeping import remove_unused
from komi.web.rate_limits import CODES
from komi.web.records import DeviceCode, now

from playing import Server, Visitor, invite, join, play_out

INVALID = (404, {"error": device_codes.INVALID})


def code_of(person: Visitor) -> str:
    status, answer = person.request("POST", "/devices", json={})
    assert status == 201, answer
    return " ".join(answer["words"])


def become(device: Visitor, code: str) -> tuple[int, Any]:
    return device.request("POST", "/devices/join", json={"code": code})


def database_of(server: Server) -> Database:
    database: Database = server.app.state.services.database
    return database


def test_another_device_becomes_the_same_person_and_brings_its_games(servers: Any) -> None:
    server = servers()
    desk, phone = server.visitor(), server.visitor()
    desk.request("PUT", "/me", json={"name": "Ann"})
    games = [desk.begin("piglet"), phone.begin("piglet")]
    code = code_of(desk)
    assert phone.request("POST", "/devices/find", json={"code": code})[1] == {"name": "Ann", "games": 1}
    assert desk.get("/devices") == {"waiting": True}
    assert become(phone, code.upper().replace(" ", " - ")) == (200, {"done": True})
    assert desk.get("/devices") == {"waiting": False}
    assert phone.client.cookies["komi"] == desk.client.cookies["komi"]
    for device in (desk, phone):
        assert device.get("/me") == {"name": "Ann"}
        assert {game["id"] for game in device.get("/games")["games"]} == {game["id"] for game in games}
        for game in games:
            assert device.get(f"/games/{game['id']}") == game
    phone.moved(games[0], "flip")
    desk.moved(games[1], "flip")
    assert become(server.visitor(), code) == INVALID  # it was used


def test_code_is_six_words_and_a_link_whose_server_never_sees_it(server: Server) -> None:
    answer = server.visitor().request("POST", "/devices", json={})[1]
    assert len(answer["words"]) == 6
    assert all(re.fullmatch("[bdfghjklmnprstvz][aiou]" * 2 + "[bdfghjklmnprstvz]", word) for word in answer["words"])
    assert answer["link"] == f"http://localhost/#/device/{'-'.join(answer['words'])}"
    assert (answer["qr"][:19], answer["seconds"]) == ("data:image/svg+xml;", 600)


def test_code_ends_after_ten_minutes_with_a_newer_one_and_when_it_is_withdrawn(servers: Any) -> None:
    server = servers()
    ann, eve = server.visitor(), server.visitor()
    first, second = code_of(ann), code_of(ann)
    assert become(eve, first) == INVALID
    ann.request("DELETE", "/devices", json={})
    assert become(eve, second) == INVALID
    third = code_of(ann)
    database = database_of(server)
    with database.writing() as session:
        session.execute(update(DeviceCode).values(since=now() - timedelta(minutes=10)))
    for path in ("/devices/find", "/devices/join"):
        assert eve.request("POST", path, json={"code": third}) == INVALID
    remove_unused(database)
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM device_codes")) == 0


def test_database_holds_no_code(server: Server) -> None:
    code = code_of(server.visitor())
    with database_of(server).reading() as session:
        (kept,) = session.execute(text("SELECT hash FROM device_codes")).scalars()
    assert not any(word in kept for word in code.split())


def test_own_code_is_for_another_device(server: Server) -> None:
    ann = server.visitor()
    status, answer = become(ann, code_of(ann))
    assert (status, answer["error"]) == (409, "This is your own code: enter it on the other device.")


def test_codes_are_tried_slowly(server: Server) -> None:
    eve = server.visitor()
    statuses = [become(eve, "babab " * 6)[0] for _ in range(CODES.person.at_once + 5)]
    assert statuses.count(404) <= CODES.person.at_once + 1
    assert statuses[-1] == 429


def test_game_against_oneself_is_left_and_a_running_one_comes_first(servers: Any) -> None:
    server = servers()
    desk, phone = server.visitor(), server.visitor()
    running = invite(desk, goal=1)
    join(phone, running)
    waiting = invite(phone, "pig", players=3)
    join(desk, waiting)
    refused = "Both devices have a seat at one table: end that game, or close the table, first."
    assert become(phone, code_of(desk))[1] == {"error": refused}
    play_out([desk, phone], running["id"])
    assert become(phone, code_of(desk))[1] == {"error": refused}
    phone.request("DELETE", f"/invitations/{waiting['id']}", json={})
    before = desk.get(f"/games/{running['id']}")
    assert become(phone, code_of(desk))[0] == 200
    after = phone.get(f"/games/{running['id']}")
    assert after["names"] == ["Player 1", "Deleted player"]
    assert after | {"names": before["names"]} == before


def test_seats_and_tables_move(servers: Any) -> None:
    server = servers()
    desk, phone, bob = server.visitor(), server.visitor(), server.visitor()
    played, waiting = invite(phone, goal=1), invite(phone, "pig", players=3)
    join(bob, played)
    assert become(phone, code_of(desk))[0] == 200
    assert [table["id"] for table in desk.get("/invitations")["invitations"]] == [waiting["id"]]
    play_out([desk, bob], played["id"])
    assert desk.get(f"/games/{played['id']}")["result"]
    assert server.visitor().get(f"/watch/{played['watch']}")["result"]


def test_game_is_found_where_another_server_had_it_in_memory(servers: Any) -> None:
    one, other = servers(), servers()
    desk, phone = one.visitor(), one.visitor()
    game = phone.begin("piglet")
    there = other.visitor(phone.client.cookies)
    assert there.get(f"/games/{game['id']}")["id"] == game["id"]
    assert become(phone, code_of(desk))[0] == 200
    assert other.visitor(phone.client.cookies).get(f"/games/{game['id']}") == game
    assert other.visitor().request("GET", f"/games/{game['id']}")[0] == 404


@pytest.mark.parametrize(("left", "joined", "agreed"), [(True, True, True), (None, True, True), (False, True, False)])
def test_only_those_who_both_agree_are_studied(server: Server, left: Any, joined: Any, agreed: bool) -> None:
    desk, phone = server.visitor(), server.visitor()
    for device, answer in ((phone, left), (desk, joined)):
        if answer is not None:
            device.request("PUT", "/consent", json={"agreed": answer})
    earlier = phone.begin("piglet", rules={"goal": 1})
    assert become(phone, code_of(desk))[0] == 200
    assert desk.get("/consent")["agreed"] is agreed
    with database_of(server).reading() as session:
        person = get_or_create_person(session, desk.client.cookies["komi"].partition(".")[0])
        if left is None:  # games from before the question are not part of the study
            assert person.consented_at is not None
            assert person.consented_at > now() - timedelta(minutes=1)
            assert earlier["id"] in {game["id"] for game in desk.get("/games")["games"]}


def test_answers_to_puzzles_move_and_the_first_one_counts(server: Server) -> None:
    desk, phone = server.visitor(), server.visitor()
    for device in (desk, phone):
        device.request("PUT", "/me", json={"name": "Ann"})
    people = [device.client.cookies["komi"].partition(".")[0] for device in (desk, phone)]
    rows = [(people[0], "1", "hold"), (people[1], "1", "roll"), (people[1], "2", "roll")]
    insert = text('INSERT INTO puzzle_answers (person, game, day, label, "right") VALUES (:p, :g, :d, :l, :r)')
    with database_of(server).writing() as session:
        for person, day, label in rows:
            session.execute(insert, {"p": person, "g": "pig", "d": day, "l": label, "r": True})
    assert become(phone, code_of(desk))[0] == 200
    with database_of(server).reading() as session:
        left = session.execute(text("SELECT person, day, label FROM puzzle_answers ORDER BY day")).all()
    assert [tuple(row) for row in left] == [(people[0], "1", "hold"), (people[0], "2", "roll")]


def test_leaving_makes_the_browser_a_new_person_and_keeps_the_data(server: Server) -> None:
    desk, phone = server.visitor(), server.visitor()
    desk.request("PUT", "/me", json={"name": "Ann"})
    assert become(phone, code_of(desk))[0] == 200
    assert phone.request("POST", "/me/leave", json={}) == (200, {"done": True})
    assert phone.get("/me") == {"name": None}
    assert desk.get("/me") == {"name": "Ann"}
