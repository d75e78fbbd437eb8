"""Location and keys of compiled code and solutions in the on-disk cache."""

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
import numpy as np

import komi
from komi.cache import put, root
from komi.errors import StorageError
from komi.jit import engine_digest

LOCKS = shutil.ignore_patterns("lock")


def folder(kind: str, name: str = "") -> Path:
    """Return the cache folder of one kind of data, created if missing, or the path of one entry in it.

    It lies in the cache folder: see `komi.cache`. If that is readable but not writable, return a folder that belongs to
    this process alone and links to the files of the requested entry.

    Args:
        kind: one of `komi.cache.KINDS`.
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
            return _linked(path, kind, name)
        raise StorageError(
            f"cannot write in the cache folder {path} ({error.strerror or error}): "
            "set KOMI_CACHE_DIR to a folder that can be written to."
        ) from None
    return path / name


def _linked(path: Path, kind: str, name: str) -> Path:
    """Create a writable folder with links to the files of a folder that is not writable."""
    try:
        own = Path(_own().name) / kind
        own.mkdir(exist_ok=True)
        if name and (path / name).is_dir() and not (own / name).exists():
            shutil.copytree(path / name, own / name, copy_function=os.symlink, ignore=LOCKS)
    except OSError as error:
        raise StorageError(
            f"cannot write in the cache folder {path}, nor beside it ({error.strerror or error}): "
            "set KOMI_CACHE_DIR to a folder that can be written to."
        ) from None
    return own / name


@cache
def _own() -> "tempfile.TemporaryDirectory[str]":
    """Create the temporary cache folder of this process; it is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="komi-", ignore_cleanup_errors=True)


def is_any_kept(kind: str, beginning: str) -> bool:
    """Return whether a cache entry of this kind has a name that starts with `beginning`.

    If there is none, the caller can skip computing a fingerprint.
    """
    folders = [root() / kind, *([Path(_own().name) / kind] if _own.cache_info().currsize else [])]
    with suppress(OSError):
        return any(path.name.startswith(beginning) for each in folders if each.is_dir() for path in each.iterdir())
    return False


def fingerprint(*texts: str) -> str:
    """Compute a cache key from the texts, the engine's code and the versions of its compiler."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (_engine(), *texts):
        digest.update(hashlib.blake2b(text.encode()).digest())
    return digest.hexdigest()


@cache
def _engine() -> str:
    package = Path(str(komi.__file__)).parent
    contents = hashlib.blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        contents.update(hashlib.blake2b(path.read_bytes()).digest())
    versions = (numba.__version__, np.__version__, sys.version, platform.machine())
    return _found_before(contents.hexdigest(), package) + "|".join(versions)


def _found_before(contents: str, package: Path) -> str:
    """Return the digest of the engine's code, cached on disk by file contents: parsing is slower than loading."""
    note = root() / "compiled" / f"code-{contents}.txt"
    with suppress(OSError, ValueError):
        return note.read_text(encoding="ascii")
    digest = engine_digest.digest(package)
    with suppress(StorageError):
        put(note, digest.encode())
    return digest
