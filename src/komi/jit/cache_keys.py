"""Keys of compiled code and solutions in the on-disk cache.

The *engine* is the modules that call a game through `rules.interface` and those that store solutions, with all modules
that they import, directly or not. Solutions depend on all of it; compiled code depends on the functions that it is made
of (`komi.jit.code_digest`), and on the code of the compiler.
"""

import hashlib
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np

import komi
from komi.jit.plain_numba import PLAIN_NUMBA

ROOTS = frozenset(["komi.rules.interface", "komi.graph.storage", "komi.design.store"])
"""Modules that identify their importers as part of the engine: these call a game or store solutions."""

IMPORT = re.compile(rb"^ *(?:from|import) (komi(?:\.\w+)*)(.*(?:\n[ )].*)*)", re.MULTILINE)
"""An import of a module, and lines with the names that it imports from it: too many names do no harm."""
NAME = re.compile(rb"\w+")


def fingerprint(*texts: str) -> str:
    """Compute a cache key from the texts, the engine's code and the compiler."""
    return code_key(engine_digest(), *texts)


def code_key(*texts: str) -> str:
    """Compute a cache key from the texts and the compiler: its versions, and the code of `komi.jit`."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (source_digest("komi.jit"), *_versions(), *texts):
        digest.update(hashlib.blake2b(text.encode()).digest())
    return digest.hexdigest()


@cache
def _versions() -> tuple[str, ...]:
    libraries = (numba, llvmlite, np)
    return (*(each.__version__ for each in libraries), sys.version, platform.machine(), f"plain numba: {PLAIN_NUMBA}")


@cache
def engine_digest() -> str:
    """Compute the digest of the engine's code."""
    sources = _sources()
    return _digest(sources, engine(sources))


@cache
def source_digest(module: str) -> str:
    """Compute the digest of the code of a module or package with all modules that it imports."""
    sources = _sources()
    return _digest(sources, closure(sources, [name for name in sources if f"{name}.".startswith(f"{module}.")]))


def engine(sources: Mapping[str, bytes]) -> set[str]:
    """Find the modules of the engine, given the source of each module of komi by name."""
    words = [root.rpartition(".")[2].encode() for root in ROOTS]
    candidates = [name for name, source in sources.items() if any(word in source for word in words)]
    importers = [name for name in candidates if not ROOTS.isdisjoint(_imported(sources[name], sources))]
    return closure(sources, [*ROOTS, *importers])


def closure(sources: Mapping[str, bytes], roots: Iterable[str]) -> set[str]:
    """Find these modules and all that they import, directly or not."""
    found: set[str] = set()
    stack = list(roots)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += _imported(sources[name], sources)
    return found


def _imported(source: bytes, modules: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the names of komi's modules that a module imports."""
    for module, names in IMPORT.findall(source):
        candidates = [module, *(b".".join((module, name)) for name in NAME.findall(names))]
        yield from (name for each in candidates if (name := each.decode()) in modules and name != "komi")


def _sources() -> dict[str, bytes]:
    """Read the source of each module of komi, by name."""
    package = Path(str(komi.__file__)).parent
    return {_name(path, package): path.read_bytes() for path in package.rglob("*.py")}


def _name(path: Path, package: Path) -> str:
    return ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__")


def _digest(sources: Mapping[str, bytes], modules: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(modules):
        digest.update(hashlib.blake2b(name.encode() + b"\0" + sources[name]).digest())
    return digest.hexdigest()
