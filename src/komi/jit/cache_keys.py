"""Keys of compiled code and solutions in the on-disk cache."""

import hashlib
import json
import platform
import sys
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
