"""`komi solve` and `komi value` of games without chance."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from komi.cli import main

DUEL = str(Path(__file__).parents[1] / "games" / "random_duel.py")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["komi", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


@pytest.fixture
def komi(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: run(monkeypatch, capsys, *arguments)


def test_solve_says_what_the_contract_promises(komi: Any) -> None:
    code, out, _ = komi("solve", "traffic-lights", "--json")
    solution = json.loads(out)
    assert code == 0
    assert (solution["game"], solution["value"], solution["plies"], solution["error_bound"]) == (
        "traffic-lights",
        "win",
        17,
        0,
    )
    assert solution["counts"] == {"win": 158354, "loss": 22046, "draw": 0, "terminal": 75808}
    assert solution["states"] == 180400
    assert len(solution["first_moves"]) == 9
    assert solution["first_moves"]["b2"] == {"value": "win", "plies": 17}
    assert set(solution["seconds"]) == {"compile", "solve", "total"}
    assert solution["rules"]["version"] == 1


def test_a_draw_has_no_plies(komi: Any) -> None:
    solution = json.loads(komi("solve", DUEL, "--set", "plan=6", "--set", "ends=3", "--json")[1])
    assert (solution["value"], solution["plies"]) == ("draw", None)


@pytest.mark.slow
def test_version_3_is_a_draw(komi: Any) -> None:
    solution = json.loads(komi("solve", "traffic-lights", "--set", "version=3", "--json")[1])
    assert (solution["value"], solution["plies"], len(solution["first_moves"])) == ("draw", None, 15)


def test_value_says_what_each_move_is_worth(komi: Any) -> None:
    solution = json.loads(komi("value", "traffic-lights", "--state", "r.......o", "--json")[1])
    assert (solution["value"], solution["plies"], solution["best"]) == ("loss", 18, "a1")
    assert solution["actions"]["b1"] == {"value": "loss", "plies": 2}


def test_people_read_who_wins_and_a_line_of_play(komi: Any) -> None:
    out = komi("solve", "traffic-lights")[1]
    assert "the first player wins in 17 plies" in out
    assert "A line of best play: b2 b2" in out
    assert "Next: komi value traffic-lights --state ....r...." in out


def test_one_position_is_singular(komi: Any) -> None:
    countdown = Path(__file__).parents[1] / "games" / "countdown.py"
    assert "\n1 position: the player to move wins 1," in komi("solve", str(countdown), "--set", "pile=1")[1]


def test_people_read_what_a_position_is_worth(komi: Any) -> None:
    assert "loses in 18 plies" in komi("value", "traffic-lights", "--state", "r.......o")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--state", "rrr......"], "rrr...... is over: the opponent of the player to move has won."),
        (["--set", "misere=yes", "--state", "ggg......"], "ggg...... is over: the player to move has won."),
        (["--state", "rog"], "it must have 9 squares, not 3."),
        (["--state", "rogb....."], "'b' is not a counter, only . (empty), r (red), o (orange) and g (green) are."),
        (["--set", "rows=7"], "rows of traffic-lights must be 1 to 4, not 7."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(komi: Any, arguments: list[str], message: str) -> None:
    code, out, err = komi("value", "traffic-lights", *arguments)
    assert (code, out) == (2, "")
    assert err.strip().splitlines()[-1].endswith(message)
