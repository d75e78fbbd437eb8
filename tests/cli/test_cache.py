"""`komi cache`."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "values.npy").write_bytes(bytes(2000))
    return tmp_path


def test_cache_says_where_it_is_and_how_large(run: Any, folder: Path) -> None:
    ended = run("cache")
    assert f"Cache folder: {folder}" in ended.out
    assert "2.0 kB" in ended.out
    solution = run("cache", "--json").solution
    assert (solution["folder"], solution["bytes"], solution["removed"]) == (str(folder), 2000, 0)
    assert {"kind": "solutions", "files": 1, "size": 2000} in solution["contents"]


def test_clear_empties_the_cache_and_says_what_it_held(run: Any, folder: Path) -> None:
    assert "Removed 2.0 kB." in run("cache", "--clear").out
    assert run("cache", "--clear", "--json").solution["bytes"] == 0


def test_what_cannot_be_removed_is_reported_in_one_sentence(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    ended = run("cache", "--clear")
    assert (ended.code, ended.out) == (2, "")
    assert "values.npy (Permission denied)" in ended.err
    assert ended.err.count("\n") == 1
