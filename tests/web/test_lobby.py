"""Open tables are in the lobby while their host is there; anyone joins or watches them, and says what is fit to say."""

import secrets
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from komi.web.lobby import PRESENT, Presence
from komi.web.phrases import SHOWN
from komi.web.rate_limits import PHRASES
from komi.web.records import SeatedPlayer, now

from playing import Server, Visitor, invite, join


def open_table(host: Visitor, game: str = "piglet", **more: Any) -> Any:
    commitment = host.request("POST", "/commitments", json={})[1]["commitment"]
    body = {"game": game, "commitment": commitment, "number": secrets.token_hex(16), "seat": "first", "open": True}
    status, table = host.request("POST", "/invitations", json=body | more)
    assert status == 201, table
    host.get(f"/invitations/{table['id']}")  # as its page does again and again
    return table


def test_open_table_is_listed_until_it_is_full_and_then_watched(servers: Any) -> None:
    server = servers()
    ann, bob, eve = server.visitor(), server.visitor(), server.visitor()
    ann.request("PUT", "/me", json={"name": "Ann"})
    invite(ann)  # not an open one
    table = open_table(ann, clock={"minutes": 5, "seconds": 0}, rules={"goal": 3})
    (listed,) = eve.get("/lobby")["waiting"]
    assert (listed["id"], listed["names"], listed["seated"]) == (table["id"], ["Ann"], False)
    assert (listed["rules"]["goal"], listed["clock"]) == (3, {"minutes": 5, "seconds": 0})
    assert ann.get("/lobby")["waiting"][0]["seated"]
    assert join(bob, table)[1]["begun"]
    lobby = eve.get("/lobby")
    (running,) = lobby["running"]
    assert (lobby["waiting"], running["names"]) == ([], ["Ann", "Player 2"])
    assert eve.get(f"/watch/{running['watch']}")["actions"] == []
    bob.request("POST", f"/games/{table['id']}/resign", json={})
    assert eve.get("/lobby") == {"waiting": [], "running": []}


def test_lobby_names_no_ids_of_people_and_no_game_with_hidden_cards(server: Server) -> None:
    ann, bob, eve = server.visitor(), server.visitor(), server.visitor()
    table = open_table(ann, "red7", rules={"players": 2})
    people = [one.client.cookies["komi"].partition(".")[0] for one in (ann, bob) if one.get("/me")]
    assert not any(person in str(eve.get("/lobby")) for person in people)
    assert join(bob, table)[1]["begun"]
    assert eve.get("/lobby") == {"waiting": [], "running": []}


def test_host_who_has_left_is_not_listed() -> None:
    moment = 0.0
    presence = Presence(lambda: moment)
    presence.note("a")
    moment = PRESENT / 2
    presence.note("b")
    assert presence.present() == ["a", "b"]
    moment = PRESENT + 1
    assert presence.present() == ["b"]


def test_players_say_phrases_that_last_a_minute(servers: Any) -> None:
    server = servers()
    ann, bob, eve = server.visitor(), server.visitor(), server.visitor()
    table = invite(ann)
    join(bob, table)
    address = f"/games/{table['id']}"
    for phrase in ("hello", "thanks"):
        assert ann.request("POST", f"{address}/phrases", json={"phrase": phrase}) == (200, {"done": True})
    said = bob.get(f"{address}/news")["phrases"]
    assert [(each["seat"], each["phrase"]) for each in said] == [(0, "thanks")]
    assert bob.request("POST", f"{address}/phrases", json={"phrase": "You fool"})[0] == 422
    assert eve.request("POST", f"{address}/phrases", json={"phrase": "hello"})[0] == 404
    bob.request("POST", f"{address}/resign", json={})
    assert ann.get(f"{address}/rematch")["phrases"] == said
    with server.app.state.services.database.writing() as session:
        session.execute(update(SeatedPlayer).values(said=now() - SHOWN - timedelta(seconds=1)))
    assert bob.get(f"{address}/news")["phrases"] == []


@pytest.mark.parametrize("others", [True, False])
def test_phrases_are_few_and_for_others(server: Server, others: bool) -> None:
    ann, bob = server.visitor(), server.visitor()
    table = invite(ann) if others else ann.begin("piglet")
    if others:
        join(bob, table)
    say = ("POST", f"/games/{table['id']}/phrases")
    statuses = [ann.request(*say, json={"phrase": "hello"})[0] for _ in range(PHRASES.person.at_once + 2)]
    assert statuses[0] == (200 if others else 409)
    assert statuses[-1] == 429
