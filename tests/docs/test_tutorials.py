"""The tutorials are run as a reader would: files are written as the page says, and commands print what it shows.

A block of code under `<!-- file NAME -->` is a file; under `<!-- in NAME -->` its definitions replace those of the same
names in that file, or come at its end. A block of `console` has commands, and what they print; `...` stands for
anything. Under `<!-- slow -->` a block runs in slow tests only, and under `<!-- varies -->` also without a comparison:
what a search with a time limit finds depends on the machine.
"""

import ast
import doctest
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from playing import Server

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = ("class-with-komi", "first-draft-to-fair-game", "hidden-cards-step-by-step", "papers-table")
BLOCK = re.compile(r"(?:<!-- ([^>]*) -->\n)?```(python|console)\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(tutorial: str) -> list[tuple[str, str, str]]:
    """Return (comment, language, text) of each block of a page."""
    return BLOCK.findall((DOCS / f"{tutorial}.md").read_text())


def definitions(text: str) -> dict[str, str]:
    """Return the source of each definition of a file by its name."""
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return {node.name: ast.get_source_segment(text, node) or "" for node in nodes}


def replaced(text: str, change: str) -> str:
    """Return a file in which the definitions of a change take the place of those of the same names."""
    old = definitions(text)
    for name, source in definitions(change).items():
        text = text.replace(old[name], source) if name in old else f"{text}\n\n{source}\n"
    return text


def run_tutorial(tutorial: str, run: Any, slowly: bool) -> None:
    """Write the files of a tutorial into the current folder, and run its commands."""
    for comment, language, text in blocks(tutorial):
        kind, _, name = comment.partition(" ")
        if kind == "file":
            Path(name).write_text(text)
        elif kind == "in":
            Path(name).write_text(replaced(Path(name).read_text(), text))
        elif language == "console" and (slowly or kind not in ("slow", "varies")):
            for command, expected in zip(*[iter(COMMAND.split(text)[1:])] * 2, strict=True):
                check_output(run, command, None if kind == "varies" else expected)


def check_output(run: Any, command: str, expected: str | None) -> None:
    """Run a command of a page, and compare what it prints."""
    program, *arguments = shlex.split(command, comments=True)
    assert program == "komi", command
    found = run(*arguments)
    assert found.code in (0, 1), f"{command}: {found.err}"
    if expected:
        assert doctest.OutputChecker().check_output(expected, found.out, FLAGS), f"$ {command}\n{found.out}{found.err}"


def play_as_a_class() -> None:
    """Let two students play on a server whose games are in class.db."""
    with Server.running("sqlite:///class.db", studies=True) as server:
        for _ in range(2):
            student = server.visitor()
            student.request("PUT", "/consent", json={"agreed": True})
            student.play_on(student.begin("pig", rules={"goal": 20}))


@pytest.mark.parametrize("tutorial", ["class-with-komi", "papers-table"])  # the others compile for minutes
def test_tutorial_is_true(tutorial: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # no input
    run_tutorial(tutorial, run, slowly=False)


@pytest.mark.slow
@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_tutorial_is_true_with_its_slow_commands(
    tutorial: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    if tutorial == "class-with-komi":
        play_as_a_class()
    run_tutorial(tutorial, run, slowly=True)
    named = set(re.findall(r"[\w-]+\.(?:html|png|cert|umb|efg)\b", "".join(text for _, _, text in blocks(tutorial))))
    assert {path.name for path in tmp_path.rglob("*")} >= named


def test_every_tutorial_is_tested() -> None:
    pages = {path.stem for path in DOCS.glob("*.md") if "a test runs the commands of this page" in path.read_text()}
    assert pages == set(TUTORIALS)


def test_definitions_are_replaced_or_added() -> None:
    text = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert replaced(text, "def g():\n    return 3\n\n\ndef h():\n    return 4\n") == (
        "def f():\n    return 1\n\n\ndef g():\n    return 3\n\n\ndef h():\n    return 4\n"
    )
