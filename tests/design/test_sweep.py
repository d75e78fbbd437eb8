"""Sweeps: every rule set once, whatever the number of workers, and nothing lost."""

import csv
import itertools
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import komi
from komi.design import openings
from komi.design.ranges import read_values
from komi.design.sweep import Sweep
from komi.evaluation import policy_evaluator

from rulefiles import write

VARY = {"red": range(1, 3), "green": [4, 6], "goal": [4, 6], "komi": range(3)}
ARGUMENTS = ["sweep", "red-light", "--vary", "red=1,2", "--vary", "green=4,6", "--vary", "goal=4..6:2"]


def numbers(sweep: Sweep) -> dict[Any, Any]:
    return {row.rules: row.opening for row in sweep.rows}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return komi.sweep("red-light", VARY, store=tmp_path_factory.mktemp("swept") / "store", workers=1)


def test_each_row_is_what_solving_it_alone_says(swept: Sweep) -> None:
    assert len(swept.rows) == 2 * 2 * 2 * 3
    for row in swept.rows:
        alone = komi.solve("red-light", **row.rules._asdict())
        assert abs(row.opening.first - alone.value()) <= row.opening.error_bound + alone.error_bound


def test_two_workers_say_what_one_says(swept: Sweep, tmp_path: Path) -> None:
    assert numbers(komi.sweep("red-light", VARY, store=tmp_path / "store", workers=2)) == numbers(swept)


def test_rows_are_best_first(swept: Sweep) -> None:
    unfairness = [row.opening.unfairness for row in swept.rows]
    assert unfairness == sorted(unfairness)


def test_rows_within_the_target_come_first(swept: Sweep) -> None:
    found = komi.sweep("red-light", VARY, target_actions=(12, 16))
    within = [12 <= row.opening.expected_actions <= 16 for row in found.rows]
    assert any(within)
    assert within == sorted(within, reverse=True)
    for _, rows in itertools.groupby(found.rows, lambda row: 12 <= row.opening.expected_actions <= 16):
        unfairness = [row.opening.unfairness for row in rows]
        assert unfairness == sorted(unfairness)


def test_no_row_is_both_fairer_and_shorter_than_one_of_the_front(swept: Sweep) -> None:
    front = {row.rules for row in swept.front()}
    for row in swept.rows:
        beaten = any(
            other.opening.unfairness <= row.opening.unfairness
            and other.opening.expected_actions <= row.opening.expected_actions
            for other in swept.rows
            if other is not row
        )
        assert (row.rules in front) != beaten


def test_rule_sets_that_differ_in_komi_share_a_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    survey = policy_evaluator.find_reachable

    def counted(transitions: Any, starts: Any, **options: Any) -> Any:
        solved.append(len(starts))
        return survey(transitions, starts, **options)

    monkeypatch.setattr(policy_evaluator, "find_reachable", counted)
    komi.sweep("red-light", VARY, store=tmp_path / "store", workers=1)
    assert solved == [3] * 8
    komi.sweep("red-light", VARY, store=tmp_path / "store", workers=1)
    assert len(solved) == 8  # a second time nothing is solved
    komi.sweep("red-light", VARY | {"komi": range(4)}, store=tmp_path / "store", workers=1)
    assert solved[8:] == [1] * 8  # and only what is new is added


def test_rule_sets_that_the_limits_forbid_are_skipped_and_counted(run: Any) -> None:
    ended = run("sweep", "red-light", "--vary", "goal=4..6", "--vary", "komi=3..5", "--set", "green=6", "--json")
    assert ended.code == 0
    assert ended.err == "komi: skipped 3 rule sets that the limits of red-light do not allow.\n"
    assert ended.solution["forbidden"] == 3
    assert len(ended.solution["rows"]) == 6


