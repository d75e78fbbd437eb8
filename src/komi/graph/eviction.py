"""The size limit of the solution cache: storing a solution evicts the least recently used ones."""

import contextlib
import os
import shutil
from pathlib import Path

from komi.errors import InputError

SETTING = "KOMI_CACHE_LIMIT"
DEFAULT_LIMIT = 20.0  # GB of solutions, the default


def limit() -> int:
    """Return the maximal size of all solutions in bytes; `$KOMI_CACHE_LIMIT` gives it in GB.

    Raises:
        InputError: if it is not a valid number.
    """
    text = os.environ.get(SETTING) or str(DEFAULT_LIMIT)
    try:
        most = float(text)
    except ValueError:
        most = -1.0
    if not 0.0 <= most < 1e9:
        raise InputError(f"{SETTING} is {text!r}: it must be a number of GB, such as {DEFAULT_LIMIT:g}.")
    return int(most * 1e9)


def mark_used(path: Path) -> None:
    """Record that a stored solution has just been used."""
    with contextlib.suppress(OSError):  # the cache may be read-only
        os.utime(path)


def make_room(path: Path) -> None:
    """Evict the least recently used solutions in the same folder until all fit into the limit, except this one.

    A process that has mapped one into memory can still read it.
    """
    most = limit()
    kept = sorted(_kept(path.parent), key=lambda each: each[0])
    total = sum(size for _, size, _ in kept)
    for _, size, folder in kept:
        if total <= most:
            return
        if folder != path:
            shutil.rmtree(folder, ignore_errors=True)
            total -= size


def _kept(folder: Path) -> list[tuple[float, int, Path]]:
    """List (time of last use, size, path) of each complete solution."""
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may have removed it
            if path.name.startswith(".") or not path.is_dir():
                continue
            found.append((path.stat().st_mtime, sum(each.stat().st_size for each in path.iterdir()), path))
    return found
