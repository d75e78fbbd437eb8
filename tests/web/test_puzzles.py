"""The puzzle of the day: the same for all players, answered once, and solved only then."""

import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.play.puzzles import daily_puzzle
from komi.play.table import Table
from komi.rules import catalog
from komi.web import puzzles
from komi.web.preview import has_picture

from playing import Server

DAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def piglet() -> Any:
    return komi.solve("piglet")


def chosen(visitor: Any, game: str) -> Any:
    """Return the puzzle, once the server has chosen it."""
    for _ in range(600):
        status, answer = visitor.patiently("GET", f"/puzzles/{game}")
        if status != 503:
            assert status == 200, answer
            return answer
        time.sleep(0.2)
    raise AssertionError(answer)


def test_a_day_has_one_puzzle_with_one_clear_answer(piglet: Any) -> None:
    found = [daily_puzzle(piglet, DAY + timedelta(days=days)) for days in (0, 0, 1, 2)]
    assert found[0] == found[1]
    assert len({puzzle.labels for puzzle in found if puzzle}) == 3
    for puzzle in found:
        assert puzzle is not None
        table = Table(piglet.game, piglet.rules, puzzle.labels)
        assert table.mover == puzzle.seat
        assert puzzle.values == pytest.approx(piglet.actions(table.state))
        best, second, *_ = puzzle.values.values()
        assert best > second
        assert puzzle.best == piglet.best(table.state)


def test_answers_are_reported_after_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "today", lambda: DAY)
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        ann, bob = server.visitor(), server.visitor()
        daily = chosen(ann, "piglet")
        assert (daily["answered"], daily["worth"], daily["best"], daily["others"]) == (None, None, None, {})
        assert chosen(bob, "piglet")["position"]["log"] == daily["position"]["log"]
        wrong, right = sorted(daily["options"], key=lambda label: label == _best(daily))
        answer = {"day": daily["day"], "label": right}
        answered = ann.patiently("POST", "/puzzles/piglet", json=answer)[1]
        assert (answered["answered"], answered["best"], answered["others"], answered["streak"]) == (
            right,
            right,
            {right: 1},
            1,
        )
        again = ann.patiently("POST", "/puzzles/piglet", json=answer | {"label": wrong})[1]
        assert again["answered"] == right
        others = bob.patiently("POST", "/puzzles/piglet", json=answer | {"label": wrong})[1]
        assert others["others"] == {right: 1, wrong: 1}
        assert others["streak"] == 0
        (summary,) = [one for one in ann.get("/puzzles")["puzzles"] if one["game"] == "piglet"]
        assert (summary["streak"], summary["answers"]) == (1, {"2026-11-22": True})
        assert "red7" not in [one["game"] for one in ann.get("/puzzles")["puzzles"]]
        old = chosen(ann, "piglet?day=2026-11-21")
        assert old["position"]["log"] != daily["position"]["log"]
        late = answer | {"day": "2026-11-21", "label": _best(old)}
        assert ann.patiently("POST", "/puzzles/piglet", json=late)[1]["best"] == _best(old)
        assert chosen(ann, "piglet?day=2026-11-21")["answered"] is None  # it counts on its own day alone
        for day in ("2026-11-23", "2026-10-23", "2026-13-01"):
            assert ann.patiently("GET", f"/puzzles/piglet?day={day}")[0] == 404
            assert ann.patiently("POST", "/puzzles/piglet", json=answer | {"day": day})[0] == 404
        assert bob.patiently("POST", "/puzzles/piglet", json=answer | {"label": "fly"})[0] == 422
        assert ann.patiently("GET", "/puzzles/red7")[0] == 404


def _best(daily: Any) -> str:
    state = daily["position"]["state"]
    solution = komi.solve("piglet")
    return str(solution.best(",".join(f"{name}={value}" for name, value in state.items())))


def test_picture_shows_the_position_before_and_after_the_answer_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "today", lambda: DAY)
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        ann, bob = server.visitor(), server.visitor()
        daily = chosen(ann, "piglet")
        assert daily["picture"]
        address = f"/api/puzzles/piglet/{daily['day']}.png"
        before = ann.client.get(address)
        assert before.headers["content-type"] == "image/png"
        ann.request("POST", "/puzzles/piglet", json={"day": daily["day"], "label": daily["options"][0]})
        assert ann.client.get(address).content == bob.client.get(address).content == before.content
        german = ann.client.get(address, headers={"accept-language": "de"})
        assert german.content != before.content
        assert ann.client.get("/api/puzzles/piglet/1999-01-01.png").status_code == 404


def test_games_whose_dice_are_kept_have_no_picture() -> None:
    assert [has_picture(catalog.find(name)) for name in ("pig", "skunk", "traffic-lights", "yahtzee")] == [1, 1, 1, 0]
