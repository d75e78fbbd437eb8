"""The language of rule files: what they say follows from the arguments of their functions alone.

Results about rules that depend on anything else would be meaningless, and those on disk would be those of other rules.
So a file imports only files beside it and libraries that compute, uses no function of Python that looks around, and
changes nothing but what a function makes itself. That holds for all of its code, also for what runs when the file is
loaded. `freeze` makes sure of what the source does not show: after loading, no value beside the functions can change.
"""

import ast
from collections.abc import Iterable, Iterator, Set
from dis import get_instructions
from enum import Enum
from fractions import Fraction
from importlib.util import find_spec
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    EllipsisType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    ModuleType,
    UnionType,
)
from typing import Any

from komi.errors import GameError
from komi.rules import source
from komi.syntax import compile_module, parse, statements


def _names_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


WHOLE_LIBRARIES = _names_in("itertools math numbers")
"""Libraries that can be imported as a whole: all that they hold are functions of their arguments, and numbers."""
LIBRARIES = {
    "typing": _names_in(
        "NamedTuple Any Callable Iterable Iterator Generator Sequence Mapping Literal Final TypeAlias TypeVar Optional"
        " Union Tuple List Dict Set FrozenSet"
    ),
    "collections": _names_in("Counter defaultdict deque namedtuple"),
    "collections.abc": _names_in("Callable Collection Generator Iterable Iterator Mapping Sequence Set"),
    "enum": _names_in("Enum IntEnum IntFlag auto"),
    "fractions": _names_in("Fraction"),
    "functools": _names_in("reduce"),
    "komi.game": _names_in("CHANCE put"),
    "komi.bitset": _names_in("count length nth subset"),
    "komi.branchless": _names_in("either"),
    "komi.rules.interface": _names_in(
        "start legal outcomes over payoff possible transient symmetries view deal reward leader stage order turned pick"
        " sample"
    ),
    "__future__": _names_in("annotations"),
}
"""The names that can be imported from other libraries."""
FORBIDDEN = _names_in(
    "open input print exec eval compile globals locals vars dir id hash getattr setattr delattr breakpoint __import__"
)
"""Functions of Python that look around, or remember."""
FORBIDDEN_ATTRIBUTES = _names_in("gi_frame gi_code gi_yieldfrom mro format_map")
"""Attributes that lead to the code that runs, or to what it holds."""
UNDERSCORED = _names_in("_replace _fields _asdict _make __name__ __all__ __doc__")
"""Names with an underscore in the language; any other attribute with one must be that of a module beside the file."""
MUTATING_METHODS = _names_in(
    "append extend insert pop popitem remove clear sort reverse update setdefault add discard appendleft popleft"
    " extendleft rotate difference_update intersection_update symmetric_difference_update"
)
"""Methods that modify their object."""
CONSTANTS = (
    *(int, float, complex, str, bytes, range, Fraction, Enum, type, type(None), EllipsisType, ModuleType),
    *(GenericAlias, UnionType, MappingProxyType, property, staticmethod, classmethod),
)
"""Types of values that never change; so are tuples, sets and dicts of these when they are frozen."""

ALONE = "what rules say must follow from their arguments alone"
BESIDE = f"{ALONE}, and not from what Python holds beside them"
HERE = "write the numbers that they need into the rule file or a file beside it"
HINTS = {"numpy": "tables are tuples of numbers", "random": "chance is what 'outcomes' yields"}
LIBRARY_NAMES = ", ".join(sorted({name.partition(".")[0] for name in (*WHOLE_LIBRARIES, *LIBRARIES)} - {"__future__"}))

