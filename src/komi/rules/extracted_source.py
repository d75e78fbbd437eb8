"""Source text of functions, with what they use from outside, for rule files and policy files made from a notebook.

Names that a source uses, but does not define, are written in front of it: imports, numbers, texts, tuples of these, and
other functions with their source.
"""

import ast
import builtins
import linecache
import symtable
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError
from komi.syntax import parse

LAMBDA = "<lambda>"  # the name of every function that a lambda makes


def find_definition(function: FunctionType | None, kind: type, name: str) -> tuple[Any, list[str]]:
    """Return the last definition of this kind and name in the source of a function, and the lines of that source.

    The source is that of the file, or of the cell of a notebook, in which the function was compiled.
    """
    tree, lines = _syntax_tree(function)
    found = [each for each in ast.walk(tree) if isinstance(each, kind) and getattr(each, "name", "") == name]
    return (found[-1] if found else None), lines


def source_of(function: FunctionType, name: str) -> str | None:
    """Return the statement that defines a function under a name, without annotations; None if it is not available."""
    definition = _definition(function)
    if isinstance(definition, ast.FunctionDef):
        definition = _without_annotations(definition)
        definition.name = name
        return ast.unparse(definition)
    return f"{name} = {ast.unparse(definition)}" if definition else None


def _syntax_tree(function: FunctionType | None) -> tuple[ast.AST, list[str]]:
    """Return the syntax tree and the lines of the source in which a function was compiled; empty if unavailable."""
    lines = linecache.getlines(function.__code__.co_filename) if function else []
    try:
        return parse("".join(lines).encode()), lines
    except SyntaxError:  # a cell with commands of the notebook, such as %time
        return ast.Module([], []), lines


def _definition(function: FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    """Return the definition of a function in its source; None if it is not available."""
    tree, _ = _syntax_tree(function)
    code = function.__code__
    if code.co_name != LAMBDA:
        found = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == code.co_name)
        return next((each for each in found if code.co_firstlineno in _first_lines(each)), None)
    known = (tuple(part for part in each if part is not None) for each in code.co_positions())
    positions = [each for each in known if len(each) == 4 and each[2:] != (0, 0)]
    lambdas = [each for each in ast.walk(tree) if isinstance(each, ast.Lambda)]
    around = [each for each in lambdas if positions and all(_spans(each, position) for position in positions)]
    return min(around, key=lambda each: len(ast.unparse(each)), default=None)


def _first_lines(definition: ast.FunctionDef) -> Iterator[int]:
    """Yield the lines at which a function begins: that of its first decorator is the one that its code names."""
    yield definition.lineno
    yield from (decorator.lineno for decorator in definition.decorator_list)


def _spans(node: ast.Lambda, position: tuple[int, ...]) -> bool:
    """Return whether the body of a lambda holds a piece of source: lines and columns of both ends."""
    body, (first, last, begin, end) = node.body, position
    starts = (body.lineno, body.col_offset) <= (first, begin)
    return starts and (last, end) <= (body.end_lineno or 0, body.end_col_offset or 0)


def _without_annotations(definition: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function definition without annotations and decorators, whose names a rule file does not know."""
    definition.decorator_list, definition.returns = [], None
    for each in ast.walk(definition.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    return definition


def namespace_of(function: FunctionType) -> dict[str, Any]:
    """Return the values of the names that a function can read from outside."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return function.__globals__ | {name: cell.cell_contents for name, cell in cells}


def outside(what: str, module: str, namespace: Mapping[str, Any], body: str) -> Iterator[str]:
    """Yield the lines that define the names which a source uses, but does not define.

    Args:
        what: the class or function with this source, for error messages: "class Countdown".
        module: the name of the module in which it is defined.
        namespace: the values of names outside.
        body: the source.

    Raises:
        GameError: if it uses a value that a rule file cannot contain.
    """
    defined: set[str] = set()
    queue = [body]
    while queue:
        source = queue.pop()
        for name in _undefined(source, defined):
            defined.add(name)
            if name not in namespace:
                continue  # the error of a name that is not defined comes from the rule file
            value = namespace[name]
            if isinstance(value, FunctionType) and value.__module__ == module:
                text = source_of(value, name)
                if text is None:
                    raise GameError(f"{what} uses {name!r}: komi finds no source of this function.")
                queue.append(text)
                yield text
            else:
                yield _statement(what, module, name, value)


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


def _statement(what: str, module: str, name: str, value: object) -> str:
    """Return the statement that defines a name: an import, or an assignment of a constant."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}"
    if _is_constant(value):
        return f"{name} = {value!r}"
    home, original = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if home and home != module and original.isidentifier():
        return f"from {home} import {original} as {name}"
    raise GameError(f"{what} uses {name!r} from outside, a {type(value).__name__}: define it inside.")


def _is_constant(value: object) -> bool:
    if isinstance(value, tuple):
        return type(value) is tuple and all(map(_is_constant, value))
    return value is None or type(value) in (bool, int, float, str)
