"""A commitment is stored when a game begins, and begins one game."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from komi.play.fairness import Commitment
from komi.web import commitments
from komi.web.database import Database
from komi.web.housekeeping import UNUSED, remove_unused
from komi.web.records import Invitation, Person, UsedCommitment, now

from playing import Server, invite, serving

TABLES = ("people", "used_commitments", "games", "entries")
GONE = (404, {"error": "There is no such commitment: request a new one."})
PATIENCE = 60  # seconds


def rows(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES]


def test_nothing_is_stored_before_a_game_begins(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with serving(file) as (_, address):
        responses = [httpx.post(f"{address}api/commitments", json={}) for _ in range(40)]
        drawn = [each.json() for each in responses if each.status_code == 200]
        assert len({each["commitment"] for each in drawn}) == len({each["hash"] for each in drawn}) == len(drawn) > 20
        assert rows(file) == [0, 0, 0, 0]
        request = {"game": "piglet", "opponent": "random", "seat": "first", "number": "0" * 32}
        request |= {"commitment": drawn[0]["commitment"]}
        begun = httpx.post(f"{address}api/games", json=request, cookies=responses[0].cookies, timeout=PATIENCE).json()
        assert begun["fairness"]["hash"] == drawn[0]["hash"]
        assert rows(file) == [1, 1, 1, 0]


def test_seed_shown_after_the_game_is_the_one_committed_to(server: Server) -> None:
    ann = server.visitor()
    drawn = ann.request("POST", "/commitments", json={})[1]
    game = ann.play_on(ann.begin("piglet", rules={"goal": 2}, commitment=drawn["commitment"]))
    assert Commitment(bytes.fromhex(game["fairness"]["seed"])).hash == drawn["hash"]


def test_commitment_is_good_after_a_restart_and_on_another_server(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    drawn = ann.request("POST", "/commitments", json={})[1]
    server.inside.__exit__()
    again = servers().visitor(ann.client.cookies)
    game = again.begin("piglet", commitment=drawn["commitment"])
    assert (game["id"], game["fairness"]["hash"]) == (drawn["commitment"], drawn["hash"])


def test_commitment_begins_one_game_when_two_ask_at_once(servers: Any) -> None:
    one, other = servers(), servers()
    ann = one.visitor()
    request = ann.game_request("piglet")
    tabs = [server.visitor(ann.client.cookies) for server in (one, other, one, other)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda tab: tab.request("POST", "/games", json=request), tabs))
    assert answers == [answers[0]] * 4
    assert answers[0][0] == 201
    assert len(ann.get("/games")["games"]) == 1


def test_commitment_of_a_removed_game_begins_no_other(servers: Any) -> None:
    ann = servers().visitor()
    request = ann.game_request("piglet")
    game = ann.request("POST", "/games", json=request)[1]
    assert ann.request("DELETE", f"/games/{game['id']}", json={})[0] == 200
    assert ann.request("POST", "/games", json=request) == GONE


def test_published_seed_begins_no_game_though_its_person_was_forgotten(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    request = ann.game_request("piglet", rules={"goal": 2})
    game = ann.play_on(ann.request("POST", "/games", json=request)[1])
    assert game["fairness"]["seed"]
    before = server.visitor(dict(ann.client.cookies))
    assert ann.request("DELETE", "/me", headers={"content-type": "application/json"})[0] == 200
    assert before.request("POST", "/games", json=request) == GONE
    table = {name: request[name] for name in ("game", "rules", "seat", "commitment", "number")}
    assert before.request("POST", "/invitations", json=table) == GONE


def test_commitment_is_good_for_a_day(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = server.visitor()
    early, late = ann.game_request("piglet"), ann.game_request("piglet")
    issued = commitments.time.time()
    monkeypatch.setattr("komi.web.commitments.time.time", lambda: issued + 0.9 * commitments.VALID.total_seconds())
    assert ann.request("POST", "/games", json=early)[0] == 201
    monkeypatch.setattr("komi.web.commitments.time.time", lambda: issued + 1.1 * commitments.VALID.total_seconds())
    assert ann.request("POST", "/games", json=late) == GONE
    assert ann.request("POST", "/games", json=early)[0] == 201  # the game that it has begun


@pytest.mark.parametrize("place", [0, 9, 20, 31])
def test_changed_commitment_is_invalid(server: Server, place: int) -> None:
    ann = server.visitor()
    request = ann.game_request("piglet")
    drawn = request["commitment"]
    changed = drawn[:place] + f"{int(drawn[place], 16) ^ 1:x}" + drawn[place + 1 :]
    assert ann.request("POST", "/games", json=request | {"commitment": changed}) == GONE


def test_what_is_used_or_young_stays(servers: Any) -> None:
    server = servers()
    database: Database = server.app.state.services.database
    ann, bob = server.visitor(), server.visitor()
    game, table = ann.begin("piglet"), invite(bob)
    year, day = now() - timedelta(days=365), now() - timedelta(days=2)
    with database.writing() as session:
        session.get_one(UsedCommitment, table["id"]).since = year
        for person in session.query(Person):
            person.since = year
        session.add(Person(id="a" * 32, since=day))
        session.add(Person(id="b" * 32, since=day, name="Bea"))
        session.add(Person(id="c" * 32, since=year, name="Cem"))
        session.add(Person(id="d" * 32))
    remove_unused(database)
    with database.reading() as session:
        assert session.get(UsedCommitment, game["id"]) is not None
        assert session.get(UsedCommitment, table["id"]) is None
        assert {each.id[0] for each in session.query(Person) if len(set(each.id)) == 1} == {"b", "d"}
    assert ann.get(f"/games/{game['id']}") == game
    assert bob.get(f"/invitations/{table['id']}")["host"]
    with database.writing() as session:
        session.get_one(Invitation, table["id"]).since = now() - UNUSED - timedelta(days=1)
    remove_unused(database)
    assert bob.request("GET", f"/invitations/{table['id']}")[0] == 404
    assert ann.get(f"/games/{game['id']}") == game
