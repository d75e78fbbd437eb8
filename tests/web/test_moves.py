"""Every move happens once, however often it is requested, in either kind of database."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from komi.rules import catalog
from komi.web.models import GameRequest

from playing import Server


def labels(game: Any) -> list[str]:
    return [entry["label"] for entry in game["log"]]


def test_same_request_again_answers_the_same_and_happens_once(servers: Any) -> None:
    ann = servers().visitor()
    begun = ann.begin()
    first, again = ann.move(begun, "draw"), ann.move(begun, "draw")
    assert first == again
    assert first[0] == 200


def test_late_request_finds_its_move_made_and_shows_the_game_as_it_stands(servers: Any) -> None:
    ann = servers().visitor()
    begun = ann.begin()
    there = ann.play_on(ann.moved(begun, "draw"), 3)
    assert ann.move(begun, "draw") == (200, there)


def test_another_move_under_a_used_number_is_refused_with_the_game(servers: Any) -> None:
    ann = servers().visitor()
    begun = ann.begin(game="pig")
    there = ann.moved(begun, "roll")
    status, answer = ann.move(begun, "hold")
    assert (status, answer["game"]) == (409, there)
    assert answer["error"] == "The game has moved on: this move comes too late."


def test_chance_and_the_opponents_moves_cannot_be_claimed(servers: Any) -> None:
    ann = servers().visitor()
    game = ann.moved(ann.begin(), "draw")
    assert game["log"][1]["by"] == "chance"
    assert ann.move(game, game["log"][1]["label"], number=1)[0] == 409


def test_what_is_known_of_the_log_is_not_reported_again_until_the_game_is_over(servers: Any) -> None:
    ann = servers().visitor()
    game = ann.begin(rules={"goal": 5})
    log = game["log"]
    while game["waiting"]:
        body = {"number": game["number"], "move": game["actions"][-1]["label"], "known": len(log)}
        status, game = ann.patiently("POST", f"/games/{game['id']}/moves", json=body)
        assert (status, game["first"]) == (200, 0 if game["result"] else len(log))
        log = [*log[: game["first"]], *game["log"]]
        assert [line["number"] for line in log] == list(range(game["number"]))
    assert log == ann.get(f"/games/{game['id']}")["log"]
    assert all(line["afters"] for line in log if line["kind"] == "event")


def test_whole_log_is_reported_after_an_undo_and_where_it_reveals_what_was_hidden(servers: Any) -> None:
    ann = servers().visitor()
    begun = ann.begin(mode="test")
    there = ann.moved(ann.moved(begun, "draw"), "green")
    _, back = ann.request("POST", f"/games/{begun['id']}/takeback", json={"number": there["number"]})
    body = {"number": back["number"], "move": "green", "known": back["number"]}
    assert ann.request("POST", f"/games/{begun['id']}/moves", json=body)[1]["first"] == 0
    dealt = ann.begin(game="red7", opponent="medium")
    body = {"number": dealt["number"], "move": dealt["actions"][-1]["label"], "known": 10**6}
    assert ann.request("POST", f"/games/{dealt['id']}/moves", json=body)[1]["first"] == 0


def test_whole_log_is_reported_where_the_board_is_turned_to_the_mover(servers: Any) -> None:
    ann = servers().visitor()
    game = ann.begin("royal-game-of-ur", opponent=None, rules={"pieces": 2}, names=["Ann", "Bob"])
    body = {"number": game["number"], "move": game["actions"][0]["label"], "known": game["number"]}
    status, after = ann.request("POST", f"/games/{game['id']}/moves", json=body)
    assert (status, after["first"], len(after["log"])) == (200, 0, after["number"])


def test_number_that_is_still_to_come_is_refused(servers: Any) -> None:
    ann = servers().visitor()
    status, answer = ann.move(ann.begin(), "draw", number=5)
    assert (status, answer["error"]) == (409, "The next move has the number 0, not 5.")


def test_illegal_move_is_refused_and_changes_nothing(servers: Any) -> None:
    ann = servers().visitor()
    begun = ann.begin()
    for move in ("hold", "cheat", "green", "draw "):  # with nothing at risk there is nothing to hold
        status, answer = ann.move(begun, move)
        assert (status, answer["game"]) == (422, begun)
        assert answer["error"].endswith("is not legal now; legal are draw.")
    assert ann.get(f"/games/{begun['id']}") == begun


def test_of_two_tabs_at_once_one_move_happens(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    begun = ann.begin(game="pig")
    tabs = [server.visitor(ann.client.cookies) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda tab: tab[1].move(begun, ("roll", "hold")[tab[0] % 2]), enumerate(tabs)))
    chosen = {begun["log"][0]["label"] for begun in [ann.get(f"/games/{begun['id']}")]}
    assert len(chosen) == 1
    assert sorted(status for status, _ in answers) == [200] * 4 + [409] * 4
    assert {answer["log"][0]["label"] for status, answer in answers if status == 200} == chosen


def test_of_two_servers_on_one_database_one_lets_the_move_happen(servers: Any) -> None:
    one, other = servers(), servers()
    ann = one.visitor()
    begun = ann.begin(game="pig")
    elsewhere = other.visitor(ann.client.cookies)
    assert elsewhere.get(f"/games/{begun['id']}") == begun  # both hold it in memory
    there = ann.moved(begun, "roll")
    assert elsewhere.move(begun, "hold")[0] == 409
    assert elsewhere.get(f"/games/{begun['id']}") == there
    further = elsewhere.play_on(there, 1)
    assert ann.get(f"/games/{begun['id']}") == further
    assert ann.move(there, further["log"][there["number"]]["label"]) == (200, further)


@pytest.mark.parametrize("mode", ["normal", "test"])
def test_game_continues_after_the_server_was_stopped_in_the_middle_of_a_turn(servers: Any, mode: str) -> None:
    server = servers()
    ann = server.visitor()
    game = ann.moved(ann.begin(mode=mode), "draw")
    server.inside.__exit__()
    again = servers().visitor(ann.client.cookies)
    assert again.get(f"/games/{game['id']}") == game
    assert again.move(game, "green" if mode == "test" else game["actions"][-1]["label"])[0] == 200


def test_same_commitment_begins_one_game(servers: Any) -> None:
    ann = servers().visitor()
    request = ann.game_request()
    first, again = (ann.request("POST", "/games", json=request) for _ in range(2))
    assert first == again
    assert len(ann.get("/games")["games"]) == 1


def test_game_that_was_begun_but_not_gone_on_with_is_gone_on_with(servers: Any) -> None:
    """The server may be stopped between the beginning and the opponent's first move."""
    server = servers()
    ann = server.visitor()
    request = ann.game_request(seat="second")
    person = ann.client.cookies["komi"].partition(".")[0]
    rules = catalog.find("red-light").default_rules
    begun = server.app.state.services.game_service._write_new_game(person, GameRequest(**request), rules)
    assert ann.move({"id": begun, "number": 0}, "draw")[0] == 409  # that move is the opponent's
    game = ann.get(f"/games/{begun}")
    assert (game["waiting"], game["mover"], game["log"][0]["by"]) == ("action", 1, "computer")


