"""What is printed stands as it is, whole, whatever the terminal, the encoding or the text."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from komi.cli.output import bars, console, listed, marked, plain_table, print_json
from komi.jit.kernels import Kernels

import rulefiles

KOMI = [sys.executable, "-c", "from komi.cli import main; main()"]
GAMES = Path(__file__).parents[1] / "games"


def started(*arguments: str | bytes, **changes: Any) -> Any:
    environment = os.environ | changes.pop("environment", {})
    return subprocess.run([*KOMI, *arguments], capture_output=True, env=environment, timeout=300, **changes)


@pytest.mark.slow
def test_long_states_are_reported_whole_and_can_be_typed_again(run: Any) -> None:
    state = "hands=R7+Y7+G7+B7+O3/V7+G5+R1+Y1+I1/O6+G6+I6+V6+B2,palettes=V4/G2+G1/,canvas=Y,seat=1,out=3,discarded=I3"
    out = run("moves", "red7", "--state", state).out
    assert state in out.splitlines()
    compared = run("compare", "red-light", "random", "--set", "goal=9", "--most", 1).out
    written = next(line for line in compared.splitlines() if line.startswith("score=")).split()[0]
    assert run("value", "red-light", "--set", "goal=9", "--state", written).code == 0


def test_numbers_of_a_table_end_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    table = plain_table("komi", "wins", "size")
    table.add_row("9", "53.06 %", "3 bytes")
    table.add_row("10", "", "14 bytes")
    console().print(table)
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "komi     wins  size",
        "   9  53.06 %  3 bytes",
        "  10           14 bytes",
    ]


@pytest.mark.slow
def test_brackets_in_summaries_labels_and_events_are_printed_as_they_stand(run: Any, tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path, ('"""Sprint:', '"""Sprint [/bold] [red]:smile:'), ('("roll", "hold")', '("[/roll]", "[bold]hold")')
    )
    for command in (["solve"], ["value"], ["moves"], ["check"], ["simulate", "--games", "100"]):
        result = run(command[0], path, *command[1:])
        assert result.code == 0, result.err
        assert "[bold]hold" in result.out or "Sprint [/bold] [red]:smile:" in result.out


def test_a_columns_of_0_hides_nothing(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    assert "piglet" in run("games").out
    assert "Rules: goal 3" in run("solve", "piglet", "--set", "goal=3").out


@pytest.mark.parametrize("arguments", [["match", "piglet", "optimal", "random", "--turns"], ["games", "--json"]])
def test_letters_that_the_terminal_cannot_print_are_not_an_error(arguments: list[str]) -> None:
    result = started(*arguments, environment={"PYTHONIOENCODING": "cp1252"})
    assert result.returncode == 0, result.stderr
    if "--json" in arguments:
        json.loads(result.stdout.decode("cp1252"))


def test_json_has_no_numbers_that_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": float("nan"), "b": [float("inf"), 1.5], "c": {"d": (-float("inf"), "NaN", 2)}})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "c": {"d": [None, "NaN", 2]}}


def test_values_in_marked_text_are_not_markup() -> None:
    text = marked("a [bold]{value}[/bold]", value="[/] [red]{x}")
    assert text.plain == "a [/] [red]{x}"


def test_labels_with_commas_are_distinguished() -> None:
    assert listed(["roll", "hold"]) == "roll, hold"
    assert listed(["play R7, discard O1", "play O1"]) == "play R7, discard O1; play O1"


def test_a_terminal_shows_for_how_long_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    with bars() as progress:
        progress("finding states", 1, 2)
        monkeypatch.setattr(Kernels, "compiling_for", lambda: 3.0)
    assert "finding states" in terminal.getvalue()
    assert "compiling for 3 s" in terminal.getvalue()


@pytest.mark.parametrize("command", ["solve", "play", "match", "serve", "games"])
def test_help_is_had_by_h(run: Any, command: str) -> None:
    assert run(command, "-h").out == run(command, "--help").out != ""


def test_a_seed_of_bytes_that_are_not_text_is_valid() -> None:
    games = [started("play", "piglet", "--seat", "first", "--seed", seed, input=b"q\n") for seed in (b"\xff", b"\xfe")]
    hashes = [game.stdout.splitlines()[4] for game in games]
    assert [game.returncode for game in games] == [0, 0], games[0].stderr
    assert hashes[0] != hashes[1]


def test_play_without_standard_input_ends_quietly() -> None:
    result = started("play", "piglet", "--seat", "first", preexec_fn=lambda: os.close(0))
    assert result.returncode == 0, result.stderr
    assert b"You left the game." in result.stdout
    assert b"Traceback" not in result.stderr


def test_input_that_is_not_text_is_not_a_move() -> None:
    result = started("play", "piglet", "--seat", "first", input=b"\xff\nquit\n")
    assert result.returncode == 0, result.stderr
    assert b"is not possible now" in result.stdout


def test_actions_are_counted_in_one_way_and_it_is_said(run: Any) -> None:
    note = "Actions are those of the players, forced ones too; what chance does by itself is not counted."
    assert note in run("match", "piglet", "optimal", "random", "--set", "goal=3").out
    assert note in run("fair", "piglet", "--max-komi", "2", "--set", "goal=3").out
    assert note in run("sweep", "piglet", "--vary", "goal=3,4").out
    assert note in run("simulate", "piglet", "--games", "100").out


def test_where_chance_moves_first_there_is_no_first_move(run: Any) -> None:
    game = GAMES / "forced_roll.py"
    assert "First move" not in run("solve", game).out
    assert "Chance moves." in run("value", game).out
    assert "A chance event comes next." in run("moves", game).out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--host", "a" * 300], "there is no address 'aaa"),
        (["--port", "0", "--database", "sqlite:///{folder}/x.db?timeout=abc"], "is not a database"),
        (["--port", "0", "--database", "mysql://x"], "komi: komi stores games in"),
    ],
)
def test_a_server_that_cannot_begin_is_reported_in_one_sentence(
    run: Any, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    result = run("serve", "--no-open", *(argument.format(folder=tmp_path) for argument in arguments))
    assert result.code == 2
    assert sentence in result.err
    assert len(result.err.splitlines()) == 1
