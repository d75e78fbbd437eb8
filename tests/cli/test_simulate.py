"""`komi simulate` and `komi moves` say what they should, and refuse what they should, in one sentence."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from komi.cli import main
from komi.simulation.run import SimulationRun

FOREST = Path(__file__).parents[2] / "examples" / "forest.py"


@pytest.fixture
def run(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["komi", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


def test_moves_lists_plays_and_discards_as_the_rules_name_them(run):
    state = "hands=R7+O3/Y1+G5/B2+I6,palettes=V4/G1+G2/I3,canvas=Y,seat=1,out=3"
    code, out, _ = run("moves", "red7", "--state", state, "--json")
    assert code == 0
    assert set(json.loads(out)["moves"]) == {"discard R7", "discard O3", "play R7, discard O3", "play O3, discard R7"}


def test_moves_lists_those_of_other_games(run):
    assert json.loads(run("moves", "pig", "--state", "score=10,turn=4", "--json")[1])["moves"] == ["roll", "hold"]


def test_no_one_moves_where_cards_are_dealt(run):
    assert json.loads(run("moves", "red7", "--json")[1])["moves"] == []


def test_one_json_object_has_what_is_promised(run):
    code, out, _ = run("simulate", "pig", "--games", "2e3", "--seed", 7, "--set", "goal=20", "--json")
    solution = json.loads(out)
    assert code == 0
    assert solution["games"] == 2000
    assert sum(solution["win_rate"]) == pytest.approx(1.0)
    assert len(solution["stderr"]) == 2
    assert {"mean", "stderr", "min", "max", "histogram"} <= solution["turns"].keys()
    assert sum(solution["turns"]["histogram"].values()) == 2000
    assert solution["games_per_second"] > 0


def test_people_read_a_table(run):
    code, out, _ = run("simulate", "pig", "--games", 2000, "--policy", "hold-at:20", "--policy", "random")
    assert code == 0
    assert "hold-at:20" in out
    assert "±" in out


def test_many_rule_sets_are_rows_of_a_table(run, tmp_path):
    path = tmp_path / "seen.csv"
    arguments = ("simulate", "piglet", "--games", 50, "--vary", "goal=0..2", "--vary", "players=2,3")
    code, out, err = run(*arguments, "--table", path)
    assert code == 0
    assert err.endswith("komi: skipped 2 rule sets that the limits of piglet do not allow.\n")
    assert "player 3" in out
    assert "4 rule sets with the same random numbers, 200 games in all" in out
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [(row["goal"], row["players"]) for row in rows] == [("1", "2"), ("1", "3"), ("2", "2"), ("2", "3")]
    found = json.loads(run(*arguments, "--json")[1])
    assert [row["win_rate"][0] for row in found["rows"]] == [float(row["first"]) for row in rows]


def test_what_is_of_one_rule_set_is_refused_for_many(run, tmp_path):
    vary = ("simulate", "piglet", "--games", 50, "--vary", "goal=1..2")
    assert "--plot draws the results of one rule set" in run(*vary, "--plot", tmp_path / "seen.png")[2]
    (tmp_path / "kept.npz").touch()
    assert (
        "is a file: the results of many rule sets are kept in a folder"
        in run(*vary, "--keep", tmp_path / "kept.npz")[2]
    )


def test_notes_explain_rows(run):
    brackets, discount = "brackets are a 95 % confidence interval", "Lengths are those of play until it stops."
    assert brackets in run("simulate", "piglet", "--games", 50, "--vary", "goal=1..2")[1]
    assert brackets not in run("simulate", "piglet", "--games", 500, "--vary", "goal=1..2")[1]
    forest = ("simulate", FOREST, "--games", 10, "--vary")
    assert "A discount of 0.9 per action" in run(*forest, "fire=0.1,0.2")[1]
    out = run(*forest, "discount=0.5,0.6")[1]
    assert discount in out
    assert "0.5 per action" not in out


def test_ctrl_c_before_anything_is_complete_leaves_a_table(run, tmp_path, monkeypatch):
    path = tmp_path / "seen.csv"
    path.write_text("before")
    monkeypatch.setattr(SimulationRun, "check", interrupt)
    code, out, err = run("simulate", "piglet", "--games", 50, "--vary", "goal=1..2", "--table", path)
    assert (code, out) == (130, "")
    assert err.endswith("komi: stopped after 0 rule sets.\n")
    assert path.read_text() == "before"


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_table_is_written(run, tmp_path):
    path = tmp_path / "seen.csv"
    assert run("simulate", "pig", "--games", 500, "--table", path)[0] == 0
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert {"win_rate", "turns", "still_running", "moves_at_least"} <= {row["quantity"] for row in rows}


def test_a_parquet_table_is_the_same(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "seen.parquet"
    assert run("simulate", "pig", "--games", 500, "--table", path)[0] == 0
    table = parquet.read_table(path)
    assert table.column_names == ["quantity", "at", "seat", "value", "stderr", "low", "high"]
    assert "win_rate" in table["quantity"].to_pylist()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["red7", "--set", "players=1"], "players of red7 must be 2 to 4, not 1"),
        (["red7", "--set", "players=9"], "players of red7 must be 2 to 4, not 9"),
        (["red7", "--set", "draw=often"], "draw of red7 must be one of after, before, none"),
        (["pig", "--games", "0"], "games must be 1 to"),
        (["pig", "--games", "many"], "--games takes a whole number, not 'many'"),
        (["pig", "--games", "1.5"], "--games takes a whole number"),
        (["pig", "--games", "inf"], "--games takes a whole number"),
        (["pig", "--deals", "5", "--games", "5"], "give one of a number of games, a number of deals, or"),
        (["pig", "--table", "seen.txt"], "seen.txt must end in .csv or .parquet"),
        (["red7", "--policy", "optimal"], "policy optimal needs the game solved"),
        (["red7", "--policy", "thrifty", "--policy", "random"], "for 3 players, not for 2 policies"),
        (["red7", "--policy", "nowhere.py:best"], "there is no file"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_one_sentence_and_exit_code_two(run, arguments, complaint):
    code, out, err = run("simulate", *arguments)
    assert code == 2
    assert complaint in err
    assert out == ""
    assert "Traceback" not in err


@pytest.mark.slow
def test_one_player_reads_points_or_a_chance(run: Any) -> None:
    code, out, _ = run("simulate", "think", "--games", "2000", "--set", "turns=2")
    assert code == 0
    assert "expected points" in out
    assert "wins" not in out
    solution = json.loads(run("simulate", "think", "--games", "2000", "--set", "turns=2", "--json")[1])
    assert solution["objective"] == "expected points"
    assert solution["value"]["mean"] > 1
    _, out, _ = run("simulate", "pig-solitaire", "--games", "2000", "--set", "goal=12", "--set", "turns=3")
    assert "chance of reaching the goal" in out
