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


def digest(sources: dict[str, bytes]) -> str:
    return cache_keys._digest(sources, cache_keys.engine(sources))


def test_all_that_calls_games_or_stores_solutions_is_of_the_engine() -> None:
    packages = {name.split(".")[1] for name in cache_keys.engine(cache_keys._sources())}
    assert {"jit", "rules", "graph", "bellman", "solvers", "policies", "evaluation", "simulation", "design"} <= packages
    assert not packages & {"cli", "web", "plotting", "reporting", "play"}


def test_code_of_the_engine_counts_and_other_code_does_not() -> None:
    sources = cache_keys._sources()
    before = digest(sources)
    assert before == cache_keys.engine_digest()
    sources["komi.cli.app"] = b"x = 1\n"
    assert digest(sources) == before
    sources["komi.graph.reachability_kernel"] += b"\nONE = 1\n"
    assert digest(sources) != before


def test_new_package_is_part_of_the_digest() -> None:
    sources = cache_keys._sources()
    before = digest(sources)
    sources["komi.novel.method"] = b"from komi.novel import (\n    other,\n)\nfrom komi.rules.interface import legal\n"
    with_method = digest(sources)
    sources["komi.novel.other"] = b"y = 2\n"
    assert len({before, with_method, digest(sources)}) == 3


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
