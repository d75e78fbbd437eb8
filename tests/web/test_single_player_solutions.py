"""Several who play alone: the game is solved for one, and the strongest opponent plays by that."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import komi

from playing import Json, Server, Visitor

FILE = Path(__file__).parents[1] / "games" / "two_cards.py"
PATIENCE = 240  # seconds


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Visitor]:
    file = shutil.copy(FILE, tmp_path / "cards.py")  # the page takes no names with a line below
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", files=[str(file)]) as server:
        yield server.visitor()


def prepared(ann: Visitor, opponent: str) -> Json:
    for _ in range(4 * PATIENCE):
        request = {"game": "cards", "rules": {}, "opponent": opponent}
        status, answer = ann.patiently("POST", "/preparations", json=request)
        assert status in (200, 202), answer
        if status == 200:
            return answer
        time.sleep(0.25)
    raise AssertionError("it is not ready")


@pytest.mark.slow
def test_strongest_opponent_is_prepared_and_plays_its_own_game_optimally(ann: Visitor) -> None:
    assert prepared(ann, "hard")["error"] is None
    solution = komi.solve(str(FILE), players=1)
    for _ in range(3):
        game = ann.play_on(ann.begin("cards", "hard", seat="second"))
        states = [game["start"]["state"], *(line["state"] for line in game["log"])]
        decided = [
            (states[line["number"]], line["label"])
            for line in game["log"]
            if (line["by"], line["kind"]) == ("computer", "action")
        ]
        assert decided
        for state, label in decided:
            assert label == solution.best({name: state[name] for name in ("boxes", "rolls", "die")})
        assert sum(game["result"]["payoffs"]) == 1
    assert ann.request("GET", f"/games/{game['id']}/review")[0] == 404


@pytest.mark.slow
def test_policy_that_does_not_fit_is_refused(ann: Visitor) -> None:
    prepared(ann, "hard")
    status, answer = ann.request("POST", "/games", json=ann.game_request("cards", "hold-at:20"))
    assert (status, "needs states with a 'turn'" in answer["error"]) == (422, True)
