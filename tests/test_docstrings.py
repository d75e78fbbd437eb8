"""Docstrings name parameters, attributes and errors that exist."""

import ast
import builtins
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import komi

ROOT = Path(str(komi.__file__)).parent
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of each module of the package, by its path."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


@functools.cache
def classes() -> dict[str, ast.ClassDef]:
    """Return all classes of the package, by name."""
    return {node.name: node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def entries(title: str) -> Iterator[tuple[str, Definition, str]]:
    """Return the names that all sections of this title explain, each with its module and its definition."""
    for module, tree in modules().items():
        for definition in ast.walk(tree):
            if isinstance(definition, Definition):
                text = ast.get_docstring(definition) or ""
                section = re.search(rf"^{title}:\n((?:    .*(?:\n|\Z)|\n)+)", text, re.MULTILINE)
                for names in re.findall(r"^    (\S[^:\n]*):(?: |$)", section[1] if section else "", re.MULTILINE):
                    yield from ((module, definition, name.strip(" *")) for name in names.split(","))


def attributes(cls: ast.ClassDef) -> set[str]:
    """Return the attributes of a class and of its bases in the package."""
    stored = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(cls)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    methods = {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}
    bases = (classes().get(ast.unparse(base).partition("[")[0]) for base in cls.bases)
    return stored.union(methods, *(attributes(base) for base in bases if base))


def test_documented_parameters_exist() -> None:
    wrong = [
        (module, function.name, name)
        for module, function, name in entries("Args")
        if name not in {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    ]
    assert not wrong


def test_documented_attributes_exist() -> None:
    wrong = [
        (module, cls.name, name)
        for module, cls, name in entries("Attributes")
        if isinstance(cls, ast.ClassDef) and cls.name != "ApiError"  # starlette defines most of its attributes
        if name not in attributes(cls)
    ]
    assert not wrong


def test_documented_errors_exist() -> None:
    imported = {
        module: {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        for module, tree in modules().items()
    }
    wrong = [
        (module, definition.name, name)
        for module, definition, name in entries("Raises")
        if name not in imported[module] | {"IntegrityError"} | classes().keys() | set(dir(builtins))
    ]
    assert not wrong
