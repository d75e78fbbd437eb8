"""What the code of the engine says, comments and docstrings aside: compiled code and solutions depend on it.

Which modules these are follows from what they import: those that are compiled for each game, as they import the
rulebook's functions, those that keep answers, and all that these import.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

from komi.syntax import parse, statements

MARKS = frozenset(["komi.compile.rulebook", "komi.compile.bits", "komi.model.storage", "komi.design.store"])
"""What is imported by whatever is compiled for a game, and whatever keeps an answer."""


def digest(package: Path) -> str:
    """Stands for the code of the engine in a package, in the folder of that name."""
    trees = {_name(path, package): parse(path.read_bytes()) for path in package.rglob("*.py")}
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(engine(trees)):
        _strip(trees[name])
        digest.update(hashlib.blake2b(f"{name} {ast.dump(trees[name])}".encode()).digest())
    return digest.hexdigest()


def engine(trees: dict[str, ast.Module]) -> set[str]:
    """The modules of the engine among all modules of a package."""
    imports = {name: set(_imported(tree, trees)) for name, tree in trees.items()}
    found = {name for name in trees if imports[name] & MARKS or name in MARKS}
    waiting = list(found)
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _imported(tree: ast.Module, modules: dict[str, ast.Module]) -> Iterator[str]:
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
