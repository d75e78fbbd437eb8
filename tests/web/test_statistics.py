"""How people do, and all of it to take along."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from komi.web.game_catalog import GameCatalog
from komi.web.records import PlayedGame
from komi.web.statistics import statistics

from playing import Server, Visitor

CATALOG = GameCatalog()
START = datetime(2026, 1, 1, tzinfo=UTC)


def played(payoffs: list[float], **more: Any) -> list[PlayedGame]:
    """Store finished games with these results, one after the other."""
    return [
        PlayedGame(
            **{"game": "pig", "opponent": "hard", "seat": 1, "payoffs": [1 - payoff, payoff]}
            | {"rules": {}, "mistakes": None, "decisions": None, "luck": None, "skill": None}
            | {"over": START + timedelta(days=day)}
            | more
        )
        for day, payoff in enumerate(payoffs)
    ]


def summary(games: list[PlayedGame]) -> Any:
    """Summarize games in no database."""
    return statistics(games, CATALOG)


def test_ratings_are_means_of_losses_by_game_and_rules() -> None:
    rules = {"goal": 20}
    games = played([1, 0, 1, 0, 1] * 4, mistakes=0.1, rules=rules) + played([1] * 4, mistakes=0.4, rules=rules)
    games += (
        played([0], mistakes=0.2, rules={}) + played([0], rules={}) + played([0], mistakes=0.2, rules={}, game="go")
    )
    first, second = summary(games).ratings
    assert (first.rules["goal"], first.games, first.loss) == (20, 24, pytest.approx(0.15))
    assert first.error == pytest.approx((0.3 / 24) * (20 * 4 / 23) ** 0.5)  # s^2 = 0.3^2 (20 x 4 / 24) / 23
    assert first.course == pytest.approx([0.1] * 10 + [0.4] * 2)
    assert (second.rules["goal"], second.games, second.error) == (100, 1, None)


def test_a_course_has_at_most_twelve_parts() -> None:
    (rating,) = summary(played([1.0] * 30, mistakes=0.1, rules={})).ratings
    assert rating.course == pytest.approx([0.1] * 10)
    assert rating.error is None  # equal losses say nothing about their spread


def test_streaks_count_wins_without_a_break() -> None:
    (row,) = summary(played([1, 1, 1, 0, 1, 0.5, 1, 1])).rows
    assert (row.streak, row.best_streak, row.games, row.wins) == (2, 3, 8, 6.5)


def test_interval_is_wilsons() -> None:
    (row,) = summary(played([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])).rows
    assert row.win_rate == 0.7
    assert row.low == pytest.approx(0.3968, abs=1e-4)  # E. B. Wilson, JASA 22, 1927, as tabulated for 7 of 10
    assert row.high == pytest.approx(0.8922, abs=1e-4)


def test_average_mistake_is_of_all_decisions() -> None:
    games = played([0], mistakes=0.3, decisions=3) + played([1], mistakes=0.1, decisions=5) + played([1])
    (row,) = summary(games).rows
    assert row.average_mistake == pytest.approx(0.05)
    assert row.luck is None


def test_luck_and_skill_are_means_of_what_is_known() -> None:
    (row,) = summary(played([0], luck=-0.4, skill=-0.1) + played([1], luck=0.6, skill=-0.1) + played([1])).rows
    assert (row.luck, row.skill) == (pytest.approx(0.1), pytest.approx(-0.1))


def test_every_opponent_has_a_row() -> None:
    rows = summary(played([1]) + played([0], opponent="easy") + played([1], game="piglet") + played([0])).rows
    assert [(row.game, row.opponent, row.games) for row in rows] == [
        ("pig", "easy", 1),
        ("pig", "hard", 2),
        ("piglet", "hard", 1),
    ]


@pytest.fixture
def ann(servers: Any) -> Visitor:
    return servers().visitor()


def test_games_that_are_over_count_and_test_mode_does_not(ann: Visitor) -> None:
    rules = {"goal": 5}
    ann.begin(rules=rules)
    assert ann.get("/statistics") == {"ratings": [], "rows": []}
    over = ann.play_on(ann.begin(rules=rules))
    by_hand = ann.begin(rules=rules, mode="test")
    while by_hand["waiting"]:
        by_hand = ann.moved(by_hand, ([*by_hand["actions"]] or by_hand["events"][:1])[-1]["label"])
    (row,) = ann.get("/statistics")["rows"]
    assert (row["game"], row["games"], row["wins"]) == ("red-light", 1, over["result"]["payoffs"][0])


def test_export_has_everything(ann: Visitor) -> None:
    ann.request("PUT", "/me", json={"name": "Ann"})
    game = ann.play_on(ann.begin(rules={"goal": 5}))
    exported = ann.get("/export.json")
    assert exported["name"] == "Ann"
    (kept,) = exported["games"]
    assert (kept["seed"], kept["payoff"]) == (game["fairness"]["seed"], game["result"]["payoffs"][0])
    assert [entry["label"] for entry in kept["log"]] == [entry["label"] for entry in game["log"]]


def test_table_has_a_row_for_each_game_and_no_formulas(ann: Visitor) -> None:
    ann.play_on(ann.begin(rules={"goal": 5}))
    ann.begin("traffic-lights")
    response = ann.client.get("/api/export.csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="komi-games.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["game"] for row in rows] == ["red-light", "traffic-lights"]


@pytest.fixture
def odd_server(tmp_path: Any) -> Iterator[Server]:
    """Start a server with a game whose labels are formulas to a spreadsheet."""
    file = tmp_path / "odd.py"
    file.write_text(
        '"""Odd: all is said in formulas."""\nfrom typing import NamedTuple\n\nplayers = 2\n'
        'actions = ("=1+1", "@SUM(A1)")\n\n\nclass Rules(NamedTuple):\n    word: str = "=2+2"\n\n\n'
        "class State(NamedTuple):\n    turn: int\n\n\ndef start(rules):\n    return State(0)\n\n\n"
        "def legal(rules, state):\n    yield 0\n    yield 1\n\n\n"
        "def outcomes(rules, state, action):\n    yield 1.0, State(state.turn + 1), 1\n\n\n"
        "def over(rules, state):\n    return state.turn > 3\n\n\ndef payoff(rules, state):\n    return 0.0\n"
    )
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", files=[str(file)]) as running:
        yield running


def test_cells_that_look_like_formulas_are_texts(odd_server: Server) -> None:
    ann = odd_server.visitor()
    ann.play_on(ann.begin("odd"))
    text = ann.client.get("/api/export.csv").text
    (row,) = csv.DictReader(io.StringIO(text))
    assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    assert row["rules"] == "word==2+2"
    assert "you: @SUM(A1)" in row["log"]