def test_rule_set_without_a_provable_answer_does_not_stop_the_others(tmp_path: Path) -> None:
    """With a chance of 0 to lose the turn, and of 0 to gain, play never ends."""
    path = write(
        tmp_path,
        ("    goal: int = 5\n", "    goal: int = 5\n    faces: int = 3\n"),
        (
            "yield 1 / 3, State(rival, score, 0), 1\n",
            "yield 1 / 3, State(rival, score, 0), 1\n    moved = 1 if rules.faces > 2 else 0\n",
        ),
        ("turn + face)", "turn + face * moved)"),
        ("    yield HOLD\n", "    if rules.faces > 2:\n        yield HOLD\n"),
    )
    found = komi.sweep(str(path), {"faces": [2, 3]}, store=tmp_path / "store")
    assert [row.rules.faces for row in found.rows] == [3]
    assert [rules.faces for rules, _ in found.unsolved] == [2]
    with pytest.raises(komi.SolveError):
        komi.sweep(str(path), {"faces": [2]}, store=tmp_path / "store")


@pytest.mark.slow
def test_game_that_has_changed_gets_no_rows_of_what_it_was(tmp_path: Path) -> None:
    before = komi.sweep(str(write(tmp_path)), {"goal": [4, 5]}, store=tmp_path / "store")
    path = write(tmp_path, ("for face in (2, 3):", "for face in (1, 3):"))
    after = komi.sweep(str(path), {"goal": [4, 5]}, store=tmp_path / "store")
    assert after.found == 0
    assert {row.opening.first for row in before.rows}.isdisjoint(row.opening.first for row in after.rows)


