"""Rule files for games that are defined as a class, in a notebook or in a module.

The body of the class becomes the rule file, in a folder of the cache, so that the game is solved, checked, measured and
played like any other. Names from outside of the class that it uses are written in front: imports, numbers, texts,
tuples of these, and other functions with their source.
"""

import ast
import builtins
import hashlib
import linecache
import re
import symtable
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi import cache
from komi.errors import GameError
from komi.syntax import parse


def write_rules(game: type) -> Path:
    """Write the rule file of a class whose body holds the parts of a game, and return its path.

    Raises:
        GameError: if its source is not available, or it uses a value that a rule file cannot contain.
        StorageError: if the file cannot be written.
    """
    function = next((value for value in vars(game).values() if _function(value)), None)
    body = _body(game, _function(function)) if function else None
    if body is None:
        raise GameError(
            f"class {game.__name__} is not a game: komi finds no source of a function in it, such as 'start'."
        )
    text = "\n".join([_docstring(game), *_outside(game, body), body, ""])
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", game.__name__).lower()
    path = cache.root() / "derived" / f"class-{digest}" / f"{name}.py"
    cache.put(path, text.encode())
    return path


def _docstring(game: type) -> str:
    return f"{game.__doc__!r}\n" if game.__doc__ else ""


def _function(value: object) -> FunctionType | None:
    """Return a function of a class, without `staticmethod` around it; None for anything else."""
    function = value.__func__ if isinstance(value, staticmethod) else value
    return function if isinstance(function, FunctionType) else None


def _body(game: type, function: FunctionType | None) -> str | None:
    """Return the source of the body of a class without its docstring, at the margin; None if it is not available.

    The source is that of the file, or of the cell of a notebook, in which a function of the class was compiled.
    """
    definition, lines = _find(function, ast.ClassDef, game.__name__)
    if definition is None:
        return None
    body = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
    undecorated = {
        decorator.lineno
        for statement in body
        if isinstance(statement, ast.FunctionDef)
        for decorator in statement.decorator_list
        if isinstance(decorator, ast.Name) and decorator.id == "staticmethod"
    }
    first = min([statement.lineno for statement in body[:1]] + list(undecorated), default=0)
    numbered = range(first, (definition.end_lineno or 0) + 1)
    return textwrap.dedent("".join(lines[number - 1] for number in numbered if number not in undecorated))


def _find(function: FunctionType | None, kind: type, name: str) -> tuple[Any, list[str]]:
    """Return the last definition of this kind and name in the source of a function, and the lines of that source."""
    lines = linecache.getlines(function.__code__.co_filename) if function else []
    try:
        tree = parse("".join(lines).encode())
    except SyntaxError:  # a cell with commands of the notebook, such as %time
        return None, lines
    found = [each for each in ast.walk(tree) if isinstance(each, kind) and getattr(each, "name", "") == name]
    return (found[-1] if found else None), lines


def _outside(game: type, body: str) -> Iterator[str]:
    """Yield the lines that define the names which the body uses, but does not define."""
    functions = [function for value in vars(game).values() if (function := _function(value))]
    namespace = dict(vars(sys.modules[game.__module__])) if game.__module__ in sys.modules else {}
    for function in functions:
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        namespace |= function.__globals__ | {name: cell.cell_contents for name, cell in cells}
    defined: set[str] = set()
    queue = [body]
    while queue:
        source = queue.pop()
        for name in _undefined(source, defined):
            defined.add(name)
            if name not in namespace:
                continue  # the error of a name that is not defined comes from the rule file
            value = namespace[name]
            if isinstance(value, FunctionType) and value.__module__ == game.__module__:
                definition, lines = _find(value, ast.FunctionDef, value.__name__)
                if definition is None:
                    raise GameError(f"class {game.__name__} uses {name!r}: komi finds no source of this function.")
                queue.append(textwrap.dedent("".join(lines[definition.lineno - 1 : definition.end_lineno])))
                yield queue[-1]
            else:
                yield _statement(game, name, value)


def _undefined(source: str, defined: set[str]) -> list[str]:
    """List the global names that a source reads, but does not define, and that Python does not define, sorted."""
    top = symtable.symtable(source, "<class>", "exec")
    own = {each.get_name() for each in top.get_symbols() if each.is_assigned() or each.is_imported()}
    scopes, read = [top], set[str]()
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        symbols = [each for each in scope.get_symbols() if each.is_referenced()]
        read |= {each.get_name() for each in symbols if scope is top or each.is_global()}
    return sorted(name for name in read - own - defined if not hasattr(builtins, name))


def _statement(game: type, name: str, value: object) -> str:
    """Return the statement that defines a name: an import, or an assignment of a constant."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}"
    if _is_constant(value):
        return f"{name} = {value!r}"
    home, original = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if home and home != game.__module__ and original.isidentifier():
        return f"from {home} import {original} as {name}"
    raise GameError(
        f"class {game.__name__} uses {name!r} from outside, a {type(value).__name__}: define it inside of the class."
    )


def _is_constant(value: object) -> bool:
    if isinstance(value, tuple):
        return type(value) is tuple and all(map(_is_constant, value))
    return value is None or type(value) in (bool, int, float, str)
