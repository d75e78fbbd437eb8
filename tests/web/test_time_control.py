"""Clocks at a table of friends: the server's time counts, whatever becomes of the network or of the server."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from komi.web import game_cache, live_game
from komi.web.game_settings import TimeControl

from playing import Server, Visitor, invite, join, play_out


class Time:
    """The server's time, which the test advances."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def passes(self, **much: float) -> None:
        self.moment += timedelta(**much)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    for module in (live_game, game_cache):
        monkeypatch.setattr(module, "now", time)
    monkeypatch.setattr("komi.web.invitations.now", time)
    return time


def table_of(people: list[Visitor], clock: dict[str, int] | None, **more: Any) -> Any:
    table = invite(people[0], clock=clock, **more)
    for guest in people[1:]:
        assert join(guest, table)[0] == 200
    return people[0].get(f"/games/{table['id']}")


def flip(person: Visitor, game_id: str) -> Any:
    view = person.get(f"/games/{game_id}")
    return person.moved(view, "hold" if view["state"]["turn"] else "flip")


def test_clock_runs_for_whose_turn_it_is_and_each_turn_adds_to_it(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], {"minutes": 1, "seconds": 5}, goal=9)
    assert game["clock"] == {"minutes": 1, "seconds": 5, "left": [60.0, 60.0]}
    time.passes(seconds=12)
    assert bob.get(f"/games/{game['id']}")["clock"]["left"] == [48.0, 60.0]
    game = flip(ann, game["id"])
    while game["mover"] == 0:
        game = flip(ann, game["id"])
    assert game["clock"]["left"] == [53.0, 60.0]
    time.passes(seconds=20)
    assert ann.get(f"/games/{game['id']}")["clock"]["left"] == [53.0, 40.0]


def test_whose_time_is_up_loses_though_no_one_looked_meanwhile(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], {"minutes": 1, "seconds": 0})
    time.passes(hours=3)
    status, answer = ann.move(game, "flip")
    assert (status, answer["error"]) == (422, "The game is over: 'flip' is no longer possible.")
    over = bob.get(f"/games/{game['id']}")
    assert (over["result"]["you"], over["result"]["resigned"], over["result"]["late"]) == ("won", 0, True)
    assert over["clock"]["left"] == [0.0, 60.0]
    assert over["fairness"]["seed"]
    assert answer["game"]["result"]["you"] == "lost"


def test_looking_on_is_enough_to_end_it(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], {"minutes": 1, "seconds": 0})
    time.passes(seconds=59)
    quiet = {"number": 0, "turn": False, "phrases": []}
    assert bob.get(f"/games/{game['id']}/news") == quiet | {"over": False}
    time.passes(seconds=2)
    assert bob.get(f"/games/{game['id']}/news") == quiet | {"over": True}
    assert bob.get("/games")["games"][0]["over"]


def test_others_share_the_win_at_a_table_of_three(server: Server, time: Time) -> None:
    people = [server.visitor() for _ in range(3)]
    game = table_of(people, {"minutes": 1, "seconds": 0}, game="pig", players=3)
    time.passes(minutes=2)
    assert people[1].get(f"/games/{game['id']}")["result"]["payoffs"] == [0.0, 0.5, 0.5]


def test_restart_changes_nothing_of_the_clocks(servers: Any, time: Time) -> None:
    one = servers()
    ann, bob = one.visitor(), one.visitor()
    game = table_of([ann, bob], {"minutes": 2, "seconds": 3}, goal=9)
    time.passes(seconds=30)
    flip(ann, game["id"])
    time.passes(seconds=10)
    before = bob.get(f"/games/{game['id']}")["clock"]
    again = servers()
    assert again.visitor(bob.client.cookies).get(f"/games/{game['id']}")["clock"] == before
    time.passes(minutes=5)
    over = again.visitor(bob.client.cookies).get(f"/games/{game['id']}")
    assert over["result"]["late"]
    assert one.visitor(ann.client.cookies).get(f"/games/{game['id']}")["result"]["late"]  # the first one sees it too


def test_move_that_was_heard_in_time_counts_when_its_answer_was_lost(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], {"minutes": 1, "seconds": 0}, goal=9)
    time.passes(seconds=59)
    assert ann.move(game, "flip")[0] == 200
    time.passes(seconds=30)
    status, answer = ann.move(game, "flip")  # sent again
    assert status == 200
    assert answer["log"][0]["label"] == "flip"


def test_move_that_comes_after_the_time_is_refused_with_the_end_of_the_game(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], {"minutes": 1, "seconds": 0})
    time.passes(seconds=61)  # the network was away
    status, answer = ann.move(game, "flip")
    assert status == 422
    assert answer["game"]["result"]["late"]
    assert bob.get(f"/games/{game['id']}")["number"] == 0


def test_game_without_a_clock_has_all_the_time(server: Server, time: Time) -> None:
    ann, bob = server.visitor(), server.visitor()
    game = table_of([ann, bob], None, goal=2)
    time.passes(days=400)
    assert play_out([ann, bob], game["id"])["result"]["late"] is False
    assert game["clock"] is None


@pytest.mark.parametrize("clock", [{"minutes": 0}, {"minutes": 5, "seconds": -1}, {"minutes": 601}, {"seconds": 5}, 5])
def test_invalid_clock_is_refused_in_a_sentence(server: Server, clock: Any) -> None:
    ann = server.visitor()
    commitment = ann.request("POST", "/commitments", json={})[1]["commitment"]
    body = {"game": "piglet", "clock": clock, "commitment": commitment, "number": "0" * 32}
    status, answer = ann.request("POST", "/invitations", json=body)
    assert status == 422
    assert answer["error"].endswith(".")


def test_what_is_left_is_what_was_not_used(time: Time) -> None:
    clock = TimeControl(1, 0)
    assert clock.time_left(2, time(), []) == ([timedelta(minutes=1)] * 2, time())
