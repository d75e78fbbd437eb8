"""Where compiled code and solutions are kept."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import komi
from komi import cache
from komi.jit import cache_keys

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
    assert (again.value(), again.is_loaded) == (value, True)
    fresh = komi.solve(path, fresh=True, notice=heard.append)
    assert (fresh.value(), fresh.is_loaded) == (value, False)
    assert heard == []  # nothing was compiled
    assert sorted(cache_folder.rglob("*")) == before
    assert not cache.folder("solutions").is_relative_to(cache_folder)


def test_folder_in_the_place_of_a_cached_digest_leaves_no_drafts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    digest = cache_keys.source_digest.__wrapped__()
    [note] = (tmp_path / "compiled").iterdir()
    note.unlink()
    (note / "inside").mkdir(parents=True)
    for _ in range(2):
        assert cache_keys.source_digest.__wrapped__() == digest
    assert list((tmp_path / "compiled").iterdir()) == [note]
    assert json.loads(note.read_text())[0] == digest.digest


@pytest.mark.usefixtures("compiled_rules")
def test_folders_in_the_place_of_compiled_code_are_replaced(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(rulefiles.write(tmp_path, name="folders.py"))
    value = komi.solve(path).value()
    files = sorted(file for file in (cache_folder / "compiled" / "folders").iterdir() if file.suffix != ".lock")
    assert files
    for file in files[::2]:
        file.unlink()
        file.mkdir()
    command = [sys.executable, "-m", "komi", "solve", path, "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout)["value"] == value
