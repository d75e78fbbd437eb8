"""Location and keys of compiled code and solutions in the on-disk cache."""

import hashlib
import json
import os
import platform
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import llvmlite
import numba
import numpy as np

import komi
from komi.cache import put, root
from komi.errors import StorageError
from komi.jit import engine_digest
from komi.jit.plain_numba import PLAIN_NUMBA

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
            shutil.copytree(path / name, copy / name, copy_function=os.symlink, ignore=LOCKS)
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


def fingerprint(*texts: str) -> str:
    """Compute a cache key from the texts, the engine's code and the compiler."""
    return code_key(source_digest().digest, *texts)


def code_key(*texts: str) -> str:
    """Compute a cache key from the texts and the compiler: its versions, and the code of `komi.jit`."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (source_digest("komi.jit").digest, *_versions(), *texts):
        digest.update(hashlib.blake2b(text.encode()).digest())
    return digest.hexdigest()


@cache
def _versions() -> tuple[str, ...]:
    libraries = (numba, llvmlite, np)
    return (*(each.__version__ for each in libraries), sys.version, platform.machine(), f"plain numba: {PLAIN_NUMBA}")


class SourceDigest(NamedTuple):
    """A digest of komi's own code.

    Attributes:
        digest: the digest.
        modules: the names of the modules that it covers.
    """

    digest: str
    modules: frozenset[str]


@cache
def source_digest(module: str = "") -> SourceDigest:
    """Compute the digest of the engine's code, or of a module or package with all modules that it imports.

    It is cached on disk by the contents of all files, because parsing them takes seconds.
    """
    package = Path(str(komi.__file__)).parent
    note = root() / "compiled" / f"code-{_contents(package)}{module and '-'}{module}.json"
    with suppress(OSError, ValueError, TypeError):
        digest, modules = json.loads(note.read_bytes())
        return SourceDigest(str(digest), frozenset(modules))
    digest, modules = engine_digest.digest(package, module)
    with suppress(StorageError):
        put(note, json.dumps([digest, sorted(modules)]).encode())
    return SourceDigest(digest, modules)


@cache
def _contents(package: Path) -> str:
    contents = hashlib.blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        contents.update(hashlib.blake2b(path.read_bytes()).digest())
    return contents.hexdigest()
