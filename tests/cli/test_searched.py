"""`komi solve` and `komi value` of games that have too many positions to list."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from komi.cli import main

ROOT = Path(__file__).parents[2]
CONNECT_FOUR = (str(ROOT / "examples" / "connect_four.py"), "--set", "columns=5", "--set", "rows=3")
KALAH = (str(ROOT / "examples" / "kalah.py"), "--set", "houses=3", "--set", "seeds=4")


@pytest.fixture
def komi(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setenv("KOMI_MAX_STATES", "5000")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["komi", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return run


def test_solve_says_that_it_knows_the_start_alone(komi: Any) -> None:
    code, out, _ = komi("solve", *CONNECT_FOUR)
    assert code == 0
    assert "With best play on both sides neither player can force a win: it is a draw." in out
    assert "This is the value of the start alone: there are too many positions to list." in out
    assert "rests on the hint 'symmetries'" in out


def test_solve_prints_the_keys_of_the_contract(komi: Any) -> None:
    _, out, _ = komi("solve", *CONNECT_FOUR, "--json")
    solution = json.loads(out)
    assert (solution["game"], solution["value"], solution["error_bound"]) == ("connect-four", "draw", 0.0)
    assert solution["rules"] == {"columns": 5, "rows": 3, "line": 4}
    assert {"states", "seconds", "best", "table_bytes", "proved", "relies_on"} <= solution.keys()
    assert solution["plies"] is None
    assert solution["solved"] == "start"


def test_points_are_proved_without_hints(komi: Any) -> None:
    _, out, _ = komi("solve", *KALAH, "--json")
    solution = json.loads(out)
    assert solution["solved"] == "start"
    assert solution["proved"]
    assert solution["objective"] == "expected margin"
    assert 0.0 < solution["error_bound"] < 1e-12


def test_value_searches_a_state_and_its_actions(komi: Any) -> None:
    _, out, _ = komi("value", *KALAH, "--json")
    value = json.loads(out)
    assert max(value["actions"].values()) == value["value"]
    assert value["actions"][value["best"]] == value["value"]
    code, out, _ = komi("value", *CONNECT_FOUR)
    assert code == 0
    assert "The player to move can force a draw, no more, with best play." in out


@pytest.mark.parametrize("command", ["match", "measure", "table"])
def test_commands_that_need_all_positions_refuse(komi: Any, command: str) -> None:
    policies = ("optimal", "random") if command == "match" else ()
    code, _, err = komi(command, CONNECT_FOUR[0], *policies, *CONNECT_FOUR[1:])
    assert code == 2
    assert "connect-four has more than 5,000 states" in err
