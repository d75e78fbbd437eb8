"""The keys and types of the JSON objects of all commands do not change: `json_shapes.txt` lists them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RECORD = """komi record 1
game: piglet
rules: goal=2
seat: 1
players: Ann / Bob

flip
  heads
hold
flip
  heads
flip
  heads
hold
"""


def read_shapes() -> dict[str, list[str]]:
    """Read the lines below each command."""
    shapes: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("json_shapes.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("komi "):
            shapes[line] = lines = []
        elif line:
            lines.append(line.strip())
    return shapes


SHAPES = read_shapes()
COMPILE_MUCH = (
    "approximate",
    "design",
    "measure piglet --set goal=3",
    "measure pig-solitaire",
    "simulate examples/kuhn_poker.py",
    "simulate pig-solitaire",
    "simulate red7",
    "solve pig-solitaire",
    "solve piglet --set goal=2 --set players=3",
    "sweep examples/bear_off.py",
    "teach examples/kuhn_poker.py",
)


def parameter(command: str) -> Any:
    """Mark a command as slow that compiles more than most."""
    is_slow = command.removeprefix("komi ").startswith(COMPILE_MUCH)
    return pytest.param(command, marks=pytest.mark.slow if is_slow else ())


@pytest.mark.parametrize("command", [parameter(command) for command in SHAPES])
def test_json_of_a_command_has_the_same_keys_and_types(
    run: Any, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = re.sub(r"\b(examples|tests)/", rf"{ROOT}/\1/", command).split()[1:]
    (tmp_path / "record.txt").write_text(RECORD)
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "verify":
        run("prove", "piglet", "--set", "goal=2", "-o", "certificate.json")
    assert shape(run(*arguments, "--json").solution) == SHAPES[command]


def shape(value: dict[str, Any]) -> list[str]:
    """Write a line for each type with the paths at which it occurs; keys that are numbers are written N."""
    paths: dict[str, set[str]] = {}
    for path, kind in leaves(value, ""):
        paths.setdefault(kind, set()).add(path)
    return [f"{kind}: {', '.join(sorted(paths[kind]))}" for kind in sorted(paths)]


def leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the type of each number, text and empty collection, and of the rules as a whole."""
    if isinstance(value, dict) and value and not path.endswith("rules"):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{'N' if key.isdecimal() else key}".removeprefix("."))
    elif isinstance(value, list) and value:
        for part in value:
            yield from leaves(part, f"{path}[]")
    else:
        yield path, type(value).__name__
