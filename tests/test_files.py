"""What is written under a name that a person gave is whole, or it is as it was."""

import errno
import os
from pathlib import Path

import pytest

from komi.errors import StorageError
from komi.files import check_writable, write_atomically


def breaks_off(draft: Path) -> None:
    draft.write_text("half")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_file_that_was_there_outlives_a_full_disk(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("old")
    with pytest.raises(
        StorageError, match=r"cannot write .*rows\.csv \(No space left on device\): free some disk space"
    ):
        write_atomically(file, breaks_off)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_no_part_of_a_new_file_is_left(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        write_atomically(tmp_path / "rows.csv", breaks_off)
    assert list(tmp_path.iterdir()) == []


def test_link_still_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "rows.csv")
    write_atomically(tmp_path / "link.csv", lambda draft: draft.write_text("new"))
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "rows.csv").read_text() == "new"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("/proc/rows.csv", "the folder /proc is not writable"),
        ("/nowhere/rows.csv", "there is no folder /nowhere"),
        ("/dev/null", "it is a folder or a device"),
        ("/", "it is a folder or a device"),
    ],
)
def test_place_that_takes_no_file_is_refused(name: str, sentence: str) -> None:
    with pytest.raises(StorageError, match=sentence):
        check_writable(Path(name))


def test_a_file_gets_its_name_when_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, synchronized = tmp_path / "rows.csv", []
    monkeypatch.setattr("os.fsync", lambda number: synchronized.append((os.fstat(number).st_size, file.exists())))
    write_atomically(file, lambda draft: draft.write_text("whole"))
    assert synchronized == [(5, False)]
    assert file.read_text() == "whole"
