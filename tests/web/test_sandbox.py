"""Any position of a game is laid, weighed, played on and looked back on, and nothing of it is kept."""

from typing import Any

import pytest

import komi

from playing import Server, Visitor

RULES = {"goal": 3}


@pytest.fixture
def ann(server: Server) -> Visitor:
    return server.visitor()


def create(ann: Visitor, path: str = "", **body: Any) -> Any:
    status, answer = ann.request("POST", f"/sandbox{path}", json={"game": "piglet", "rules": RULES} | body)
    assert status == 200, answer
    return answer


def test_any_position_is_laid_and_played_on_for_all_seats(ann: Visitor) -> None:
    there = create(ann, start="score=1,rival=2,turn=1")
    assert (there["state"], there["mover"], there["you"]) == ({"score": 1, "rival": 2, "turn": 1}, 0, 0)
    assert [each["label"] for each in there["actions"]] == ["flip", "hold"]
    there = create(ann, start="score=1,rival=2,turn=1", labels=["hold"])
    assert (there["state"], there["mover"], there["you"]) == ({"score": 2, "rival": 2, "turn": 0}, 1, 1)
    there = create(ann, start="score=1,rival=2,turn=1", labels=["hold", "flip"])
    assert [each["label"] for each in there["events"]] == ["heads", "tails"]
    assert create(ann, start="score=1,rival=2,turn=1", labels=["hold", "flip", "heads", "hold"])["result"][
        "payoffs"
    ] == [
        0.0,
        1.0,
    ]
    assert ann.get("/games")["games"] == []


def test_worth_and_review_are_those_of_the_solution(ann: Visitor) -> None:
    solution = komi.solve("piglet", **RULES)
    ann.request("POST", "/preparations", json={"game": "piglet", "rules": RULES})
    state = {"score": 0, "rival": 2, "turn": 1}
    body = {"start": "score=0,rival=2,turn=1"}
    hint = create(ann, "/hint", **body)
    assert {each["label"]: each["worth"] for each in hint["actions"]} == solution.actions(state)
    found = create(ann, "/review", **body, labels=["hold"], seat=0)
    assert found["start"] == solution.expected_value(state)
    (decision,) = found["decisions"]
    actions = solution.actions(state)
    assert decision["loss"] == pytest.approx(max(actions.values()) - actions["hold"])
    assert create(ann, "/review", **body, labels=["hold"], seat=1)["luck"] == 0.0


def test_record_is_written_and_read(ann: Visitor) -> None:
    body = {"start": "score=1,rival=2,turn=0", "labels": ["flip", "heads", "hold"], "names": ["Ann", "Bob"]}
    text = create(ann, "/record", **body)["text"]
    head = ["komi record 1", "game: piglet", "rules: goal=3", "start: score=1,rival=2,turn=0", "players: Ann / Bob"]
    assert text.splitlines()[:5] == head
    status, answer = ann.request("POST", "/records", json={"text": text})
    assert (status, answer) == (200, {"game": "piglet", "rules": RULES, "seat": 0} | body)


def test_game_that_was_played_is_downloaded_as_a_record(server: Server, ann: Visitor) -> None:
    over = ann.play_on(ann.begin("piglet", rules={"goal": 2}))
    answer = ann.client.get(f"/api/games/{over['id']}/record")
    assert answer.headers["content-disposition"] == 'attachment; filename="piglet.txt"'
    assert "players: You / random\n" in answer.text
    again = ann.request("POST", "/records", json={"text": answer.text})[1]
    assert again["labels"] == [entry["label"] for entry in over["log"]]
    assert server.visitor().request("GET", f"/games/{over['id']}/record")[0] == 404
    hidden = next(game for game in map(ann.begin, ["red7"] * 20) if game["waiting"])  # a deal can end the game
    status, answer = ann.request("GET", f"/games/{hidden['id']}/record")
    assert (status, answer["error"]) == (
        409,
        "Red7 has hidden information: you can download its record when it is over.",
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"labels": ["flip", "7"]}, "Step 1: '7' is not a possible event now; possible are heads, tails."),
        ({"start": "score=9"}, "Piglet has no state score=9,rival=0,turn=0: its rules do not allow score=9 there."),
        ({"start": "x"}, None),
        ({"game": "red7", "rules": {}}, "Red7 has hidden information: it has no sandbox."),
        ({"rules": {"goal": 0}}, None),
        ({"labels": ["flip"] * 2001}, "The field 'labels' may have at most 2000 entries."),
    ],
)
def test_what_cannot_be_laid_is_refused_in_one_sentence(ann: Visitor, body: Any, sentence: str | None) -> None:
    status, answer = ann.request("POST", "/sandbox", json={"game": "piglet", "rules": RULES} | body)
    assert status == 422
    assert answer["error"].endswith(".")
    assert sentence in (None, answer["error"])


def test_opponent_acts_in_any_seat(ann: Visitor) -> None:
    assert create(ann, "/choice", labels=["flip", "tails"], opponent="random")["label"] in ("flip", "hold")
    status, answer = ann.request(
        "POST", "/sandbox/choice", json={"game": "piglet", "labels": ["flip"], "opponent": "random"}
    )
    assert (status, answer["error"]) == (409, "No player is to move in this position.")
