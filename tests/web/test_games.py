"""Games as the page sees them: fair chance, chance by hand, every built-in game."""

import hashlib
import hmac
from typing import Any

import game_lengths
import pytest

from komi.play import fairness
from komi.play.table import Table
from komi.rules import catalog
from komi.web import models
from komi.web.game_catalog import LENGTHS

from playing import Server, Visitor
from slowly import slowly


@pytest.fixture
def ann(server: Server) -> Visitor:
    return server.visitor()


def luck(seed: str, number: str, entry: int) -> float:
    """Compute a random number as any player can."""
    digest = hmac.new(bytes.fromhex(seed), f"{number}:{entry}".encode(), hashlib.sha256).hexdigest()
    return int(f"{int(digest, 16):0256b}"[:53], 2) / 2**53


def test_seed_is_shown_after_the_end_and_every_event_is_the_one_its_luck_fell_on(ann: Visitor) -> None:
    request = ann.game_request(rules={"goal": 12})
    begun = ann.request("POST", "/games", json=request)[1]
    assert begun["fairness"]["seed"] is None
    game = ann.play_on(begun)
    shown = game["fairness"]
    assert shown["hash"] == begun["fairness"]["hash"] == hashlib.sha256(bytes.fromhex(shown["seed"])).hexdigest()
    assert shown["number"] == request["number"]
    events = [entry for entry in game["log"] if entry["kind"] == "event"]
    for entry in events:
        place = [label for label, _ in entry["outcomes"]].index(entry["label"])
        *before, width = [probability for _, probability in entry["outcomes"][: place + 1]]
        assert entry["luck"] == luck(shown["seed"], shown["number"], entry["number"])
        assert sum(before) <= entry["luck"] < sum(before) + width
        assert entry["afters"][place] == {"state": entry["state"], "observer": entry["observer"]}
        assert sum(probability for _, probability in entry["outcomes"]) == pytest.approx(1, abs=1e-15)
    assert len(events) > 5


@pytest.mark.parametrize("name", ["hog", "two-dice-pig"])
def test_game_can_be_computed_again_from_the_published_rules(ann: Visitor, name: str) -> None:
    """As `docs/fairness.md` says: luck falls on what happened, outcomes being in the order of their names."""
    over = ann.play_on(ann.begin(name, rules={"goal": 20}))
    seed, number = bytes.fromhex(over["fairness"]["seed"]), over["fairness"]["number"]
    game = catalog.find(name)
    table = Table(game, game.rules({"goal": 20}))
    for label in [entry["label"] for entry in over["log"]]:
        if table.waiting == "event":
            drawn = fairness.random_number(seed, number, table.number)
            assert label == fairness.sample_event(fairness.sort_events(table.events), drawn).label
        table.enter(label)
    assert list(table.payoffs or ()) == over["result"]["payoffs"]


def test_catalog_names_the_hash_of_the_source_of_each_game(ann: Visitor) -> None:
    (farkle,) = [game for game in ann.get("/catalog")["games"] if game["name"] == "farkle"]
    folder = catalog.find("farkle").file.parent
    contents = b"".join((folder / file).read_bytes() for file in ("_dice.py", "farkle.py", "ten_thousand.py"))
    assert farkle["source"] == hashlib.sha256(contents).hexdigest()


def test_all_that_could_have_happened_is_reported_at_once_and_what_would_have_followed_after_the_end(
    ann: Visitor,
) -> None:
    game = ann.moved(ann.begin("pig", rules={"goal": 40}), "roll")
    (event,) = [entry for entry in game["log"][:2] if entry["kind"] == "event"]
    assert [label for label, _ in event["outcomes"]] == ["1", "2", "3", "4", "5", "6"]
    assert event["afters"] is None
    assert ann.play_on(game)["log"][1]["outcomes"] == event["outcomes"]


def test_seat_by_lot_is_drawn_from_the_seed_and_the_number(ann: Visitor) -> None:
    for _ in range(8):
        game = ann.play_on(ann.begin("piglet", seat="either", rules={"goal": 2}))
        shown = game["fairness"]
        assert shown["lot"]
        assert game["you"] == int(2 * luck(shown["seed"], f"{shown['number']}:seat", 0))
    assert not ann.begin("piglet")["fairness"]["lot"]


def test_seed_stays_hidden_before_the_end(ann: Visitor) -> None:
    game = ann.moved(ann.begin(), "draw")
    exported = ann.get("/export.json")["games"][0]
    assert game["fairness"]["seed"] is None
    assert exported["seed"] is None


