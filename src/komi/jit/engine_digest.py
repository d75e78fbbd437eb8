"""Digests of komi's own code without comments and docstrings: compiled code and solutions depend on it.

The *engine* is the modules that call a game through `rules.interface` and those that store solutions, with all modules
that they import, directly or not. Solutions depend on all of it; compiled code depends on the functions that it is made
of (`komi.jit.code_digest`), and on the code of the compiler.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from komi.syntax import parse, statements

ROOTS = frozenset(["komi.rules.interface", "komi.graph.storage", "komi.design.store"])
"""Modules that identify their importers as part of the engine: these call a game or store solutions."""


def digest(package: Path, module: str = "") -> tuple[str, frozenset[str]]:
    """Compute a digest of the engine, or of a module or package with all that it imports, in the folder of a package.

    Args:
        package: the folder.
        module: the name of the module or package; by default the engine.

    Returns:
        The digest, and the names of the modules that it covers.
    """
    sources = {_name(path, package): path.read_bytes() for path in package.rglob("*.py")}
    roots = [name for name in sources if f"{name}.".startswith(f"{module}.")]
    trees = closure(sources, roots) if module else engine(sources)
    digest = hashlib.blake2b(digest_size=16)
    for name, tree in sorted(trees.items()):
        _remove_docstrings(tree)
        digest.update(hashlib.blake2b(f"{name} {ast.dump(tree)}".encode()).digest())
    return digest.hexdigest(), frozenset(trees)


def engine(sources: Mapping[str, bytes]) -> dict[str, ast.Module]:
    """Parse the modules of the engine.

    Args:
        sources: the source of each module of the package, by name.
    """
    names = [root.rpartition(".")[2].encode() for root in ROOTS]
    candidates = {
        name: parse(source) for name, source in sources.items() if any(word in source for word in names)
    }  # parsing all modules takes seconds
    roots = [name for name, tree in candidates.items() if not ROOTS.isdisjoint(_imported(tree, sources))]
    return closure(sources, [*ROOTS & sources.keys(), *roots])


def closure(sources: Mapping[str, bytes], roots: Iterable[str]) -> dict[str, ast.Module]:
    """Parse these modules, and all modules of the package that they import, directly or not."""
    trees: dict[str, ast.Module] = {}
    stack = list(roots)
    while stack:
        name = stack.pop()
        if name not in trees:
            trees[name] = parse(sources[name])
            stack += _imported(trees[name], sources)
    return trees


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


def _remove_docstrings(tree: ast.Module) -> None:
    """Remove docstrings and other string statements from a syntax tree."""
    for part in statements(tree):
        body = getattr(part, "body", None)
        if isinstance(body, list):
            part.body = [child for child in body if not _is_docstring(child)]  # type: ignore[attr-defined]


def _is_docstring(statement: ast.AST) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
