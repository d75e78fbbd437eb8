"""A solved game with hidden cards: the strongest opponent plays by what it observes, and the review knows all."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import komi

from playing import Server, Visitor

FILE = Path(__file__).parents[2] / "examples" / "kuhn_poker.py"
PATIENCE = 240  # seconds


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Visitor]:
    file = shutil.copy(FILE, tmp_path / "kuhn.py")
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", files=[str(file)]) as server:
        yield server.visitor()


@pytest.mark.slow
def test_strongest_opponent_plays_the_equilibrium_and_the_game_is_reviewed(ann: Visitor) -> None:
    for _ in range(4 * PATIENCE):
        request = {"game": "kuhn", "rules": {}, "opponent": "hard"}
        status, answer = ann.patiently("POST", "/preparations", json=request)
        if status == 200:
            break
        time.sleep(0.25)
    assert answer["error"] is None
    solution = komi.solve(FILE)
    for _ in range(5):
        begun = ann.begin("kuhn", "hard")
        assert begun["log"][0]["label"] == "hidden"
        game = ann.play_on(begun)
        states = [game["start"]["state"], *(line["state"] for line in game["log"])]
        for line in game["log"]:
            if (line["by"], line["kind"]) == ("computer", "action"):
                assert solution.mixed(states[line["number"]])[line["label"]] > 0.0
        assert sum(game["result"]["points"]) == 0
        review = ann.get(f"/games/{game['id']}/review")
        assert review["start"] == pytest.approx(-1 / 18)
        for decision in review["decisions"]:
            assert decision["loss"] >= 0.0
