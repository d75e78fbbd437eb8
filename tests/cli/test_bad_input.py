"""Whatever people type or write: one sentence on stderr, exit code 2, and nothing on stdout."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi

import rulefiles

COMMANDS = {  # what is wrong: (arguments, what the sentence says)
    "unknown game": (["solve", "fowl-paly"], "there is no game 'fowl-paly': did you mean 'fowl-play'?"),
    "no such file": (["solve", "nothing.py"], "there is no file nothing.py."),
    "unknown rule": (["solve", "pig", "--set", "gaol=10"], "has no rule 'gaol' (did you mean 'goal'?)"),
    "rule that is not a number": (["solve", "pig", "--set", "goal=ten"], "must be a whole number, not 'ten'"),
    "setting without a value": (["solve", "pig", "--set", "goal"], "--set takes name=value, not 'goal'"),
    "goal of 0": (["solve", "pig", "--set", "goal=0"], "goal of pig must be 1 to 1000, not 0"),
    "no chickens": (["solve", "fowl-play", "--set", "chickens=0"], "chickens of fowl-play must be 1 to 200, not 0"),
    "negative komi": (["solve", "pig", "--set", "komi=-1"], "komi of pig must be 0 to 99, not -1"),
    "komi at the goal": (["check", "pig", "--set", "komi=100"], "komi of pig must be 0 to 99, not 100"),
    "malformed state": (["value", "piglet", "--state", "score"], "'score' is not of the form field=value"),
    "unknown field": (["value", "piglet", "--state", "scroe=1"], "has no field 'scroe' (did you mean 'score'?)"),
    "impossible state": (["value", "piglet", "--state", "score=3,turn=9"], "its rules do not allow"),
    "unknown command": (["slove", "pig"], "there is no command 'slove' (did you mean 'solve'?): 'komi --help'"),
    "unlikely command": (["zzz"], "there is no command 'zzz': 'komi --help' shows what is possible."),
    "unknown option": (["solve", "pig", "--fesh"], "there is no option --fesh (did you mean --fresh?)"),
    "unlikely option": (["solve", "pig", "--zzz"], "there is no option --zzz: 'komi solve --help'"),
    "no game": (["solve"], "GAME is missing: 'komi solve --help' shows what is possible."),
    "no picture": (["plot", "pig"], "-o is missing: 'komi plot --help' shows what is possible."),
    "option without a value": (["simulate", "pig", "--seed"], "--seed needs a value: 'komi --help' shows"),
    "two games": (["solve", "pig", "piglet"], "there are too many arguments: piglet"),
    "seed that is not a number": (["simulate", "pig", "--seed", "x"], "--seed takes a whole number: 'komi simulate"),
    "negative number": (["compare", "pig", "random", "--most", "-3"], "--most should be greater than or equal to 0"),
    "tolerance that is not a number": (["solve", "pig", "--tolerance", "x"], "--tolerance takes a number"),
    "tolerance of nan": (["solve", "pig", "--tolerance", "nan"], "--tolerance takes a positive number, not nan."),
    "tolerance of 0": (["value", "pig", "--tolerance", "0"], "--tolerance takes a positive number, not 0."),
    "negative tolerance": (["solve", "pig", "--tolerance", "-1"], "--tolerance takes a positive number, not -1."),
    "rule set twice": (["solve", "pig", "--set", "goal=10", "--set", "goal=12"], "--set names rule 'goal' twice."),
}

FILES = {  # what is wrong: (replacements, what `solve` says)
    "syntax error": ([("def over(rules, state):", "def over(rules, state)")], "sprint.py, line 40: expected ':'"),
    "type error": ([("turn + face)", "'3')")], "sprint.py, line 37: field 'turn' of a state is '3'"),
    "probabilities of 0.9": (
        [("yield 1 / 3, State(rival", "yield 0.7 / 3, State(rival")],
        "sum to 1 in score=0,rival=0",
    ),
    "state out of its range": (
        [("def over", "def possible(rules, state):\n    return state.turn < 3\n\n\ndef over")],
        "play reaches a state that 'possible' rules out in score=0,rival=0,turn=3",
    ),
    "an invalid action": (
        [("action == HOLD", "action != ROLL"), ("    yield HOLD\n", "    yield 5 if state.turn == 3 else HOLD\n")],
        "sprint.py: 'legal' yields 5 in score=",
    ),
    "a word for a number": (
        [("goal: int = 5", 'goal: int = "a"')],
        "sprint.py: rule 'goal' is declared int, but is 'a' by default.",
    ),
    "no players": ([("players = 2", "players = 0")], "sprint.py: 'players' is 0, not a whole number from 1 on."),
    "rule that raises": (
        [("return state.rival", "raise OSError('no')\n    return state.rival")],
        "line 41: OSError: no",
    ),
}


def is_one_sentence(run: Any) -> bool:
    lines = [line for line in run.err.splitlines() if "a few seconds, once only" not in line]
    return len(lines) == 1 and lines[0].startswith("komi: ") and "Traceback" not in run.err


@pytest.mark.parametrize(("arguments", "sentence"), COMMANDS.values(), ids=COMMANDS)
def test_bad_command_is_reported_in_one_sentence(run: Any, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert sentence in result.err
    assert is_one_sentence(result)
    assert result.out == ""


@pytest.mark.parametrize(("replacements", "sentence"), FILES.values(), ids=FILES)
def test_bad_rule_file_is_reported_in_one_sentence(
    run: Any, tmp_path: Path, replacements: list[tuple[str, str]], sentence: str
) -> None:
    result = run("solve", rulefiles.write(tmp_path, *replacements), "--json")
    assert result.code == 2
    assert sentence in result.err
    assert is_one_sentence(result)
    assert result.out == ""


def test_folder_named_like_a_file_is_reported(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    result = run("check", tmp_path / "mine.py")
    assert result.code == 2
    assert "mine.py is a folder, not a rule file: name a file in it, such as " in result.err
    assert is_one_sentence(result)


def test_field_that_grows_without_end_is_named(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "10_000")
    path = rulefiles.write(
        tmp_path, ("    if state.score + state.turn < rules.goal:\n        yield ROLL", "    yield ROLL")
    )
    result = run("solve", path)
    assert result.code == 2
    assert "more than 10,000 states and 'turn' may still grow, as in score=" in result.err
    assert "KOMI_MAX_STATES sets another limit" in result.err
    assert is_one_sentence(result)


def test_states_that_take_too_much_memory_are_refused(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_MEMORY", "1K")
    result = run("solve", "pig", "--set", "goal=30", "--fresh")
    assert result.code == 2
    assert "takes 5 of the 13 bits of a state" in result.err
    assert "KOMI_MAX_MEMORY sets another limit" in result.err
    assert is_one_sentence(result)


def test_limit_that_is_not_a_number_is_reported(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "many")
    result = run("solve", "piglet", "--fresh")
    assert result.code == 2
    assert "KOMI_MAX_STATES is 'many', not a number such as 500000000 or 8G" in result.err
    assert is_one_sentence(result)


def test_cache_folder_that_cannot_be_written_is_reported(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("KOMI_CACHE_DIR", str(file / "below"))
    result = run("solve", "piglet")
    assert result.code == 2
    assert "set KOMI_CACHE_DIR to a folder that can be written to" in result.err
    assert is_one_sentence(result)


def test_answer_is_not_lost_when_the_disk_is_full(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path / "full"))
    result = run("solve", "piglet", "--set", "goal=13", "--json")
    assert result.code == 2
    assert "cannot keep the solution in" in result.err
    assert "No space left on device" in result.err
    assert is_one_sentence(result)
    assert 0.5 < result.solution["value"] < 0.6


@pytest.mark.usefixtures("compiled_rules")
def test_full_disk_while_compiling_is_reported(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("komi.jit.kernels.put", full)
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path / "full"))
    result = run("solve", rulefiles.write(tmp_path, ("goal: int = 5", "goal: int = 8")))
    assert result.code == 2
    assert "cannot keep compiled code in" in result.err
    assert is_one_sentence(result)


def test_broken_rules_are_valid_input_to_check(run: Any, tmp_path: Path) -> None:
    result = run("check", rulefiles.write(tmp_path, ("return 0.0", "return 3.0")), "--json")
    assert result.code == 1
    assert not result.solution["ok"]
    assert result.solution["problems"] == [
        {
            "message": "sprint.py: the payoff is 3.0, not from 0 to 1 ('payoff_range' allows points or money)",
            "state": "score=0,rival=5,turn=0",
        }
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("buffering", ["", "1"], ids=["at exit", "at once"])
@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["--help"]], ids=" ".join)
def test_answer_that_cannot_be_written_is_reported_in_one_sentence(arguments: list[str], buffering: str) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-c", "from komi.cli import main; main()", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": buffering},
        )
    assert run.returncode == 2
    assert run.stderr.startswith("komi: cannot write the output (No space left on device)")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["--help"]], ids=" ".join)
def test_closed_pipe_is_not_an_error(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run([sys.executable, "-m", "komi", *arguments], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (run.returncode, run.stderr) == (141, b"")


def test_what_is_not_proved_is_not_called_sound(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "2")
    result = run("check", rulefiles.write(tmp_path))
    assert result.code == 0
    assert "it is not proved that states stay in range and that the game can always end." in result.out
    assert "Sound" not in result.out


def test_api_raises_the_errors_of_the_command_line() -> None:
    with pytest.raises(komi.KomiError):
        komi.solve("pig", goal=0)
