"""Source analysis of rule files: the files of a module, the source of its functions, and the values of their names."""

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from komi.syntax import compile_module, parse, statements

BUILT_IN = "komi.games."
GAMES = Path(__file__).resolve().parent.parent / "games"  # the folder of built-in games
UNRESOLVED = object()
"""The value of a name that is unbound, or whose value cannot be determined from the source."""

Definition = ast.FunctionDef | ast.Lambda


def files(module: ModuleType) -> list[Path]:
    """List the files that contain a game's rules: its own, and those in its folder that it imports, directly or not."""
    return with_imports(Path(str(module.__file__)))


def with_imports(file: Path) -> list[Path]:
    """List a file, and those in its folder that it imports, directly or not."""
    folder = folder_of(file)
    found = {file}
    queue = [file]
    while queue:
        for path in _imported(queue.pop(), folder):
            if path not in found:
                found.add(path)
                queue.append(path)
    return sorted(found)


def folder_of(file: Path) -> Path:
    """Return the folder in which a file finds what it imports: its own, or that of the built-in games."""
    return GAMES if file.is_relative_to(GAMES) else file.parent


def definition(function: FunctionType) -> Definition | None:
    """Return the source of a function.

    Returns:
        None unless compiling the file gives exactly the code that was loaded, for a single definition.
    """
    code = function.__code__
    try:
        codes, definitions = _parsed(code.co_filename, Path(code.co_filename).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    found = definitions.get((code.co_name, code.co_firstlineno), [])
    return found[0] if code in codes and len(found) == 1 else None


def local_names(part: Definition) -> set[str]:
    """Return every name that is local to the function, or to a function inside it."""
    names = set[str]()
    outside = set[str]()
    for inner in ast.walk(part):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            names.add(inner.id)
        elif isinstance(inner, ast.arg):
            names.add(inner.arg)
        elif isinstance(inner, ast.FunctionDef | ast.ClassDef) and inner is not part:
            names.add(inner.name)
        elif isinstance(inner, ast.alias):
            names.add((inner.asname or inner.name).partition(".")[0])
        elif isinstance(inner, ast.Global):
            outside.update(inner.names)
    return names - outside


def resolve(expression: ast.expr, function: FunctionType, local: set[str]) -> object:
    """Return the value of a name or a module's attribute in a function; UNRESOLVED if it is a local name."""
    if isinstance(expression, ast.Name) and expression.id not in local:
        return _value_of(expression.id, function)
    if isinstance(expression, ast.Attribute):
        module = resolve(expression.value, function, local)
        if isinstance(module, ModuleType):
            return getattr(module, expression.attr, UNRESOLVED)
    return UNRESOLVED


def _value_of(name: str, function: FunctionType) -> object:
    if name in function.__code__.co_freevars:
        try:
            return (function.__closure__ or ())[function.__code__.co_freevars.index(name)].cell_contents
        except ValueError:  # the cell is empty
            return UNRESOLVED
    return function.__globals__.get(name, getattr(builtins, name, UNRESOLVED))


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object, and all of functions and classes inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@lru_cache(64)
def _parsed(path: str, contents: bytes) -> tuple[frozenset[CodeType], dict[tuple[str, int], list[Definition]]]:
    """Return the code objects of a file, and its function definitions by name and first line."""
    tree = parse(contents)
    definitions: dict[tuple[str, int], list[Definition]] = {}
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef):
            first = min([part.lineno, *(decorator.lineno for decorator in part.decorator_list)])
            definitions.setdefault((part.name, first), []).append(part)
        elif isinstance(part, ast.Lambda):
            definitions.setdefault(("<lambda>", part.lineno), []).append(part)
    return frozenset(codes(compile_module(tree, path))), definitions


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the files in this folder that a file imports."""
    try:
        tree = parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for statement in statements(tree):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield from _files(folder, alias.name)
        elif isinstance(statement, ast.ImportFrom):
            base = file.parents[statement.level - 1] if statement.level else folder
            for alias in statement.names:
                yield from _files(base, f"{statement.module}.{alias.name}" if statement.module else alias.name)


def _files(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files in the folder that run when this module, or a member of it, is imported."""
    for part in name.removeprefix(BUILT_IN).split("."):
        if (folder / f"{part}.py").is_file():
            yield folder / f"{part}.py"
            return
        folder = folder / part
        if (folder / "__init__.py").is_file():
            yield folder / "__init__.py"
