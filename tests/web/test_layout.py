"""The layout of dice, cards and boards that the page draws, and the requests for it."""

from collections.abc import Iterator
from typing import Any

import pytest

from playing import Json, Server, Visitor

TEST = {"mode": "test", "commitment": None, "number": None}
OPPONENTS = ["ten-thousand", "farkle", "royal-game-of-ur"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests; each test has its own visitor."""
    with Server.running(f"sqlite:///{tmp_path_factory.mktemp('faces') / 'games.db'}") as running:
        yield running


@pytest.fixture
def ann(shared: Server) -> Visitor:
    return shared.visitor()


def entered(ann: Visitor, game: str, labels: list[str], **more: Any) -> Json:
    """Start a game in Test Mode, and enter some actions and events."""
    alone = game in ("yahtzee", "hooligan")
    view = ann.begin(game, None if alone else "easy", **TEST, **more)
    for label in labels:
        view = ann.moved(view, label)
    return view


def action(view: Json, label: str) -> Json:
    return next(each for each in view["actions"] if each["label"] == label)


def test_actions_show_the_dice_they_keep_and_their_scores(ann: Visitor) -> None:
    view = entered(ann, "yahtzee", ["33355"])
    assert view["faces"] == [3, 3, 3, 5, 5]
    assert (action(view, "keep 35")["keeps"], action(view, "keep none")["keeps"]) == ([3, 5], [])
    assert action(view, "full house")["scores"] == [[8, 25]]
    assert (view["card"][8]["name"], view["filled"]) == ("full house", [])
    view = ann.moved(view, "full house")
    assert (view["log"][-1]["scores"], view["filled"]) == ([[8, 25]], [8])


def test_upper_bonus_is_written_in_a_separate_row(ann: Visitor) -> None:
    turns = [("11112", "ones"), ("22223", "twos"), ("13333", "threes"), ("14444", "fours"), ("15555", "fives")]
    view = entered(ann, "yahtzee", [label for turn in turns for label in turn] + ["16666"])
    assert action(view, "sixes")["scores"] == [[5, 24], [13, 35]]


def test_further_yahtzees_are_written_in_a_row_of_their_own(ann: Visitor) -> None:
    view = entered(ann, "yahtzee", ["66666", "yahtzee", "55555"])
    assert action(view, "fives")["scores"] == [[4, 25], [14, 100]]


def test_two_write_on_cards_of_their_own(ann: Visitor) -> None:
    turns = ["66666", "yahtzee", "55555", "yahtzee", "55566", "full house", "11234"]
    view = ann.begin("yahtzee", None, names=["Ann", "Bob"], rules={"players": 2}, **TEST)
    for label in turns:
        view = ann.moved(view, label)
    scored = [(line["seat"], line["scores"]) for line in view["log"] if line["scores"]]
    assert scored == [(0, [[11, 50]]), (1, [[11, 50]]), (0, [[8, 25]])]
    assert (view["players"], view["mover"], view["solved"], view["objective"]) == (2, 1, False, None)
    assert "yahtzee" not in [each["label"] for each in view["actions"]]
    assert (view["state"]["points"], view["state"]["other_points"]) == (50, 75)
    assert "full house" in [each["label"] for each in view["actions"]]
    hint = ann.request("GET", f"/games/{view['id']}/hint")[1]
    assert "Optimal play of Yahtzee against others is not known" in hint["error"]


def test_two_yahtzee_opponents_begin_at_once_and_the_third_needs_the_game_of_one(ann: Visitor) -> None:
    rules = {"players": 2}
    for opponent in ("easy", "medium"):
        assert ann.begin("yahtzee", opponent, seat="second", rules=rules)["waiting"] == "action"
    [game] = [each for each in ann.get("/catalog")["games"] if each["name"] == "yahtzee"]
    assert (game["players"], game["opponents"]) == (1, [])
    assert [rival["name"] for rival in game["rivals"]] == ["easy", "medium", "hard"]
    alone, together = (
        ann.patiently("POST", "/preparations", json={"game": "yahtzee", "rules": settings, "opponent": opponent})
        for settings, opponent in (({}, None), (rules, "easy"))
    )
    assert together[1]["key"] == alone[1]["key"]
    assert together[1]["playable"]
    request = ann.game_request("yahtzee", "hold-at:20", rules=rules)
    assert ann.request("POST", "/games", json=request)[0] in (422, 503)


def test_dice_set_aside_show_their_points_and_the_next_actions(ann: Visitor) -> None:
    view = entered(ann, "ten-thousand", ["roll", "115 can score"], rules={"opening": 350})
    assert view["faces"] == [1, 1, 5, 0, 0, 0]
    aside = action(view, "set aside 115")
    assert (aside["keeps"], aside["scores"], aside["then"]) == ([1, 1, 5], [[0, 250]], ["roll"])


def test_events_show_the_faces_of_the_dice(ann: Visitor) -> None:
    view = entered(ann, "ten-thousand", ["roll"])
    faces = {event["label"]: event["faces"] for event in view["events"]}
    assert faces["15 can score"] == [1, 5, 0, 0, 0, 0]
    assert faces["nothing that scores"] == [0] * 6


def test_board_is_reported_as_the_viewer_sees_it(ann: Visitor) -> None:
    view = entered(ann, "royal-game-of-ur", ["3"])
    assert view["throw"] == [3, 4]
    assert (action(view, "enter at 3")["square"], action(view, "enter at 3")["target"]) == (None, [1, 0])
    view = ann.moved(view, "enter at 3")  # the opponent is to throw: the state is as it sees it
    assert (view["mover"], view["observer"]) == (1, 1)
    standing = {(each["row"], each["column"]): each["shows"] for each in view["squares"] if each["shows"]}
    assert standing == {(1, 0): "white"}
    assert {(each["doing"], each["whose"]): each["number"] for each in view["beside"]} == {
        ("waiting", "white"): 6,
        ("home", "white"): 0,
        ("waiting", "black"): 7,
        ("home", "black"): 0,
    }


def test_log_of_a_long_game_is_packed(ann: Visitor) -> None:
    view = entered(ann, "yahtzee", ["11234"])
    assert "content-encoding" not in ann.client.get("/api/me").headers
    packed = ann.client.get(f"/api/games/{view['id']}")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(packed.content) / 4


@pytest.mark.parametrize("game", OPPONENTS)
def test_game_that_takes_long_to_solve_begins_at_once_against_two_opponents(ann: Visitor, game: str) -> None:
    for opponent in ("easy", "medium"):
        view = ann.begin(game, opponent, seat="second")
        assert view["waiting"] == "action"


def test_what_cannot_be_is_refused_in_one_sentence(ann: Visitor) -> None:
    view = entered(ann, "yahtzee", ["11234"])
    assert _refused(ann.move(view, "keep 66")) == "'keep 66' is not legal now"
    assert _refused(ann.move(view, "keep 7")) == "'keep 7' is not legal now"
    view = ann.moved(ann.moved(view, "ones"), "11234")
    assert _refused(ann.move(view, "ones")) == "'ones' is not legal now"
    view = ann.moved(view, "keep 11")
    assert _refused(ann.move(view, "22345")) == "'22345' is not a possible event now"
    view = entered(ann, "ten-thousand", ["roll", "115 can score"])
    assert _refused(ann.move(view, "set aside 2")) == "'set aside 2' is not legal now"
    request = ann.game_request("royal-game-of-ur", "easy", rules={"pieces": 8})
    assert _refused(ann.request("POST", "/games", json=request)) == "“Pieces” must be from 0 to 7."


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("yahtzee", "rolls=1,dice=12347"),
        ("yahtzee", "rolls=1,dice=54321"),
        ("yahtzee", "boxes=1,upper=63"),
        ("hooligan", "rolls=2,dice=111111"),
        ("ten-thousand", "score=10025"),
        ("ten-thousand", "left=2,turn=100,dice=115"),
        ("royal-game-of-ur", "7:1/0:"),
        ("royal-game-of-ur", "0:1.1/0:"),
    ],
)
def test_positions_that_cannot_be_are_refused_in_one_sentence(ann: Visitor, game: str, start: str) -> None:
    status, answer = ann.request("POST", "/sandbox", json={"game": game, "rules": {}, "start": start, "labels": []})
    assert status == 422
    assert answer["error"].count("\n") == 0
    assert answer["error"].endswith(".")


def _refused(answered: tuple[int, Json]) -> str:
    """Return the sentence of a refusal, without the list of what is possible."""
    status, answer = answered
    assert status == 422
    assert "\n" not in answer["error"]
    return str(answer["error"]).partition(";")[0]
