"""Where compiled code and solutions are kept between runs, and under which names."""

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
from komi.compile import code
from komi.errors import StorageError

LOCKS = shutil.ignore_patterns("lock")


def folder(kind: str, name: str = "") -> Path:
    """The folder for one kind of kept work, made if it is not there, or that of one piece of it, made when it is kept.

    It lies in the cache folder: see `komi.cache`. Where that can be read, but not written to, it is a folder for this
    process alone, in which the files of the one asked for are linked.

    Raises:
        StorageError: if it cannot be made or written to.
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
    """A folder that can be written to, with links to the files that are kept in one that cannot."""
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
    """What this process keeps, as long as it runs."""
    return tempfile.TemporaryDirectory(prefix="komi-", ignore_cleanup_errors=True)


def is_any_kept(kind: str, beginning: str) -> bool:
    """Whether any work of this kind has a name that begins so; if not, there is no need of a fingerprint to find it."""
    folders = [root() / kind, *([Path(_own().name) / kind] if _own.cache_info().currsize else [])]
    with suppress(OSError):
        return any(path.name.startswith(beginning) for each in folders if each.is_dir() for path in each.iterdir())
    return False


def fingerprint(*texts: str) -> str:
    """A name for everything that the texts, the engine and the versions of its compiler say."""
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
    """The digest of the engine's code, worked out once for the same contents: parsing takes longer than loading."""
    note = root() / "compiled" / f"code-{contents}.txt"
    with suppress(OSError, ValueError):
        return note.read_text(encoding="ascii")
    digest = code.digest(package)
    with suppress(StorageError):
        put(note, digest.encode())
    return digest
