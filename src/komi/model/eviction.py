"""The cache has a limit: when a solution is kept, those that were used least lately make room for it."""

import contextlib
import os
import shutil
from pathlib import Path

from komi.errors import InputError

SETTING = "KOMI_CACHE_LIMIT"
MOST = 20.0  # GB of solutions, if the setting does not say


def limit() -> int:
    """Bytes that solutions may take up in all: what `$KOMI_CACHE_LIMIT` says in GB.

    Raises:
        InputError: if it is no such number.
    """
    text = os.environ.get(SETTING) or str(MOST)
    try:
        most = float(text)
    except ValueError:
        most = -1.0
    if not 0.0 <= most < 1e9:
        raise InputError(f"{SETTING} is {text!r}: it must be a number of GB, such as {MOST:g}.")
    return int(most * 1e9)


def mark_used(path: Path) -> None:
    """Note that a kept solution has been used just now."""
    with contextlib.suppress(OSError):  # a cache that cannot be written to has no order
        os.utime(path)


def make_room(path: Path) -> None:
    """Remove solutions beside this one until all take up no more than the limit, those used least lately first.

    Whoever has mapped one into memory can go on reading it.
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
    """When it was last used, how large it is, and where it is: of each solution that is complete."""
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may have removed it
            if path.name.startswith(".") or not path.is_dir():
                continue
            found.append((path.stat().st_mtime, sum(each.stat().st_size for each in path.iterdir()), path))
    return found
