"""The cache folder: its location, its contents and size, and how to clear it.

Everything in it can be computed again. It is the folder that the environment variable `KOMI_CACHE_DIR` names,
or else the user's cache folder.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from komi.errors import StorageError
from komi.files import write_atomically

KINDS = {
    "compiled": "compiled rules",
    "solutions": "solved games",
    "unfinished": "solves that were interrupted",
    "sweeps": "finished rows of sweeps",
    "opponents": "strengths of opponents",
    "cards": "strategies taught",
    "learned": "policies learned",
    "derived": "rule files made of others",
    "rules": "rule files received as a worker of a cluster",
}
"""The folders inside the cache folder, and the contents of each. Nothing else in it is ever counted or removed."""


@dataclass(frozen=True)
class Usage:
    """Disk usage of one kind of cached data.

    Attributes:
        kind: one of `KINDS`.
        files: the number of files.
        size: the total size of the files in bytes.
    """

    kind: str
    files: int
    size: int


def root() -> Path:
    """Return the cache folder, which may not exist yet."""
    named = os.environ.get("KOMI_CACHE_DIR")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("komi")


def folder(kind: str, name: str = "") -> Path:
    """Return the folder of one kind of data, created if missing, or the path of one entry in it.

    If the cache folder is readable but not writable, return a folder that belongs to this process alone and links to
    the files of the requested entry.

    Args:
        kind: one of `KINDS`.
        name: the folder of the entry; it is created when the entry is written.

    Raises:
        StorageError: if the folder cannot be created or written to.
    """
    path = root() / kind
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        if path.is_dir():
            return _writable_copy(path, kind, name)
        raise StorageError(
            f"cannot write in the cache folder {path} ({error.strerror or error}): "
            "set KOMI_CACHE_DIR to a folder that can be written to."
        ) from None
    return path / name


def _writable_copy(path: Path, kind: str, name: str) -> Path:
    """Create a writable folder with links to the files of a folder that is not writable."""
    try:
        copy = Path(_temporary_folder().name) / kind
        copy.mkdir(exist_ok=True)
        if name and (path / name).is_dir() and not (copy / name).exists():
            shutil.copytree(path / name, copy / name, copy_function=os.symlink, ignore=shutil.ignore_patterns("*.lock"))
    except OSError as error:
        raise StorageError(
            f"cannot write in the cache folder {path}, nor beside it ({error.strerror or error}): "
            "set KOMI_CACHE_DIR to a folder that can be written to."
        ) from None
    return copy / name


@cache
def _temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    """Create the temporary cache folder of this process; it is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="komi-", ignore_cleanup_errors=True)


def has_entries(kind: str, prefix: str) -> bool:
    """Return whether a cache entry of this kind has a name that starts with `prefix`.

    If there is none, the caller can skip computing a fingerprint.
    """
    folders = [
        root() / kind,
        *([Path(_temporary_folder().name) / kind] if _temporary_folder.cache_info().currsize else []),
    ]
    with suppress(OSError):
        return any(path.name.startswith(prefix) for folder in folders if folder.is_dir() for path in folder.iterdir())
    return False


def usage() -> list[Usage]:
    """Measure the disk usage of each kind of cached data, in the order of `KINDS`."""
    used = []
    for kind in KINDS:
        sizes = [size for path in (root() / kind).rglob("*") if (size := _size(path)) is not None]
        used.append(Usage(kind, len(sizes), sum(sizes)))
    return used


def clear() -> list[Usage]:
    """Remove all cached data, and return its disk usage.

    Raises:
        StorageError: if something cannot be removed.
    """
    before = usage()
    try:
        for kind in KINDS:
            folder = root() / kind
            for entry in folder.iterdir() if folder.is_dir() else ():
                remove(entry)
    except OSError as error:
        raise StorageError(
            f"cannot remove {error.filename or root()} ({error.strerror or error}): "
            "stop other komi commands, and check the folder's permissions."
        ) from None
    return before


def remove(path: Path) -> None:
    """Remove a file, or a folder with its contents, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def put(file: Path, contents: bytes) -> None:
    """Write a file of the cache, or replace it, unless it already has these contents.

    Raises:
        StorageError: if it cannot be written.
    """

    def write(draft: Path) -> None:
        draft.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(contents)
        if file.is_dir():
            remove(file)

    if not _has_contents(file, contents):
        write_atomically(file, write, "free some disk space, or set KOMI_CACHE_DIR to another folder")


def _has_contents(file: Path, contents: bytes) -> bool:
    try:
        return file.read_bytes() == contents
    except OSError:
        return False


def _size(path: Path) -> int | None:
    """Return the size of a file in bytes; None for a folder, or if another process has just removed the file."""
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None
