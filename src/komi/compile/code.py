"""What the code of the engine says, comments and docstrings aside: compiled code and solutions depend on it.

Which modules these are follows from what they say: those that are compiled for each game, as they import the
rulebook's functions, those that have something compiled, those that keep answers, and all that these import.
"""

import ast
import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from komi.syntax import parse, statements

MARKS = frozenset(["komi.compile.rulebook", "komi.compile.bits", "komi.model.storage", "komi.design.store"])
"""What is imported by whatever is compiled for a game, and whatever keeps an answer."""

COMPILES = re.compile(rb"(kernels|engine\(\)|engine_with\([^]]*\))\[")
"""How a module has something compiled: it takes a kernel."""


def digest(package: Path) -> str:
    """Stands for the code of the engine in a package, in the folder of that name."""
    sources = {_name(path, package): path.read_bytes() for path in package.rglob("*.py")}
    digest = hashlib.blake2b(digest_size=16)
    for name, tree in sorted(engine(sources).items()):
        _strip(tree)
        digest.update(hashlib.blake2b(f"{name} {ast.dump(tree)}".encode()).digest())
    return digest.hexdigest()


def engine(sources: Mapping[str, bytes]) -> dict[str, ast.Module]:
    """The modules of the engine among all modules of a package; no others are parsed that cannot be of it."""
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
    """Those modules that a module imports."""
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
    """Leave out what says nothing: docstrings, and texts that stand alone."""
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