def test_chance_is_entered_by_hand_in_test_mode(ann: Visitor) -> None:
    game = ann.begin(mode="test", commitment=None, number=None)
    game = ann.moved(game, "draw")
    assert (game["waiting"], game["pending"], game["mover"]) == ("event", {"label": "draw"}, 0)
    assert [event["label"] for event in game["events"]] == ["green", "red"]
    assert sum(event["probability"] for event in game["events"]) == pytest.approx(1)
    game = ann.moved(game, "green")
    assert (game["log"][1]["by"], game["log"][1]["luck"], game["state"]["turn"]) == ("hand", None, 1)


def test_impossible_event_is_refused(ann: Visitor) -> None:
    game = ann.moved(ann.begin(mode="test", rules={"green": 1}), "draw")
    for event in ("draw", "hold", "blue", "GREEN"):
        status, answer = ann.move(game, event)
        assert (status, answer["error"]) == (422, f"{event!r} is not a possible event now; possible are green, red.")
    game = ann.moved(game, "green")
    game = ann.moved(game, "draw")  # only red chips are left: there is nothing to enter
    assert [(entry["kind"], entry["label"]) for entry in game["log"][2:4]] == [("action", "draw")] * 2


def test_opponents_chance_is_entered_by_hand_too(ann: Visitor) -> None:
    game = ann.begin(mode="test", seat="second")
    assert (game["mover"], game["waiting"], game["log"][0]["by"], game["actions"]) == (0, "event", "computer", [])
    game = ann.moved(game, "red")
    assert (game["mover"], game["waiting"], game["state"]["red"]) == (1, "action", 1)


def test_chance_that_is_hidden_cannot_be_entered_by_hand(ann: Visitor) -> None:
    status, answer = ann.request("POST", "/games", json=ann.game_request("red7", mode="test"))
    assert (status, answer["error"]) == (
        422,
        "Red7 has hidden information: you cannot enter chance events by hand.",
    )


def is_for_several(name: str) -> bool:
    game = catalog.find(name)
    return game.players(game.default_rules) > 1


@pytest.mark.parametrize("name", [*filter(is_for_several, catalog.names())])
def test_every_game_can_be_played_to_its_end(ann: Visitor, name: str) -> None:
    shown = {game["name"]: game for game in ann.get("/catalog")["games"]}[name]
    small = {rule["name"]: max(20, int(rule["least"])) for rule in shown["rules"] if rule["name"] == "goal"}
    game = ann.begin(name, rules=small, seat="either")
    assert game["face"] == shown["face"]
    for _ in range(60):  # patient players stop the turn as soon as they can
        if game["waiting"] is None:
            break
        game = ann.moved(game, game["actions"][game["number"] % len(game["actions"])]["label"])
    game = ann.play_on(game)
    assert game["result"]["you"] in ("won", "lost", "drew", "shared")
    assert sum(game["result"]["payoffs"]) == pytest.approx(1)
    assert (game["mover"], game["actions"], game["events"]) == (None, [], [])
    assert [entry["number"] for entry in game["log"]] == list(range(game["number"]))


def test_hidden_cards_stay_hidden_until_the_end(ann: Visitor) -> None:
    game = ann.begin("red7")  # from the first seat: a computer that begins may be out at once
    assert (game["observer"], game["start"]["state"]) == (0, None)
    hands, palettes = game["log"][:21], game["log"][21:24]  # of three players, who each begin with an open card
    assert {entry["label"] for entry in hands} == {"hidden"}
    assert "hidden" not in {entry["label"] for entry in palettes}
    assert all(entry["luck"] is entry["outcomes"] is None for entry in (*hands, *palettes))
    drawn = [entry for entry in game["log"] if entry["kind"] == "event"]
    assert all(entry["luck"] is entry["outcomes"] is None for entry in drawn)  # they reveal the rest of the deck
    assert "hidden" not in {entry["label"] for entry in ann.play_on(game)["log"]}


def test_fields_that_a_page_would_round_are_reported_as_text() -> None:
    after = models.OutcomeStateView(state={"cards": -(2**53), "hand": 2**53 - 1}, observer=0)
    assert after.model_dump(mode="json")["state"] == {"cards": str(-(2**53)), "hand": 2**53 - 1}


