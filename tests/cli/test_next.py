"""The suggested next command is about the same game, and runs as printed."""

import shlex
from pathlib import Path
from typing import Any

import pytest

import rulefiles


def next_command(out: str) -> list[str]:
    """Return the words of the suggested command."""
    (line,) = (line for line in out.splitlines() if line.startswith("Next: komi "))
    return shlex.split(line.removeprefix("Next: komi "))


COMMANDS = {"solve": "value", "opponents": "play"}  # the command that follows it


@pytest.mark.parametrize(("command", "following"), COMMANDS.items(), ids=str)
def test_file_and_settings_are_repeated_as_they_were_given(
    run: Any, tmp_path: Path, command: str, following: str
) -> None:
    path = rulefiles.write(tmp_path)
    words = next_command(run(command, path, "--set", "goal=4").out)
    assert words[:4] == [following, str(path), "--set", "goal=4"]


def test_folder_with_a_blank_or_brackets_in_its_name_is_quoted(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "my [bold]games"
    folder.mkdir()
    words = next_command(run("solve", rulefiles.write(folder)).out)
    assert words[1] == str(folder / "sprint.py")
    assert run(*words).code == 0


def test_two_policies_are_compared_under_the_settings_of_their_match(run: Any) -> None:
    words = next_command(run("match", "piglet", "optimal", "random", "--set", "goal=3").out)
    assert words == ["compare", "piglet", "--set", "goal=3", "optimal", "random"]
    assert run(*words).code == 0


def test_position_is_shown_under_the_settings_of_its_board(run: Any) -> None:
    words = next_command(run("solve", "traffic-lights", "--set", "rows=1").out)
    assert words[:4] == ["value", "traffic-lights", "--set", "rows=1"]
    assert run(*words).code == 0
