"""The cache of solutions keeps to its limit: what was used least lately goes."""

import os
from pathlib import Path

import pytest

import komi
from komi.errors import InputError
from komi.graph.eviction import SETTING, limit, make_room

MEGABYTE = 1_000_000


def kept(folder: Path, name: str, used: int) -> Path:
    """Store a solution of a megabyte, last used so many seconds after another time."""
    path = folder / name
    path.mkdir()
    (path / "values.npy").write_bytes(bytes(MEGABYTE))
    os.utime(path, (used, used))
    return path


@pytest.mark.parametrize(("gigabytes", "left"), [("0.004", "abcd"), ("0.0031", "acd"), ("0.002", "cd"), ("0", "d")])
def test_used_least_lately_goes_first_and_the_new_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gigabytes: str, left: str
) -> None:
    monkeypatch.setenv(SETTING, gigabytes)
    for name, used in {"a": 2, "b": 1, "c": 3, "d": 0}.items():
        new = kept(tmp_path, name, used)
    (tmp_path / ".draft-other").mkdir()
    make_room(new)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".draft-other", *left]


def test_solution_that_is_requested_again_counts_as_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Path(os.environ["KOMI_CACHE_DIR"]) / "compiled"
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    compiled.mkdir(exist_ok=True)
    (tmp_path / "compiled").symlink_to(compiled)
    komi.solve("piglet", goal=2)
    (path,) = (tmp_path / "solutions").iterdir()
    os.utime(path, (1, 1))
    assert komi.solve("piglet", goal=2).value() == pytest.approx(4 / 7)
    assert path.stat().st_mtime > 1
    monkeypatch.setenv(SETTING, "0.000001")
    komi.solve("piglet", goal=3)
    assert [each.name for each in (tmp_path / "solutions").iterdir()] != [path.name]
    assert len(list((tmp_path / "solutions").iterdir())) == 1


@pytest.mark.parametrize("text", ["much", "-1", "nan", "1e30"])
def test_limit_that_is_not_a_number_is_one_sentence(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(SETTING, text)
    with pytest.raises(InputError, match=f"{SETTING} is '{text}': it must be a number of GB"):
        limit()
