"""Where compiled code and solutions are kept."""

import tempfile
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compile import cache

import rulefiles


def test_warm_cache_that_can_only_be_read_is_used(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(rulefiles.write(tmp_path, name="warm.py"))
    value = komi.solve(path).value()
    before = sorted(cache_folder.rglob("*"))

    def refuse(**where: Any) -> Any:
        if Path(where["dir"]).is_relative_to(cache_folder):
            raise PermissionError(13, "Read-only file system")
        return temporary(**where)

    temporary = tempfile.TemporaryFile
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    heard: list[str] = []
    again = komi.solve(path, notice=heard.append)
    assert (again.value(), again.kept) == (value, True)
    fresh = komi.solve(path, fresh=True, notice=heard.append)
    assert (fresh.value(), fresh.kept) == (value, False)
    assert heard == []  # nothing was compiled
    assert sorted(cache_folder.rglob("*")) == before
    assert not cache.folder("solutions").is_relative_to(cache_folder)
