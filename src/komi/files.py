"""Output files named by the user: checked before the computation starts, and written atomically."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from komi.errors import InputError, StorageError

ADVICE = "free some disk space, or choose another file"
"""The default advice if a file cannot be written."""


def check_writable(file: Path) -> None:
    """Check that a file of this name can be written.

    Raises:
        StorageError: if it is a folder or a device, or its own folder does not exist or is not writable.
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
        raise StorageError(f"cannot write {file}: the folder {folder} is not writable ({error.strerror}).") from None


def check_replaceable(file: Path, signature: str, max_bytes: int | None = None) -> None:
    """Check that a file of this name can be written, and that an existing file was written by komi.

    Args:
        file: the file.
        signature: a text that every such file written by komi contains.
        max_bytes: the number of bytes at the start of the file to search for the signature; by default the whole file.

    Raises:
        InputError: if the existing file is not komi's.
        StorageError: if the file cannot be written.
    """
    check_writable(file)
    if file.exists() and signature.encode() not in _read_start(file, max_bytes):
        raise InputError(f"{file} already exists, and was not written by komi: move it, or choose another name.")


def _read_start(file: Path, size: int | None) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(-1 if size is None else size)
    except OSError as error:
        raise StorageError(f"cannot write {file}: it already exists, and cannot be read ({error.strerror}).") from None


def sync(file: Path) -> None:
    """Wait until a file is on the disk, so that after a power failure its name leads to all of it."""
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def write_atomically(file: Path, save: Callable[[Path], object], advice: str = ADVICE) -> None:
    """Write a file atomically: save it under a temporary name, and rename it when it is complete.

    Args:
        file: the file; if it is a link, its target is written.
        save: writes the file of the given name, which has the same suffix.
        advice: what to do if the file cannot be written.

    Raises:
        StorageError: if the file cannot be written.
    """
    target = file.resolve()
    draft = target.with_name(f".{target.stem}.{os.getpid()}.draft{target.suffix}")
    try:
        try:
            save(draft)
            sync(draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {file} ({error.strerror or error}): {advice}.") from None
