"""Where compiled code and solutions are kept between runs, and under which names."""

import hashlib
import platform
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


def folder(kind: str) -> Path:
    """The folder for one kind of kept work, made if it is not there.

    It lies in the cache folder: see `komi.cache`.

    Raises:
        StorageError: if it cannot be made or written to.
    """
    path = root() / kind
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        raise StorageError(
            f"cannot write in the cache folder {path} ({error.strerror or error}): "
            "set KOMI_CACHE_DIR to a folder that can be written to."
        ) from None
    return path


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
