"""The cache folder: its location, its contents and size, and how to clear it.

Everything in it can be computed again. It is the folder that the environment variable `KOMI_CACHE_DIR` names,
or else the user's cache folder.
"""

import os
import shutil
from dataclasses import dataclass
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
