"""The table of commands and kinds of games is current, complete and true."""

import io
from pathlib import Path
from typing import Any

import command_table
import pytest

from komi.cli import commands
from komi.presentation.command_support import COMMANDS, GENERAL_COMMANDS, refusal

NO_SERVER = "serve"  # would run until it is stopped
ENDLESS = ("two at the same time", "export --to .efg")  # Skunk has no smallest game: its tree has no end
OVER_GOAL = ("two at the same time", "spread-total")  # the goal is one of the rules that the total is spread over
BY_SIMULATION = ("hidden information", "teach")  # needs a game whose players see what their moves change
RECORD = "record.txt"


def options(command: str, column: str, folder: Path) -> list[str]:
    """Return the options and arguments with which a command does little work."""
    over, total, least = ("goal,sides", 6, 2) if column == "two at the same time" else ("komi,lead", 1, 0)
    policy = ["optimal"]
    return {
        "plot": ["-o", str(folder / "plot.png")],
        "simulate": ["--games", "100"],
        "report": ["-o", str(folder / "report.html")],
        "match": policy,
        "compare": ["random", "random"],
        "sweep": ["--vary", "komi=0..1"],
        "design": ["--vary", "komi=0..1", "--target", "lead_changes=max", "--budget", "2"],
        "fair": ["--max-komi", "1"],
        "spread-total": ["--over", over, "--total", str(total), "--at-least", str(least)],
        "learn": ["--method", "value-iteration"],
        "learn-chances": ["--counts", "good=2,bad=1", "--draws", "2"],
        "teach": ["--numbers", "1", "--seconds", "0.5", "-o", str(folder / "card.py")],
        "approximate": ["--weights", "40", "--seconds", "1", "-o", str(folder / "network.py")],
        "prove": ["-o", str(folder / "game.cert")],
        "export POLICY": [*policy, "--to", str(folder / "policy.c")],
        "export --to .prism": ["--to", str(folder / "model.prism")],
        "export --to .efg": ["--to", str(folder / "tree.efg")],
    }.get(command, [])


def test_page_shows_the_table_as_it_is() -> None:
    assert command_table.page() == command_table.PAGE.read_text(encoding="utf-8"), (
        "run: python scripts/command_table.py"
    )


def test_table_has_every_command() -> None:
    assert {command.split()[0] for command in COMMANDS} | set(GENERAL_COMMANDS) == set(commands.COMMANDS)


def test_examples_are_of_their_kinds() -> None:
    kinds = {column: command_table.example_kind(column) for column in command_table.EXAMPLES}
    assert [kind.seats for kind in kinds.values()] == [1, 2, 2, 2, 3, 2]
    assert [column for column, kind in kinds.items() if kind.simultaneous] == ["two at the same time"]
    assert [kind.hidden for kind in kinds.values()] == [False, False, False, True, False, True]
    assert not kinds["two, without chance"].chance


@pytest.mark.slow
@pytest.mark.parametrize("column", command_table.EXAMPLES)
def test_commands_accept_and_refuse_what_the_table_says(
    column: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, rules = command_table.EXAMPLES[column]
    game = [name, *(part for rule, value in rules.items() for part in ("--set", f"{rule}={value}"))]
    kind = command_table.example_kind(column)
    record = tmp_path / RECORD
    for command in COMMANDS:
        if command == NO_SERVER or (column, command) == ENDLESS:
            continue
        played = ["red7"] if (column, command) == BY_SIMULATION else game
        if (column, command) == OVER_GOAL:
            played = [name]
        arguments = [command.split()[0], *played, *options(command, column, tmp_path)]
        if command == "play":
            arguments += ["--save", str(record)]
            monkeypatch.setattr("sys.stdin", io.StringIO("step\nhold\n" * 50))
        elif command == "review":
            arguments = ["review", str(record)]
        result = run(*arguments)
        sentence = refusal(command, kind)
        assert result.code == (2 if sentence else 0), (command, result.err)
        if sentence and command not in ("review", "learn-chances"):  # these miss something else first
            assert sentence in result.err, command