GLOBAL_READS = _names_in("LOAD_NAME LOAD_GLOBAL LOAD_FROM_DICT_OR_GLOBALS")
"""Instructions that read a name of the file, or of Python."""

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Names of code objects that run where they stand."""

Reads = dict[str, str]
"""For each name beside functions that one of them reads, its first place: file and line."""


def check(file: Path) -> Reads:
    """Check that a file of rules or policies, and those that it imports from beside it, are in the language of rules.

    Call it where imports find what they find when the file is loaded.

    Returns:
        The names that their functions read.

    Raises:
        GameError: if one is not; the sentence names the line.
    """
    reads: Reads = {}
    for path in source.with_imports(file):
        try:
            tree = parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue  # Python names the line when the file is loaded
        _File(path, source.folder_of(file), tree).check(reads)
    return reads


class _File:
    """The syntax tree of one file."""

    def __init__(self, path: Path, folder: Path, tree: ast.Module) -> None:
        self._path, self._folder, self._tree = path, folder, tree
        imports = [part for part in statements(tree) if isinstance(part, ast.Import | ast.ImportFrom)]
        self._modules = {_bound(alias) for part in imports if isinstance(part, ast.Import) for alias in part.names}
        self._imported = {_bound(alias) for part in imports for alias in part.names}

    def check(self, reads: Reads) -> None:
        """Check all code of the file, and add the names that its functions read."""
        for part in ast.walk(self._tree):
            self._check(part, reads)
        for function in _outermost_functions(self._tree):
            self._check_function(function)
        for code, is_in_function in _codes(compile_module(self._tree, str(self._path))):
            for instruction in get_instructions(code):
                if instruction.opname in GLOBAL_READS:
                    name, line = instruction.argval, instruction.positions and instruction.positions.lineno
                    if name in FORBIDDEN:
                        raise self._error(line, f"{name!r} is used: {ALONE}: {HERE}")
                    if is_in_function:
                        reads.setdefault(name, f"{self._path.name}, line {line}")

    def _check(self, part: ast.AST, reads: Reads) -> None:
        """Check one node, wherever it stands."""
        match part:
            case ast.Import():
                for alias in part.names:
                    self._check_import(part, alias.name, None)
            case ast.ImportFrom(module=str(name), level=0):
                self._check_import(part, name, {alias.name for alias in part.names})
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) if _is_reserved(name):
                raise self._error(part, f"{name!r} is used: {BESIDE}")
            case ast.Attribute(attr=name):
                of_module = isinstance(part.value, ast.Name) and part.value.id in self._modules
                is_private = name.startswith("_") and name not in UNDERSCORED
                if name in FORBIDDEN_ATTRIBUTES or _is_reserved(name) or (is_private and not of_module):
                    raise self._error(part, f"attribute {name!r} is used: {BESIDE}")
                if name == "format" and not (isinstance(part.value, ast.Constant) and "_" not in str(part.value.value)):
                    raise self._error(part, f"'format' is used: {BESIDE}: write f'...'")
                if not isinstance(part.ctx, ast.Load):
                    raise self._change(part, part)
                if _root(part) in self._imported:
                    reads.setdefault(name, f"{self._path.name}, line {part.lineno}")
            case ast.AsyncFunctionDef():
                raise self._error(part, f"'async' is used: {BESIDE}")

    def _check_import(self, part: ast.stmt, name: str, names: Set[str] | None) -> None:
        """Check the import of a module, or of names from it."""
        if self._is_beside(name) or name.startswith(source.BUILT_IN) or name in WHOLE_LIBRARIES:
            return
        allowed = LIBRARIES.get(name)
        if allowed is None or names is None or not names <= allowed:
            those = f"from {name} {', '.join(sorted(allowed))}" if allowed else LIBRARY_NAMES
            hint = HINTS.get(name, HERE)
            raise self._error(
                part, f"{name!r} is imported: {ALONE}: {hint}; rules can import {those}, and files beside them"
            )

    def _is_beside(self, name: str) -> bool:
        """Return whether Python finds a module in the folder of the rules, or nowhere, which it reports."""
        top = name.partition(".")[0]
        try:
            found = find_spec(top)
        except ValueError:  # the module that Python runs
            return False
        if found is None:
            return True
        paths = [found.origin] if found.origin else found.submodule_search_locations or []
        beside = {self._folder / f"{top}.py", self._folder / top / "__init__.py", self._folder / top}
        return {*map(Path, paths)} <= beside

    def _check_function(self, function: source.Definition) -> None:
        """Check that a function changes only what it makes itself."""
        local = source.local_names(function)
        for part in ast.walk(function):
            match part:
                case ast.Import() | ast.ImportFrom():
                    raise self._error(part, "an import stands inside a function: it belongs at the top of the file")
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    raise self._change(part, ast.Name(names[0]), function)
                case ast.Subscript(ctx=ast.Store() | ast.Del()) if _root(part) not in (None, *local):
                    raise self._change(part, part, function)
                case ast.Call(func=ast.Attribute(attr=method) as changed) if method in MUTATING_METHODS:
                    if _root(changed) not in (None, *local):
                        raise self._change(part, changed.value, function)

    def _change(self, part: Any, changed: ast.expr, function: ast.AST | None = None) -> GameError:
        by = f"{getattr(function, 'name', 'a lambda')!r} changes" if function else "this changes"
        return self._error(part, f"{by} {ast.unparse(changed)}: {ALONE}, so that what changes is a field of State")

    def _error(self, place: Any, reason: str) -> GameError:
        return GameError(f"{self._path.name}, line {getattr(place, 'lineno', place)}: {reason}.")


def _bound(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return (alias.asname or alias.name).partition(".")[0]


def _codes(code: CodeType, is_in_function: bool = False) -> Iterator[tuple[CodeType, bool]]:
    """Yield a code object with all inside it, and whether each runs when a function is called, not on loading."""
    yield code, is_in_function
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            is_function = bool(inner.co_flags & CO_OPTIMIZED) and inner.co_name not in COMPREHENSIONS
            yield from _codes(inner, is_in_function or is_function)


def _outermost_functions(tree: ast.AST) -> Iterator[source.Definition]:
    for part in ast.iter_child_nodes(tree):
        if isinstance(part, ast.FunctionDef | ast.Lambda):
            yield part
        else:
            yield from _outermost_functions(part)


def _is_reserved(name: str) -> bool:
    return name.startswith("__") and name not in UNDERSCORED


def _root(expression: ast.expr) -> str | None:
    """Return the name at the beginning of an expression such as `name.field[0]`, or None."""
    while isinstance(expression, ast.Subscript | ast.Attribute | ast.Starred):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


class _NotConstantError(Exception):
    """Raised for a value that can change; the message says what it is."""


def freeze(modules: Iterable[ModuleType], reads: Reads) -> None:
    """Make every value beside the functions of modules constant: lists become tuples, sets and dicts read-only.

    Args:
        modules: the modules of one game, or of a file of policies.
        reads: the names that their functions read.

    Raises:
        GameError: if a function reads a value that can change, or keeps one.
    """
    for module in modules:
        names = [name for name in vars(module) if not name.startswith("__")]
        _freeze(module, [*names, *(["__all__"] if hasattr(module, "__all__") else [])], reads)


def _freeze(owner: Any, names: Iterable[str], reads: Reads) -> None:
    """Make the attributes of a module or of a class constant."""
    for name in names:
        value = vars(owner)[name]
        try:
            frozen = _frozen(value)
        except _NotConstantError as error:
            if name in reads:
                raise GameError(
                    f"{reads[name]}: {name!r} is read, {error}, which can change: {ALONE}, and from constants "
                    "beside them: numbers, texts, and tuples, lists, sets and dicts of these."
                ) from None
            continue
        if frozen is not value:
            setattr(owner, name, frozen)
        if isinstance(value, type) and value.__module__ == owner.__name__ and not issubclass(value, Enum):
            fields = getattr(value, "_fields", ())
            _freeze(value, [each for each in vars(value) if each[0] != "_" and each not in fields], reads)


def _frozen(value: Any, known: frozenset[int] = frozenset()) -> Any:
    """Return a value with tuples in place of lists, and read-only sets and dicts; `known` functions are constant."""
    kind = type(value)
    if kind in (list, tuple):
        return tuple(_frozen(each, known) for each in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(_frozen(each, known) for each in value))
    if kind in (set, frozenset):  # equal sets of numbers are gone through in the same order
        return frozenset(sorted((_frozen(each, known) for each in value), key=repr))
    if kind is dict:
        return MappingProxyType({_frozen(key, known): _frozen(each, known) for key, each in value.items()})
    if isinstance(value, FunctionType):
        _check_kept(value, known)
    elif isinstance(value, type):
        _check_class(value, known)
    elif isinstance(value, BuiltinFunctionType):
        if not isinstance(value.__self__, type(None) | ModuleType):
            raise _NotConstantError(f"a method of a {type(value.__self__).__name__}")
    elif not isinstance(value, CONSTANTS) and kind.__module__ != "typing":
        raise _NotConstantError(f"a {kind.__name__}")
    return value


def _check_class(value: type, known: frozenset[int]) -> None:
    """Check that the defaults of fields, or the members of an enumeration, are constant."""
    kept = [*getattr(value, "_field_defaults", {}).values()]
    kept += [member.value for member in value] if issubclass(value, Enum) else []
    if any(_frozen(each, known) != each for each in kept):
        raise _NotConstantError(f"a class that keeps {kept}")


def _check_kept(function: FunctionType, known: frozenset[int]) -> None:
    """Check that the defaults of a function, and what it keeps of the function around it, are constant."""
    if id(function) in known:
        return
    known |= {id(function)}
    code = function.__code__
    where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}: {function.__name__!r}"
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    kept = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
    for how, value in [*(("has the default", each) for each in defaults), *(("keeps", each) for each in kept)]:
        try:
            is_constant = _frozen(value, known) == value
        except _NotConstantError:
            is_constant = False
        if not is_constant:
            raise GameError(
                f"{where} {how} {value!r}, which is kept from call to call: use a tuple, or make it in the function."
            )
