"""Files that commands write are whole, and a place that takes none is refused before the work."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from komi.reporting import game_report

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

PIGLET = ["piglet", "--set", "goal=4"]
WRITING = {  # the command's name: (arguments, the file's ending)
    "simulate --table": (["simulate", *PIGLET, "--games", 500, "--table"], ".csv"),
    "simulate --plot": (["simulate", *PIGLET, "--games", 500, "--plot"], ".svg"),
    "simulate --keep": (["simulate", *PIGLET, "--games", 500, "--keep"], ".kept"),
    "sweep --output": (["sweep", "piglet", "--vary", "goal=4", "--output"], ".csv"),
    "sweep --plot": (["sweep", "piglet", "--vary", "goal=4", "--plot"], ".svg"),
    "report": (["report", *PIGLET, "--output"], ".html"),
    "plot": (["plot", *PIGLET, "--output"], ".svg"),
    "reproduce": (["reproduce", "--only", "piglet", "--output"], ".md"),
}


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit files to a few bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture(autouse=True)
def _small_report(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in {"GAMES": 400, "DEALS": 4, "PER_DEAL": 5}.items():
        monkeypatch.setattr(game_report, name, number)


WITHOUT_COMPILING = {name: how for name, how in WRITING.items() if name != "report"}  # there the cache is full, too


@pytest.mark.parametrize(("arguments", "ending"), WITHOUT_COMPILING.values(), ids=WITHOUT_COMPILING)
def test_full_disk_leaves_the_old_file_whole(run: Any, tmp_path: Path, arguments: list[Any], ending: str) -> None:
    for _ in range(2):  # compiled code is kept of solving, then of what is done with a solution that was kept
        assert run(*arguments, tmp_path / f"old{ending}").code == 0
    before = (tmp_path / f"old{ending}").read_bytes()
    more = ["--games", 1000] if "--keep" in arguments else []
    with full_disk():
        result = run(*arguments, tmp_path / f"old{ending}", *more)
    assert result.code == 2
    assert f"cannot write {tmp_path}/old{ending} (File too large)" in result.err
    assert len(result.err.splitlines()) == 1
    assert (tmp_path / f"old{ending}").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [f"old{ending}"]


@pytest.mark.parametrize(("arguments", "ending"), WRITING.values(), ids=WRITING)
def test_place_that_takes_no_file_is_refused_before_the_work(run: Any, arguments: list[Any], ending: str) -> None:
    result = run(*arguments, f"/proc/new{ending}")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"komi: cannot write /proc/new{ending}: the folder /proc is not writable")
    assert len(result.err.splitlines()) == 1
