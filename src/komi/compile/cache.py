"""Where compiled code and solutions are kept between runs, and under which names."""

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import numba
import numpy as np

import komi
from komi.cache import root
from komi.errors import StorageError

ENGINE = ("compile", "evaluation", "methods", "model", "policies", "simulation")
"""The packages whose source decides what compiled code does and what a solution says."""


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


def fingerprint(*texts: str) -> str:
    """A name for everything that the texts, the engine and the versions of its compiler say."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (_engine(), *texts):
        digest.update(hashlib.blake2b(text.encode()).digest())
    return digest.hexdigest()


@cache
def _engine() -> str:
    package_folder = Path(str(komi.__file__)).parent
    digest = hashlib.blake2b()
    for package in ENGINE:
        for path in sorted((package_folder / package).rglob("*.py")):
            digest.update(hashlib.blake2b(path.read_bytes()).digest())
    versions = (numba.__version__, np.__version__, sys.version, platform.machine())
    return digest.hexdigest() + "|".join(versions)
