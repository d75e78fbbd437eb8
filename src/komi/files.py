"""Files that people name: written whole or not at all, and refused before the work for them is done."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from komi.errors import InputError, StorageError


def check_place(file: Path) -> None:
    """See that a file of this name can be written.

    Raises:
        StorageError: if it is a folder or a device, or its own folder is not there or takes no files.
    """
    folder = file.resolve().parent
    if file.exists() and not file.is_file():
        raise StorageError(f"cannot write {file}: it is a folder or a device.")
    if not folder.is_dir():
        raise StorageError(f"cannot write {file}: there is no folder {folder}.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StorageError(f"cannot write {file}: the folder {folder} takes no files ({error.strerror}).") from None


def check_own(file: Path, mark: str, among: int | None = None) -> None:
    """See that a file of this name can be written, and that a file that is there already was written by komi.

    Args:
        file: its name.
        mark: what is in such files that komi writes.
        among: the mark is among so many first bytes; if not said, anywhere.

    Raises:
        InputError: if somebody else's file is there.
        StorageError: if it cannot be written.
    """
    check_place(file)
    if file.exists() and mark.encode() not in _beginning(file, among):
        raise InputError(f"{file} is there already, and was not written by komi: move it, or name another file.")


def _beginning(file: Path, size: int | None) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(-1 if size is None else size)
    except OSError as error:
        raise StorageError(
            f"cannot write {file}: it is there already, and cannot be read ({error.strerror})."
        ) from None


def write_whole(
    file: Path, save: Callable[[Path], object], advice: str = "free some disk space, or name another file"
) -> None:
    """Have a file saved under another name, and renamed when it is complete: until then what was there stays.

    Args:
        file: its name; where a link leads, the file there is written.
        save: writes the file of the name that it is given, which has the same ending.
        advice: what to do if it cannot be written.

    Raises:
        StorageError: if it cannot be written.
    """
    place = file.resolve()
    draft = place.with_name(f".{place.stem}.{os.getpid()}.draft{place.suffix}")
    try:
        try:
            save(draft)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {file} ({error.strerror or error}): {advice}.") from None
