"""The cache folder: what komi keeps between runs, how large it is, and how to clear it.

It holds nothing that cannot be worked out again. It is the folder that the environment variable `KOMI_CACHE_DIR` names,
or else the user's cache folder.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from komi.errors import StorageError

KINDS = {
    "compiled": "compiled rules",
    "solutions": "solved games",
    "unfinished": "solves that were interrupted",
    "sweeps": "finished rows of sweeps",
    "opponents": "strengths of opponents",
    "cards": "strategies taught",
    "derived": "rule files made of others",
    "rules": "rule files received as a worker of a cluster",
}
"""The folders inside the cache folder, and what each holds. Nothing else in it is ever counted or removed."""


@dataclass(frozen=True)
class Usage:
    """What one kind of kept work takes.

    Attributes:
        kind: one of `KINDS`.
        files: how many files there are.
        size: of all files together, in bytes.
    """

    kind: str
    files: int
    size: int


def root() -> Path:
    """The cache folder, which need not exist yet."""
    named = os.environ.get("KOMI_CACHE_DIR")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("komi")


def usage() -> list[Usage]:
    """What each kind of kept work takes, in the order of `KINDS`."""
    used = []
    for kind in KINDS:
        sizes = [size for path in (root() / kind).rglob("*") if (size := _size(path)) is not None]
        used.append(Usage(kind, len(sizes), sum(sizes)))
    return used


def clear() -> list[Usage]:
    """Remove everything that is kept; returns what it took.

    Raises:
        StorageError: if something cannot be removed.
    """
    before = usage()
    try:
        for kind in KINDS:
            folder = root() / kind
            for entry in folder.iterdir() if folder.is_dir() else ():
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                else:
                    entry.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot remove {error.filename or root()} ({error.strerror or error}): "
            "stop other komi commands, and check the folder's permissions."
        ) from None
    return before


def _size(path: Path) -> int | None:
    """The size of a file in bytes; None for a folder, and for what another process has just removed."""
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None
