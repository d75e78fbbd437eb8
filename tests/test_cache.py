"""The cache folder."""

import ast
from pathlib import Path

import pytest

import komi
from komi import cache

ROOT = Path(str(komi.__file__)).parent


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a cache folder with a solution of 30 bytes, and another program's file beside it."""
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    solution = tmp_path / "solutions" / "pig-0"
    solution.mkdir(parents=True)
    (solution / "header.json").write_bytes(bytes(10))
    (solution / "values.npy").write_bytes(bytes(20))
    (tmp_path / "sweeps").mkdir()
    (tmp_path / "sweeps" / "sweeps.sqlite").write_bytes(bytes(5))
    (tmp_path / "thesis.txt").write_text("mine")
    return tmp_path


def test_usage_counts_files_and_bytes_by_kind(kept: Path) -> None:
    assert {used.kind: (used.files, used.size) for used in cache.usage()} == {
        "compiled": (0, 0),
        "solutions": (2, 30),
        "unfinished": (0, 0),
        "sweeps": (1, 5),
        "opponents": (0, 0),
        "cards": (0, 0),
        "learned": (0, 0),
        "rules": (0, 0),
        "derived": (0, 0),
    }


def test_clear_removes_what_komi_keeps_and_nothing_else(kept: Path) -> None:
    assert sum(used.size for used in cache.clear()) == 35
    assert [path.name for path in kept.rglob("*") if path.is_file()] == ["thesis.txt"]


def test_clear_does_not_follow_links(kept: Path) -> None:
    (kept / "solutions" / "elsewhere").symlink_to(kept / "thesis.txt")
    (kept / "solutions" / "above").symlink_to(kept)
    cache.clear()
    assert (kept / "thesis.txt").read_text() == "mine"
    assert not list((kept / "solutions").iterdir())


def test_cache_that_was_never_used_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path / "new"))
    assert sum(used.size for used in cache.clear()) == 0
    assert not (tmp_path / "new").exists()


def test_every_kind_of_kept_work_is_counted_and_cleared() -> None:
    named = set()
    for path in ROOT.rglob("*.py"):
        tree = ast.parse(path.read_text())
        constants = {
            ast.unparse(each.targets[0]): ast.unparse(each.value) for each in tree.body if isinstance(each, ast.Assign)
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "folder":
                kind = ast.unparse(call.args[0])
                named.add(constants.get(kind, kind).strip("'"))
    assert named | {"derived"} == set(cache.KINDS)  # these are made before anything is compiled


def test_file_takes_the_place_of_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "kind" / "note.txt"
    (file / "inside").mkdir(parents=True)
    cache.put(file, b"note")
    assert file.read_bytes() == b"note"
    assert list(file.parent.iterdir()) == [file]


def test_file_that_holds_the_same_is_not_written_again(tmp_path: Path) -> None:
    cache.put(tmp_path / "note.txt", b"note")
    before = (tmp_path / "note.txt").stat()
    cache.put(tmp_path / "note.txt", b"note")
    assert (tmp_path / "note.txt").stat().st_ino == before.st_ino
