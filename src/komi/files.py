"""Files that people name: written whole or not at all, and refused before the work for them is done."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from komi.errors import StorageError


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