def started(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", "from komi.cli import main; main()", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy())


def rows_in(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(store) as connection:
            return int(connection.execute("SELECT count(*) FROM openings").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet, or being written just now
        return 0


@pytest.mark.parametrize("blow", [pytest.param(signal.SIGKILL, marks=pytest.mark.slow), signal.SIGINT])
def test_sweep_that_was_stopped_continues_where_it_was(tmp_path: Path, blow: signal.Signals) -> None:
    store = tmp_path / "store"
    vary = {"green": range(20, 28), "goal": [24]}
    sweeping = started("sweep", "red-light", "--vary", "green=20..27", "--set", "goal=24", "--store", str(store))
    deadline = time.monotonic() + 120
    while rows_in(store) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    sweeping.send_signal(blow)
    _, err = sweeping.communicate(timeout=60)
    assert sweeping.returncode == (130 if blow == signal.SIGINT else -signal.SIGKILL), err
    assert "Traceback" not in err
    kept = rows_in(store)
    assert 3 <= kept < 8
    again = komi.sweep("red-light", vary, store=store)
    assert again.found == kept
    assert rows_in(store) == len(again.rows) == 8
    assert numbers(again) == numbers(komi.sweep("red-light", vary, store=tmp_path / "other"))


def test_full_disk_loses_no_row(run: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"
    komi.sweep("red-light", {"green": [6]}, store=store, goal=8)
    size = store.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        ended = run(*ARGUMENTS, "--vary", "komi=0..3", "--store", store, "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ended.code == 2
    assert ended.err.startswith(f"komi: cannot store results in {store} (")
    assert ended.err.count("\n") == 1
    assert len(ended.solution["rows"]) == 2 * 2 * 2 * 4
    assert rows_in(store) >= 1


def test_damaged_store_is_reported_as_such(run: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run(*ARGUMENTS, "--store", store).code == 0
    contents = store.read_bytes()
    store.write_bytes(contents[:4096] + b"\xff" * (len(contents) - 4096))
    ended = run(*ARGUMENTS, "--store", store)
    assert ended.code == 2
    assert ended.err == (
        f"komi: {store} is damaged (database disk image is malformed): move it away, or name another file.\n"
    )


def test_store_of_another_version_is_left_alone(run: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"
    komi.sweep("red-light", {"green": [6]}, store=store, goal=8)
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = store.read_bytes()
    ended = run(*ARGUMENTS, "--store", store)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        f"komi: {store} is a store of format 99, but this version of komi writes format 2: name another file.\n"
    )
    assert store.read_bytes() == before


def test_database_of_something_else_is_left_alone(run: Any, tmp_path: Path) -> None:
    store = tmp_path / "other.sqlite"
    with sqlite3.connect(store) as connection:
        connection.execute("CREATE TABLE openings (chess TEXT)")
    before = store.read_bytes()
    ended = run(*ARGUMENTS, "--store", store)
    assert (ended.code, ended.err) == (
        2,
        f"komi: {store} is a database, but not a store of sweeps: name another file.\n",
    )
    assert store.read_bytes() == before


def test_file_that_is_not_a_database_is_left_alone(run: Any, tmp_path: Path) -> None:
    store = tmp_path / "letter.txt"
    store.write_text("Dear Sir or Madam,\n" * 100)
    ended = run(*ARGUMENTS, "--store", store)
    assert (ended.code, ended.err) == (2, f"komi: {store} is not a store of sweeps: name another file.\n")
    assert store.read_text().startswith("Dear Sir")


def test_tables_hold_all_rows_best_first(run: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra 'tables'")
    files = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    solution = run(*ARGUMENTS, "--json", "--output", files[0], "--output", files[1]).solution
    with files[0].open() as file:
        written = list(csv.DictReader(file))
    assert [float(row["first"]) for row in written] == [row["first"] for row in solution["rows"]]
    assert [{name: int(row[name]) for name in ("goal", "red", "green", "komi")} for row in written] == [
        row["rules"] for row in solution["rows"]
    ]
    assert parquet.read_table(files[1])["expected_actions"].to_pylist() == [
        row["expected_actions"] for row in solution["rows"]
    ]


def test_rows_in_the_target_are_marked(run: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra 'tables'")
    files = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    target = "--target-actions", "5..13"  # piglet: 7 actions to goal 2, 12.9 to 3, 18.2 to 4, 24.1 to 5
    ended = run("sweep", "piglet", "--vary", "goal=2..5", *target, "--output", files[0], "--output", files[1])
    marked = [line.split()[-1] for line in ended.out.splitlines()[1:5]]
    assert marked == ["yes", "yes", "no", "no"]
    assert "2 of 4 rule sets in the target: games of 5 to 13 expected actions." in ended.out
    with files[0].open() as file:
        assert [row["in_target"] for row in csv.DictReader(file)] == ["True", "True", "False", "False"]
    assert parquet.read_table(files[1])["in_target"].to_pylist() == [True, True, False, False]
    solution = run("sweep", "piglet", "--vary", "goal=2..5", *target, "--json").solution
    assert [row["in_target"] for row in solution["rows"]] == [True, True, False, False]


def test_target_that_no_row_is_in_is_said(run: Any) -> None:
    out = run("sweep", "piglet", "--vary", "goal=2..5", "--target-actions", "1000..2000").out
    sentence = "No rule set is in the target, games of 1,000 to 2,000 expected actions: the nearest has 24.116."
    assert sentence in out
    assert "in target" not in out.splitlines()[0]


def test_without_a_target_no_row_is_in_one_or_not(run: Any, tmp_path: Path) -> None:
    solution = run(*ARGUMENTS, "--json", "--output", tmp_path / "rows.csv").solution
    assert {row["in_target"] for row in solution["rows"]} == {None}
    assert "in_target" not in (tmp_path / "rows.csv").read_text()


def test_picture_is_drawn(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
    ended = run(*ARGUMENTS, "--plot", tmp_path / "sweep.png", "--target-actions", "15..20")
    assert ended.code == 0, ended.err
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")


BAD = {  # what is wrong: (arguments after the game, what the sentence says)
    "nothing to vary": ([], "no rules to vary"),
    "unknown rule": (["--vary", "grean=1..2"], "red-light has no rule 'grean' (did you mean 'green'?)"),
    "no range": (["--vary", "green"], "--vary takes name=lo..hi, not 'green'"),
    "empty range": (["--vary", "green="], "--vary takes name=lo..hi, not 'green='"),
    "reversed range": (["--vary", "green=9..3"], "the range green=9..3 is empty"),
    "open range": (["--vary", "green=9.."], "rule 'green' of red-light must be a whole number, not ''"),
    "words for numbers": (["--vary", "green=few,many"], "must be a whole number, not 'few'"),
    "step of 0": (["--vary", "green=1..9:0"], "the step of green=1..9:0 must be 1 or more"),
    "rule varied twice": (["--vary", "red=1", "--vary", "red=2"], "--vary names rule 'red' twice"),
    "rule set and varied": (["--vary", "red=1..2", "--set", "red=3"], "rule 'red' is both set and varied"),
    "all forbidden": (["--vary", "red=51..60"], "red of red-light must be 1 to 50, not 60"),
    "too many": (["--vary", "red=1..50", "--vary", "green=1..99999"], "there are 4,999,950 rule sets"),
    "far too many": (["--vary", "red=1..999999999999"], "there are 999,999,999,999 rule sets"),
    "reversed target": (["--vary", "red=1..2", "--target-actions", "9..3"], "the target 9..3 is empty"),
    "no target": (["--vary", "red=1..2", "--target-actions", "long"], "a target is two numbers"),
    "unknown table": (["--vary", "red=1..2", "--output", "rows.xls"], "rows.xls must end in .csv or .parquet"),
    "folder that is not there": (["--vary", "red=1", "-o", "/nowhere/rows.csv"], "there is no folder /nowhere"),
    "unknown picture": (["--vary", "red=1..2", "--plot", "rows.gif"], "must end in .png, .svg or .pdf"),
    "no workers": (["--vary", "red=1..2", "--workers", "0"], "there must be at least 1 worker, not 0"),
    "store nowhere": (["--vary", "red=1", "--store", "/nowhere/store"], "cannot store results in /nowhere/store"),
}


@pytest.mark.parametrize(("arguments", "sentence"), BAD.values(), ids=BAD)
def test_bad_input_is_reported_in_one_sentence(run: Any, arguments: list[str], sentence: str) -> None:
    ended = run("sweep", "red-light", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.startswith("komi: ")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("package", "arguments"),
    [
        ("matplotlib", ["--plot", "sweep.png"]),
        ("pyarrow", ["--output", "rows.parquet"]),
        ("ray", ["--cluster", "auto"]),
    ],
)
def test_missing_extra_is_named(run: Any, monkeypatch: pytest.MonkeyPatch, package: str, arguments: list[str]) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    ended = run(*ARGUMENTS, "--vary", "komi=3", *arguments)
    assert ended.code == 2
    assert "pip install 'komi[" in ended.err
    assert ended.err.count("\n") == 1


def test_row_whose_bits_have_flipped_is_solved_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    found = komi.sweep("red-light", {"green": [6, 7]}, store=store, goal=8)
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE openings SET first = first + 0.001 WHERE rowid = 1")
    connection.close()
    again = komi.sweep("red-light", {"green": [6, 7]}, store=store, goal=8)
    assert again.found == 1
    assert numbers(again) == numbers(found)


def test_a_storage_error_ends_a_sweep(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve = openings.solve_openings

    def full(compiled: Any, rule_sets: Any, *others: Any, **options: Any) -> Any:
        if rule_sets[0].green == 7:
            raise komi.StorageError("cannot keep compiled code: make room.")
        return solve(compiled, rule_sets, *others, **options)

    monkeypatch.setattr(openings, "solve_openings", full)
    store = tmp_path / "store"
    ended = run("sweep", "red-light", "--vary", "green=6..8", "--set", "goal=8", "--store", store, "--json")
    assert ended.code == 2
    assert ended.err.endswith("komi: cannot keep compiled code: make room.\n")
    assert [row["rules"]["green"] for row in ended.solution["rows"]] != []
    assert rows_in(store) == 2


REACH = ("sweep", "pig-solitaire", "--set", "goal=12")


@pytest.mark.slow
def test_games_for_one_player_are_swept_best_first(run: Any) -> None:
    solution = run(*REACH, "--vary", "turns=1..4", "--reaching", "0.5", "--json").solution
    assert solution["objective"] == "chance of reaching the goal"
    values = [row["value"] for row in solution["rows"]]
    assert values == sorted(values, reverse=True)
    alone = [komi.solve("pig-solitaire", goal=12, turns=turns).value() for turns in (1, 2, 3, 4)]
    assert values == pytest.approx(alone[::-1], abs=1e-9)
    least = next(turns for turns, value in enumerate(alone, 1) if value >= 0.5)
    assert solution["reaching"]["rules"]["turns"] == least


@pytest.mark.slow
def test_people_read_the_first_rule_set_that_reaches_a_value(run: Any) -> None:
    found = run(*REACH, "--vary", "turns=1..4", "--reaching", "0.6").out
    assert "The first with a chance of reaching the goal of 0.6 or better: turns 2" in found
    assert "No rule set has a chance of reach" in run(*REACH, "--vary", "turns=1..2", "--reaching", "0.99").out


@pytest.mark.slow
def test_where_the_least_is_wanted_less_is_better() -> None:
    found = komi.sweep("pig-solitaire", {"goal": [9, 6, 12]}, objective="turns")
    assert [row.rules.goal for row in found.rows] == [6, 9, 12]
    assert found.first_reaching(found.rows[1].opening.first).rules.goal == 9


HOP = str(Path(__file__).parents[1] / "docs" / "hop.py")


def test_sweeps_for_three_list_each_seat_and_begin_with_the_fairest(run: Any, tmp_path: Path) -> None:
    vary = ("--vary", "players=2..3", "--vary", "komi=0..1", "--set", "goal=3")
    ended = run("sweep", HOP, *vary, "-o", tmp_path / "rows.csv", "--json")
    rows = ended.solution["rows"]
    assert len(rows) == 4
    for row in rows:
        if row["rules"]["players"] == 3:
            seats = komi.solve(HOP, **row["rules"]).seat_values()
            assert row["seats"] == pytest.approx(seats, abs=1e-9)
            assert row["unfairness"] == pytest.approx(max(abs(value - 1 / 3) for value in seats), abs=1e-9)
    assert [row["unfairness"] for row in rows] == sorted(row["unfairness"] for row in rows)
    table = (tmp_path / "rows.csv").read_text().splitlines()
    assert "first,seat_2,seat_3,unfairness" in table[0]
    assert "player 3" in run("sweep", HOP, *vary).out


def test_sweeps_where_interests_are_not_opposed_say_why_not() -> None:
    game = str(Path(__file__).parents[2] / "examples" / "centipede.py")
    with pytest.raises(komi.SolveError, match="each seat has a value of its own"):
        komi.sweep(game, {name: [value] for name, value in komi.find(game).default_rules._asdict().items()})


@pytest.mark.slow
def test_sweeps_of_simultaneous_choice_say_what_each_solution_says() -> None:
    found = komi.sweep("skunk", {"komi": [0, 1]}, goal=4, ending="first")
    assert [row.opening.first for row in found.rows] == [
        komi.solve("skunk", goal=4, ending="first", komi=row.rules.komi).value() for row in found.rows
    ]
    length = komi.match("skunk", "optimal", "optimal", goal=4, ending="first").first.actions
    assert found.rows[0].opening.expected_actions == length


@pytest.mark.slow
def test_sweeps_of_simultaneous_choice_keep_the_rows_of_what_can_be_solved() -> None:
    found = komi.sweep("skunk", {"komi": [0, 1], "ending": ["first", "higher"]}, goal=4)
    assert [row.rules.ending for row in found.rows] == ["first", "first"]
    assert {rules.ending for rules, _ in found.unsolved} == {"higher"}


@pytest.mark.parametrize("damage", ["header", "pages", "text", "version", "folder"])
def test_damaged_store_of_the_cache_is_made_anew(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_folder: Path, damage: str
) -> None:
    monkeypatch.setattr("komi.design.store.folder", lambda kind: tmp_path)
    arguments = ("sweep", "red-light", "--set", "goal=8", "--vary", "green=6,7", "--json")
    found = run(*arguments).solution
    [store] = tmp_path.iterdir()
    whole = store.read_bytes()
    if damage == "folder":
        store.unlink()
        (store / "inside").mkdir(parents=True)
    else:
        store.write_bytes(
            {
                "header": b"\xff" * 100 + whole[100:],
                "pages": whole[:4096] + b"\xff" * (len(whole) - 4096),
                "text": b"Dear Sir or Madam,",
                "version": whole[:60] + b"\xff" + whole[61:],
            }[damage]
        )
    ended = run(*arguments)
    assert (ended.code, ended.solution) == (0, found)
    assert ended.err == (
        f"komi: {store} is damaged and is recreated: stored results of earlier sweeps are computed again\n"
    )
    assert run(*arguments).err == ""


def test_fractions_are_varied_by_a_step_as_decimal_numbers() -> None:
    game = komi.find("piglet")
    heads: Any = SimpleNamespace(name="coin", setting=lambda name, value: float(value))
    assert list(read_values(heads, "heads", "0.1..0.5:0.1")) == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert list(read_values(heads, "heads", "1.0..2.0:0.25")) == [1.0, 1.25, 1.5, 1.75, 2.0]
    assert list(read_values(heads, "heads", "-0.3..0.45:0.5")) == [-0.3, 0.2]
    assert list(read_values(game, "goal", "3..5")) == [3, 4, 5]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1.0..2.0", "heads of coin is a fraction: give a step, such as heads=1.0..2.0:0.25."),
        ("2.0..1.0:0.5", "the range heads=2.0..1.0:0.5 is empty"),
        ("1.0..2.0:0", "must have finite ends and a step above 0"),
        ("1.0..inf:1", "must have finite ends and a step above 0"),
        ("1.0..2.0:1e-9", "has more than 1,000,000 values: use a larger step"),
    ],
)
def test_ranges_of_fractions_that_make_no_sense_are_refused(text: str, sentence: str) -> None:
    heads: Any = SimpleNamespace(name="coin", setting=lambda name, value: float(value))
    with pytest.raises(komi.InputError, match=re.escape(sentence)):
        read_values(heads, "heads", text)


DICE = '''"""A die for each turn: the rules choose what is worth what, and whether more is better."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("low", "high")


class Rules(NamedTuple):
    fewest: int = 0
    unknown: int = 0
    broken: int = 0


class State(NamedTuple):
    step: int


def aim(rules):
    return "least" if rules.fewest else "most"


def objective(rules):
    return "expected cost" if rules.fewest else "expected points"


def no_value(rules):
    return "no proof" if rules.unknown else ""


def start(rules):
    return State("?") if rules.broken else State(0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 0.5, State(state.step + 1), 0
    yield 0.5, State(state.step + 2), 0


def reward(rules, state, action, after):
    return 1.0 if action == 0 else 2.0


def over(rules, state):
    return state.step >= 3


def payoff(rules, state):
    return 0.0
'''


@pytest.fixture
def dice(tmp_path: Path) -> str:
    (tmp_path / "dice.py").write_text(DICE)
    return str(tmp_path / "dice.py")


def test_rows_have_the_value_and_the_aim_of_their_own_rules(dice: str, run: Any) -> None:
    found = komi.sweep(dice, {"fewest": [0, 1]})
    assert {row.rules.fewest: row.opening.first for row in found.rows} == {0: 4.5, 1: 2.25}
    assert found.objective == "value"
    assert found.first_reaching(2.25).rules.fewest == 0  # 4.5 is more, and 2.25 is as little
    assert found.first_reaching(5.0).rules.fewest == 1
    assert {row.rules.fewest: found.cost(row) for row in found.rows} == {0: -4.5, 1: 2.25}
    assert "2.250000" in run("sweep", dice, "--vary", "fewest=0,1").out


@pytest.mark.parametrize(("rule", "reason"), [("unknown", "no proof"), ("broken", "not a whole number")])
def test_rows_that_solve_refuses_are_refused_and_no_others(dice: str, rule: str, reason: str) -> None:
    with pytest.raises(komi.KomiError, match=reason) as alone:
        komi.solve(dice, **{rule: 1})
    found = komi.sweep(dice, {rule: [1, 0]})
    assert [getattr(row.rules, rule) for row in found.rows] == [0]
    assert [str(error) for _, error in found.unsolved] == [str(alone.value)]


def test_rule_sets_for_one_and_for_more_players_have_no_order(dice: str) -> None:
    Path(dice).write_text(DICE.replace("players = 1", "def players(rules):\n    return 1 + rules.fewest"))
    with pytest.raises(komi.KomiError, match="one player and others for more"):
        komi.sweep(dice, {"fewest": [0, 1]})
