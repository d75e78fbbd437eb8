"""Only the decisions of players who agreed are studied."""

import csv
from pathlib import Path
from typing import Any

import pytest

from komi.web.database import Database
from komi.web.study_games import consented_games

from playing import Server


def test_no_one_is_requested_or_studied_without_the_owners_request(server: Server) -> None:
    assert server.visitor().get("/consent") == {"study": False, "agreed": None}


def test_games_begun_after_a_person_agreed_are_studied_until_they_take_it_back(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Server.running(address, studies=True) as server:
        ann, bob = server.visitor(), server.visitor()
        assert ann.get("/consent") == {"study": True, "agreed": None}
        ann.play_on(ann.begin("piglet"))
        assert ann.request("PUT", "/consent", json={"agreed": True}) == (200, {"study": True, "agreed": True})
        after = ann.play_on(ann.begin("piglet"))
        ann.begin("piglet")
        bob.request("PUT", "/consent", json={"agreed": False})
        bob.play_on(bob.begin("piglet"))
        database = Database(address)
        [kept], unread = consented_games(database)
        assert unread == 0
        assert kept.game.name == "piglet"
        assert kept.labels == tuple(line["label"] for line in after["log"])
        assert bob.get("/consent")["agreed"] is False
        ann.request("PUT", "/consent", json={"agreed": False})
        assert consented_games(database) == ([], 0)
        database.close()


def test_a_study_writes_a_data_set_without_names_and_an_opponent(tmp_path: Path, run: Any) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"
    with Server.running(address, studies=True) as server:
        ann = server.visitor()
        ann.request("PUT", "/me", json={"name": "Ann"})
        ann.request("PUT", "/consent", json={"agreed": True})
        for _ in range(12):
            ann.play_on(ann.begin("piglet"))
    folder = tmp_path / "study"
    answer = run("study", "--database", address, "--out", folder, "--json").solution
    [piglet] = answer["games"]
    assert (piglet["game"], piglet["people"], piglet["games"]) == ("piglet", 1, 12)
    assert answer.keys() == {"games", "files"}
    keys = "game people games decisions loss right experience growth skill precision leanings strategies"
    assert list(piglet) == [*keys.split(), "people_by_strategy"]
    rows = list(csv.DictReader((folder / "decisions.csv").read_text().splitlines()))
    assert len(rows) == piglet["decisions"]
    assert {row["person"] for row in rows} == {"0"}
    assert sum(float(row["loss"]) for row in rows) / len(rows) == pytest.approx(piglet["loss"])
    assert all(row["chosen"] in row["options"].split("|") for row in rows)
    stored = "".join(file.read_text(errors="replace") for file in folder.iterdir())
    assert "Ann" not in stored
    assert "codebook.md" in {file.name for file in folder.iterdir()}
    assert "How well do people play?" in (folder / "report.html").read_text()


def test_without_games_to_study_it_says_so(tmp_path: Path, run: Any) -> None:
    kept = tmp_path / "none.db"
    result = run("study", "--database", f"sqlite:///{kept}", "--out", tmp_path / "study")
    assert (result.code, kept.exists()) == (2, False)
    assert f"there is no database {kept}" in result.err
    Database(f"sqlite:///{kept}").close()
    result = run("study", "--database", f"sqlite:///{kept}", "--out", tmp_path / "study")
    assert result.code == 2
    assert "there are no games to study" in result.err
    assert not (tmp_path / "study").exists()
