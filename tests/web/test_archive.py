"""A person's games as a list: all of them, in pages, with filters that agree with the games themselves."""

from typing import Any

import pytest

from komi.web import archive

from playing import Server, Visitor, invite, join, play_out


@pytest.fixture
def ann(server: Server) -> Visitor:
    """Somebody with three finished games of Piglet against `random`, a running one, and one alone."""
    visitor = server.visitor()
    for _ in range(3):
        visitor.play_on(visitor.begin("piglet", rules={"goal": 1}))
    visitor.begin("piglet", rules={"goal": 3})
    visitor.begin("pig-solitaire", opponent=None)
    return visitor


def listed(visitor: Visitor, **wanted: Any) -> list[Any]:
    question = "&".join(f"{name}={value}" for name, value in wanted.items())
    games: list[Any] = visitor.get(f"/games?{question}")["games"]
    return games


def test_games_are_listed_as_they_ended(ann: Visitor) -> None:
    games = listed(ann)
    assert [game["started"] for game in games] == sorted((game["started"] for game in games), reverse=True)
    for game in games:
        view = ann.get(f"/games/{game['id']}")
        assert game["over"] == (view["result"] is not None) == (game["ended"] is not None)
        assert game["result"] == (view["result"] and view["result"]["you"])
        assert game["turn"] == (not game["over"])
        assert game["number"] == view["number"]


def test_filters_leave_what_they_name(ann: Visitor) -> None:
    games = listed(ann)
    for name in ("game", "opponent", "result", "over"):
        for value in {game[name] for game in games} - {None, ""}:
            expected = [game["id"] for game in games if game[name] == value]
            assert [game["id"] for game in listed(ann, **{name: str(value).lower()})] == expected
    assert [game["game"] for game in listed(ann, opponent="alone")] == ["pig-solitaire"]
    assert listed(ann, opponent="people") == listed(ann, text="Bob") == []
    played = ann.get("/games?game=skunk")["played"]
    assert played == [{"game": "pig-solitaire", "opponent": "alone"}, {"game": "piglet", "opponent": "random"}]


def test_pages_follow_each_other(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = [game["id"] for game in listed(ann)]
    monkeypatch.setattr(archive, "MAX_LISTED", 2)
    found: list[str] = []
    more = True
    while more:
        page = ann.get(f"/games?before={found[-1]}" if found else "/games")
        found, more = found + [game["id"] for game in page["games"]], page["more"]
        assert len(page["games"]) in ((2,) if more else (1, 2))
    assert found == everything


def test_games_with_friends_say_whose_turn_it_is_and_are_found_by_name(server: Server) -> None:
    people = ann, bob = server.visitor(), server.visitor()
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.request("PUT", "/me", json={"name": name})
    table = invite(ann, goal=1)
    join(bob, table)
    assert [listed(person)[0]["turn"] for person in people] == [True, False]
    assert listed(ann, opponent="people", text="bOB")[0]["names"] == ["Ann", "Bob"]
    assert listed(ann, text="Eve") == []
    play_out(people, table["id"])
    results = [listed(person, over="true")[0]["result"] for person in people]
    assert results == [person.get(f"/games/{table['id']}")["result"]["you"] for person in people]
    assert sorted(results) == ["lost", "won"]


def test_a_game_at_one_device_has_no_result_of_ones_own(server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("piglet", opponent=None, names=["Ann", "Bob"], rules={"goal": 1})
    while not game["result"]:
        game = ann.moved(game, game["actions"][-1]["label"])
    [summary] = listed(ann)
    assert (summary["over"], summary["result"], summary["names"]) == (True, None, ["Ann", "Bob"])


@pytest.mark.parametrize("question", ["result=best", "before=1", "over=maybe", "opponent=%20", f"text={'a' * 81}"])
def test_wrong_filters_are_refused_in_a_sentence(ann: Visitor, question: str) -> None:
    status, answer = ann.request("GET", f"/games?{question}")
    assert status == 422
    assert answer["error"].endswith(".")


def test_a_page_after_a_game_that_was_removed_is_refused(ann: Visitor) -> None:
    [game] = listed(ann, over="false", game="piglet")
    assert ann.request("DELETE", f"/games/{game['id']}", json={})[0] == 200
    assert ann.request("GET", f"/games?before={game['id']}")[0] == 404
