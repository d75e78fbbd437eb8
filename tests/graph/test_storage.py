"""Solutions on disk are found again if whole, and solved again if not."""

import json
import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import komi
from komi.graph import storage
from komi.solvers.stochastic.optimal_values import Values

RULES = {"goal": 8}


@pytest.fixture
def kept(cache_folder: Path) -> Path:
    """Return the folder of a solution that has just been stored."""
    komi.solve("piglet", **RULES, fresh=True)
    folders = sorted((cache_folder / "solutions").glob("piglet-*"), key=lambda path: path.stat().st_mtime)
    return folders[-1]


def truncated(path: Path) -> None:
    os.truncate(path / "values.npy", (path / "values.npy").stat().st_size // 2)


def flipped(path: Path) -> None:
    content = bytearray((path / "values.npy").read_bytes())
    content[-5] ^= 1
    (path / "values.npy").write_bytes(content)


def flipped_states(path: Path) -> None:
    content = bytearray((path / "keys.npy").read_bytes())
    content[-9] ^= 4
    (path / "keys.npy").write_bytes(content)


def other_byte_order(path: Path) -> None:
    content = (path / "values.npy").read_bytes()
    (path / "values.npy").write_bytes(content.replace(b"<f8", b">f8", 1))


def of_other_rules(path: Path) -> None:
    komi.solve("piglet", goal=9, fresh=True)
    other = max(path.parent.glob("piglet-*"), key=lambda path: path.stat().st_mtime)
    shutil.rmtree(path)
    shutil.copytree(other, path)


def emptied(path: Path) -> None:
    (path / "header.json").write_text("")


def other_bound(path: Path) -> None:
    header = json.loads((path / "header.json").read_text())
    header["error_bound"] = 0.0
    (path / "header.json").write_text(json.dumps(header))


def other_kind(path: Path) -> None:
    (path / "header.json").write_text("[]")


def no_values(path: Path) -> None:
    (path / "values.npy").unlink()


def half_written(path: Path) -> None:
    shutil.move(path, path.parent / ".draft-killed")


DAMAGES = (
    truncated,
    flipped,
    flipped_states,
    other_byte_order,
    of_other_rules,
    emptied,
    other_bound,
    other_kind,
    no_values,
    half_written,
)


def test_what_was_kept_is_found_again_with_its_values(kept: Path) -> None:
    again = komi.solve("piglet", **RULES)
    assert again.is_loaded
    assert again.value() == komi.solve("piglet", **RULES, fresh=True).value()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_solution_is_solved_again_and_replaced(kept: Path, damage: Callable[[Path], None]) -> None:
    value = komi.solve("piglet", **RULES).value()
    damage(kept)
    assert storage.load(kept, Values) is None
    again = komi.solve("piglet", **RULES)
    assert not again.is_loaded
    assert again.value() == value
    assert komi.solve("piglet", **RULES).is_loaded


@pytest.mark.parametrize("name", ["piglet", "traffic-lights"])
def test_no_flipped_bit_of_any_file_is_believed(cache_folder: Path, name: str) -> None:
    rules = RULES if name == "piglet" else {"rows": 1}
    komi.solve(name, **rules, fresh=True)
    folders = sorted((cache_folder / "solutions").glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
    chance = random.Random(0)
    for file in sorted(folders[-1].iterdir()):
        content = file.read_bytes()
        for _ in range(40):
            place = chance.randrange(min(len(content), 400))  # what says what is in the file, and the first of it
            flipped = bytearray(content)
            flipped[place] ^= 1 << chance.randrange(8)
            file.write_bytes(flipped)
            if file.suffix == ".npy" or json.loads(content) != _read(flipped):
                with pytest.raises(storage.DAMAGE):
                    storage.find(folders[-1])
        file.write_bytes(content)


def _read(content: bytearray) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


def test_other_rules_are_another_solution(kept: Path) -> None:
    assert not komi.solve("piglet", goal=9, fresh=True).is_loaded
    assert komi.solve("piglet", **RULES).value() != komi.solve("piglet", goal=9).value()


def test_nothing_half_written_is_left_when_the_disk_is_full(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    values = storage.load(kept, Values)
    assert values is not None
    before = set(kept.parent.iterdir())
    monkeypatch.setattr(storage.np, "save", full)
    with pytest.raises(komi.StorageError, match="cannot keep the solution"):
        storage.save(kept.with_name("piglet-other"), values)
    assert set(kept.parent.iterdir()) == before
    assert storage.load(kept, Values) is not None


def test_what_a_killed_process_left_is_thrown_away_in_time(kept: Path) -> None:
    old, young = kept.parent / ".draft-old", kept.parent / ".draft-young"
    for draft in (old, young):
        draft.mkdir()
        (draft / "values.npy").write_bytes(b"half")
    long_ago = time.time() - 2 * storage.ABANDONED
    os.utime(old, (long_ago, long_ago))
    komi.solve("piglet", **RULES, fresh=True)
    assert not old.exists()
    assert young.exists()
    shutil.rmtree(young)