def test_catalog_says_what_the_page_needs(ann: Visitor) -> None:
    games = {game["name"]: game for game in ann.get("/catalog")["games"]}
    assert list(games) == catalog.names()
    light = games["red-light"]
    assert (light["title"], light["face"], light["players"]) == ("Red Light", "bag", 2)
    assert light["rules"][0] == {
        "name": "goal",
        "means": "points that win",
        "default": 50,
        "least": 1,
        "greatest": 200,
        "words": None,
    }
    assert [opponent["title"] for opponent in light["opponents"]] == ["Easy", "Medium", "Hard"]
    assert games["traffic-lights"]["face"] == "board"


def test_rules_are_reported_as_they_are_chosen(ann: Visitor) -> None:
    status, answer = ann.request("POST", "/how-to-play", json={"game": "red-light", "rules": {"goal": 8}})
    assert status == 200
    assert answer["paragraphs"][0].endswith("First to 8 points wins.")
    status, answer = ann.request("POST", "/how-to-play", json={"game": "red-light", "rules": {"goal": 0}})
    assert (status, answer["error"]) == (422, "“Goal” must be from 1 to 200.")


def test_opponents_are_those_of_the_rules_chosen(ann: Visitor) -> None:
    for players, titles in ((2, ["Easy", "Medium", "Hard"]), (3, ["Easy", "Hard"])):
        status, answer = ann.request("POST", "/opponents", json={"game": "hog", "rules": {"players": players}})
        assert (status, [each["title"] for each in answer["opponents"]]) == (200, titles)
    assert ann.request("POST", "/opponents", json={"game": "think", "rules": {}})[1] == {"opponents": []}


def test_squares_that_end_a_game_are_reported(ann: Visitor) -> None:
    game = ann.begin("traffic-lights")
    assert not any(square["decisive"] for square in game["squares"])
    game = ann.play_on(game)
    assert sum(square["decisive"] for square in game["squares"]) >= 3


def test_reference_names_every_address_and_every_word(ann: Visitor) -> None:
    schema = ann.get("/openapi.json")
    page = ann.client.get("/api/docs").text
    for path, methods in schema["paths"].items():
        assert all(f"<code>{method.upper()} {path}</code>" in page for method in methods)
    for name, word in schema["components"]["schemas"].items():
        assert f'<h3 id="{name}">' in page
        assert word.get("description"), f"{name} is not explained"


def test_custom_game_file_is_offered(tmp_path: Any) -> None:
    file = tmp_path / "my_game.py"
    file.write_text(catalog.find("pig").file.read_text())
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", files=[str(file)]) as server:
        visitor = server.visitor()
        assert visitor.play_on(visitor.begin("my-game", rules={"goal": 10}))["face"] == "table"


@pytest.mark.parametrize(("name", "rules"), [("think", {"turns": 1}), ("risk-battle", {"attackers": 3})])
def test_game_for_one_is_played_alone(ann: Visitor, name: str, rules: dict[str, int]) -> None:
    game = ann.begin(name, None, rules=rules)
    assert (game["players"], game["opponent"]) == (1, {"name": "", "title": ""})
    game = ann.play_on(game)
    score = game["result"]["score"]
    assert (game["objective"], score is None) == (
        ("expected points", False) if name == "think" else ("chance that the attacker wins", True)
    )
    assert ann.get("/statistics")["rows"] == []


def test_game_for_two_needs_an_opponent(ann: Visitor) -> None:
    status, answer = ann.request("POST", "/games", json=ann.game_request("pig", None))
    assert (status, answer["error"]) == (422, "Pig is played against an opponent: name one.")


def test_minutes_follow_from_the_measured_lengths_of_all_games(ann: Visitor) -> None:
    assert set(LENGTHS) == set(catalog.names()) - game_lengths.SLOW
    minutes = {game["name"]: game["minutes"] for game in ann.get("/catalog")["games"]}
    assert minutes["pig"] == round(LENGTHS["pig"] / 2 * (3 + 1) / 60)
    assert all((each or 0) >= 1 for name, each in minutes.items() if name not in game_lengths.SLOW)
    assert minutes["skunk"] is None


@pytest.mark.parametrize("name", ["piglet", *slowly("pig", "red7", "traffic-lights", "think")])
def test_lengths_are_those_of_simulated_games(name: str) -> None:
    assert game_lengths.actions_of(name) == pytest.approx(LENGTHS[name], rel=0.1)
