"""Digest of the engine's code without comments and docstrings: compiled code and solutions depend on it.

The engine consists of the modules that are compiled for each game (they import functions of `rules.interface`), the
modules that request a kernel, the modules that store solutions, and everything that these import.
"""

import ast
import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from komi.syntax import parse, statements

MARKS = frozenset(["komi.rules.interface", "komi.jit.intrinsics", "komi.graph.storage", "komi.design.store"])
"""Modules that identify their importers as part of the engine: compiled for a game, or storing solutions."""

COMPILES = re.compile(rb"(kernels|kernels\(\)|kernels_with\([^]]*\))\[")
"""Matches source code that requests a kernel."""


def digest(package: Path) -> str:
    """Compute a digest of the engine's code in the folder of a package."""
    sources = {_name(path, package): path.read_bytes() for path in package.rglob("*.py")}
    digest = hashlib.blake2b(digest_size=16)
    for name, tree in sorted(engine(sources).items()):
        _strip(tree)
        digest.update(hashlib.blake2b(f"{name} {ast.dump(tree)}".encode()).digest())
    return digest.hexdigest()


def engine(sources: Mapping[str, bytes]) -> dict[str, ast.Module]:
    """Find the modules of the engine in a package; modules that cannot belong to it are not parsed."""
    words = [mark.rpartition(".")[2].encode() for mark in MARKS]
    trees: dict[str, ast.Module] = {}
    found: dict[str, ast.Module] = {}
    waiting = []
    for name, source in sources.items():
        if name in MARKS or COMPILES.search(source):
            waiting.append(name)
        elif any(word in source for word in words):
            trees[name] = parse(source)
            if not MARKS.isdisjoint(_imported(trees[name], sources)):
                waiting.append(name)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = trees.get(name) or parse(sources[name])
            waiting += _imported(found[name], sources)
    return found


def _imported(tree: ast.Module, modules: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the names of the package's modules that a module imports."""
    for statement in statements(tree):
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names = [f"{statement.module}.{alias.name}" for alias in statement.names] + [str(statement.module)]
        else:
            continue
        yield from (name for name in names if name in modules and "." in name)


def _name(path: Path, package: Path) -> str:
    return ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__")


def _strip(tree: ast.Module) -> None:
    """Remove docstrings and other string statements from a syntax tree."""
    for part in statements(tree):
        body = getattr(part, "body", None)
        if isinstance(body, list):
            part.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]


def _is_text(statement: ast.AST) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
