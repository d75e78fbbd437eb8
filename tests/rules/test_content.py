"""A digest tells apart all that rules say, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

import komi
from komi.rules import loading

import rulefiles

TABLE = "TABLE = (1, 2.5)"
BASE = f"""import math
from math import floor as rounded
from typing import NamedTuple

{TABLE}


def twice(x, by=2):
    return x * by


class Point(NamedTuple):
    x: int
    y: int = 3
"""


def digest(folder: Path, *replacements: tuple[str, str]) -> str:
    """Compute the digest of the rules with a use of the base's content, each replacement made once."""
    text = BASE
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    above = ("players = 2", f"{text}\nplayers = 2")
    read = ("def over", "def reader(rules):\n    return rounded(TABLE[0]), twice(1), Point(1), math.pi\n\n\ndef over")
    return loading.digest(komi.find(str(rulefiles.write(folder, above, read))).module)


DIFFERENT = {
    "a number of another kind": (TABLE, "TABLE = (1.0, 2.5)"),
    "a truth value": (TABLE, "TABLE = (True, 2.5)"),
    "another number": (TABLE, "TABLE = (1, 2.5000000000000004)"),
    "a text": (TABLE, "TABLE = ('1', 2.5)"),
    "a row": (TABLE, "TABLE = ((1,), 2.5)"),
    "a range": (TABLE, "TABLE = range(1, 3)"),
    "a dict": (TABLE, "TABLE = {0: 1, 1: 2.5}"),
    "another order of a dict": (TABLE, "TABLE = {1: 2.5, 0: 1}"),
    "a default": ("by=2", "by=3"),
    "a function that is called": ("x * by", "x + by"),
    "a constant in a function": ("x * by", "x * by * 1.0"),
    "another function of a library": ("floor as rounded", "ceil as rounded"),
    "a default of a field": ("y: int = 3", "y: int = 4"),
    "the kind of a field": ("x: int", "x: float"),
    "the name of a field": ("x: int", "z: int"),
}


@pytest.mark.parametrize("replacement", DIFFERENT.values(), ids=DIFFERENT)
def test_other_rules_have_another_digest(tmp_path: Path, replacement: tuple[str, str]) -> None:
    assert digest(tmp_path, replacement) != digest(tmp_path)


def test_zeros_of_both_signs_have_other_digests(tmp_path: Path) -> None:
    zeros = [digest(tmp_path, (TABLE, f"TABLE = ({zero}, 2.5)")) for zero in ("0", "0.0", "-0.0", "False")]
    assert len(set(zeros)) == len(zeros)


ALIKE = {
    "a comment": (TABLE, f"# Of numbers.\n{TABLE}  # two of them"),
    "a table that is computed": (TABLE, "TABLE = tuple(x for x in (1, 2.5))"),
    "a list, which becomes a tuple": (TABLE, "TABLE = [1, 2.5]"),
    "another line": ("return x * by", "return (\n        x * by\n    )"),
}


@pytest.mark.parametrize("replacement", ALIKE.values(), ids=ALIKE)
def test_the_same_rules_have_the_same_digest(tmp_path: Path, replacement: tuple[str, str]) -> None:
    assert digest(tmp_path, replacement) == digest(tmp_path)


def test_equal_sets_have_the_same_digest_and_order(tmp_path: Path) -> None:
    modules = [
        komi.find(str(rulefiles.write(tmp_path, ("players = 2", f"SET = {text}\nplayers = 2")))).module
        for text in ("{0, 8, 16}", "{16, 8, 0}")
    ]
    assert loading.digest(modules[0]) == loading.digest(modules[1])
    assert [*modules[0].SET] == [*modules[1].SET]


def move(folder: Path) -> None:
    (folder / "a").rename(folder / "b")


def edit(folder: Path) -> None:
    (folder / "a" / "number.py").write_text("N = 3\n")


@pytest.mark.parametrize("change", [move, edit])
def test_rules_are_loaded_again_when_a_folder_beside_them_changes(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "__init__.py").write_text("")
    (tmp_path / "a" / "number.py").write_text("N = 2\n")
    imports = "".join(
        f"try:\n    from {name}.number import N as {name.upper()}\nexcept ImportError:\n    {name.upper()} = 0\n"
        for name in "ab"
    )
    path = rulefiles.write(
        tmp_path,
        ("players = 2", f"{imports}\nplayers = 2"),
        ("yield 1 / 3, State(rival", "yield (1 + A) / (9 + B), State(rival"),
    )
    before = komi.find(str(path)).module
    change(tmp_path)
    after = komi.find(str(path)).module
    assert (before.A, before.B) != (after.A, after.B)
    assert loading.digest(before) != loading.digest(after)
