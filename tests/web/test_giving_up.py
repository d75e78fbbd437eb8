"""Resigning ends a game once; in Test Mode what was entered can be taken back, and nothing is lost with it."""

from typing import Any

from playing import Server, Visitor


def resigned(visitor: Visitor, game: Any) -> tuple[int, Any]:
    return visitor.request("POST", f"/games/{game['id']}/resign", json={})


def taken_back(visitor: Visitor, game: Any) -> tuple[int, Any]:
    return visitor.request("POST", f"/games/{game['id']}/takeback", json={"number": game["number"]})


def test_who_resigns_loses_and_the_seed_is_shown(servers: Any) -> None:
    ann = servers().visitor()
    game = ann.begin("piglet")
    status, over = resigned(ann, game)
    assert status == 200
    assert over["result"] == {
        "payoffs": [0.0, 1.0],
        "points": None,
        "score": None,
        "stopped": False,
        "resigned": 0,
        "late": False,
        "you": "lost",
    }
    assert over["fairness"]["seed"]
    assert resigned(ann, game) == (200, over)
    assert servers().visitor(ann.client.cookies).get(f"/games/{game['id']}") == over
    (row,) = ann.get("/statistics")["rows"]
    assert (row["games"], row["wins"]) == (1, 0.0)


def test_nothing_happens_in_a_game_that_another_server_has_seen_resigned(servers: Any) -> None:
    one, other = servers(), servers()
    ann = one.visitor()
    game = ann.begin("piglet")
    again = other.visitor(ann.client.cookies)
    again.get(f"/games/{game['id']}")
    _, over = resigned(ann, game)
    status, answer = again.move(game, "flip")
    assert status == 422
    assert answer["error"] == "The game is over: 'flip' is no longer possible."
    assert answer["game"] == over


def test_others_share_the_win_of_who_resigns(server: Server) -> None:
    ann = server.visitor()
    _, over = resigned(ann, ann.begin("pig", rules={"players": 3}))
    assert over["result"]["payoffs"] == [0.0, 0.5, 0.5]


def test_no_one_resigns_for_another_or_alone(server: Server) -> None:
    ann, eve = server.visitor(), server.visitor()
    assert resigned(eve, ann.begin("piglet"))[0] == 404
    alone = ann.begin("pig-solitaire", opponent=None, seat="first")
    status, answer = resigned(ann, alone)
    assert (status, answer["error"]) == (422, "You cannot resign: no one else is at the table.")


def test_mistyped_event_is_taken_back_and_entered_again(servers: Any) -> None:
    ann = servers().visitor()
    game = ann.begin("pig", mode="test", commitment=None, number=None)
    rolled = ann.moved(game, "roll")
    wrong = ann.moved(rolled, "1")  # then it is the opponent's turn, who may have rolled
    status, back = taken_back(ann, wrong)
    assert status == 200
    assert (back["number"], back["waiting"], back["pending"]) == (1, "event", {"label": "roll"})
    assert taken_back(ann, wrong) == (200, back)  # sent again
    right = ann.moved(back, "6")
    assert right["state"]["turn"] == 6
    assert servers().visitor(ann.client.cookies).get(f"/games/{game['id']}") == right


def test_end_of_a_game_is_taken_back(server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("piglet", rules={"goal": 1}, mode="test", commitment=None, number=None)
    over = ann.moved(ann.moved(ann.moved(game, "flip"), "heads"), "hold")
    assert over["result"]["you"] == "won"
    _, back = taken_back(ann, over)
    assert (back["result"], back["waiting"]) == (None, "action")
    assert taken_back(ann, resigned(ann, back)[1])[1] == back


def test_server_that_holds_what_was_taken_back_writes_nothing_on_top_of_it(servers: Any) -> None:
    one, other = servers(), servers()
    ann = one.visitor()
    game = ann.begin("piglet", mode="test", commitment=None, number=None)
    again = other.visitor(ann.client.cookies)
    seen = again.moved(again.moved(game, "flip"), "heads")
    back = taken_back(ann, ann.get(f"/games/{game['id']}"))[1]
    now = ann.moved(back, "tails")
    status, answer = again.move(seen, "flip")
    assert status in (409, 422)
    assert [entry["label"] for entry in answer["game"]["log"]] == [entry["label"] for entry in now["log"]]


def test_chance_that_the_server_drew_is_not_drawn_twice(server: Server) -> None:
    ann = server.visitor()
    game = ann.moved(ann.begin("piglet"), "flip")
    status, answer = taken_back(ann, game)
    assert status == 422
    assert answer["error"] == "You can take back entries only in Test Mode: chance events are not drawn twice."


def test_nothing_is_taken_back_of_a_game_that_has_gone_on(server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("piglet", mode="test", commitment=None, number=None)
    rolled = ann.moved(game, "flip")
    ann.moved(rolled, "heads")
    assert taken_back(ann, rolled)[0] == 409
    assert taken_back(ann, ann.begin("piglet", mode="test", commitment=None, number=None))[0] == 422