def test_begun_game_is_removed_by_its_own_player_only(server: Server) -> None:
    ann, eve = server.visitor(), server.visitor()
    game = ann.begin("piglet", rules={"goal": 2})
    assert eve.request("DELETE", f"/games/{game['id']}", json={})[0] == 404
    assert ann.request("DELETE", f"/games/{game['id']}", json={}) == (200, {"done": True})
    assert ann.get("/games")["games"] == []
    assert ann.request("GET", f"/games/{game['id']}")[0] == 404
    assert ann.move(game, "flip")[0] == 404


def test_game_that_is_over_stays(server: Server) -> None:
    ann = server.visitor()
    game = ann.play_on(ann.begin("piglet", rules={"goal": 2}))
    status, answer = ann.request("DELETE", f"/games/{game['id']}", json={})
    assert (status, answer["error"]) == (409, "This game is over: it counts in your statistics and cannot be removed.")
    assert len(ann.get("/games")["games"]) == 1


def test_game_is_decided_when_the_only_action_ends_it(server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("piglet", rules={"goal": 2}, mode="test", commitment=None, number=None)
    decided = []
    for label in ("flip", "heads", "flip", "heads"):
        decided.append(game["decided"])
        game = ann.moved(game, label)
    assert (decided, game["decided"]) == ([False] * 4, True)
    assert not ann.moved(game, "hold")["decided"]
