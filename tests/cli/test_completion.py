"""Shells complete names of commands, options, games, rules, fields and policies, without a compiler's import."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import completions
import pytest
from completions import FILE

RUN = """
import sys
from komi.cli import main
try:
    main()
except SystemExit:
    pass
print("numba" in sys.modules, file=sys.stderr)
"""


def complete(*words: str, variable: str = "COMP_WORDS", folder: Path | None = None) -> list[str]:
    """Return the completions of the last of these words, as bash breaks the line, or with another shell's variable."""
    of_shell = (
        {"COMP_WORDS": "\n".join(["komi", *words]), "COMP_CWORD": str(len(words)), "_KOMI_COMPLETE": "complete_bash"}
        if variable == "COMP_WORDS"
        else {variable: " ".join(["komi", *words]), "_KOMI_COMPLETE": "complete_fish", **FISH}
    )
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=os.environ | of_shell, cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == "False\n"  # no error, and no compiler
    return done.stdout.split()


FISH = {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}


def test_the_table_is_that_of_the_commands() -> None:
    assert FILE.read_text() == completions.completions(), "python scripts/completions.py writes it"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["so"], ["solve"]),
        (["solve", "pigl"], ["piglet"]),
        (["solve", "pig", "--fr"], ["--fresh"]),
        (["solve", "pig", "--set", "g"], ["goal=100"]),
        (["value", "pig", "--state", "score", "=", "4,r"], ["4,rival=0"]),
        (["match", "pig", "hold-at", ":", "20", "opt"], ["optimal"]),
        (["match", "red7", "th"], ["thrifty"]),
        (["play", "pig", "--opponent", "h"], ["hard", "hold-at:"]),
        (["spread-total", "pig", "--aim", ""], ["most", "least"]),
        (["solve", "nonsense", "--set", ""], []),
    ],
)
def test_a_word_is_completed(words: list[str], expected: list[str]) -> None:
    assert complete(*words) == expected


def test_other_shells_complete_the_whole_word() -> None:
    assert complete("value", "pig", "--state", "score=4,r", variable="_TYPER_COMPLETE_ARGS") == ["score=4,rival=0"]


def test_rule_files_and_their_rules_are_completed(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "examples" / "bear_off.py", tmp_path / "mine.py")
    (tmp_path / "notes.txt").touch()
    assert complete("solve", "mi", folder=tmp_path) == ["mine.py"]
    assert complete("solve", "no", folder=tmp_path) == []
    assert complete("solve", "mine.py", "--set", "", folder=tmp_path) != []


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_with_the_script_that_is_installed() -> None:
    komi = f"'{sys.executable}' -m komi"
    script = f"""
    eval "$({komi} --show-completion bash)"
    COMP_WORDS=(komi solve pigl) COMP_CWORD=2
    _komi_completion "$PROGRAM"
    echo "${{COMPREPLY[@]}}"
    """
    program = Path(sys.executable).with_name("komi")
    environment = os.environ | {"PROGRAM": str(program), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["piglet"]
