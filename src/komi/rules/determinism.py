"""Determinism check: verifies from the source of rules that they depend only on their arguments.

Results about rules that depend on anything else would be meaningless. The check follows the functions of the game's
files, from those that the protocol names to all that they call. A rule can read module constants, set when its file is
loaded; it must not draw random numbers, read a clock or a file, or read anything that a function modifies later.
Functions without source are judged by the names that their code uses.
"""

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from komi.errors import GameError
from komi.rules import source
from komi.rules.source import UNRESOLVED


def _names_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINISTIC = _names_in(
    "players limits start legal outcomes over payoff possible view reward transient symmetries pick sample leader"
    " payoff_range open_actions aim roll objective deal"
)
"""Functions that must depend only on their arguments."""
UNRESTRICTED = _names_in(
    "elements label event read write board square decisive how_to_play target beside throw turned faces keeps card"
    " filled scores"
)
"""Functions that are unrestricted, except that they must not modify what the others read."""

ALLOWED_MODULES = _names_in(
    "math cmath operator numpy komi typing collections functools itertools enum numbers fractions builtins"
)
FORBIDDEN_FUNCTIONS = {  # forbidden functions of these modules
    "builtins": _names_in(
        "open input print exec eval compile globals locals vars id setattr delattr breakpoint __import__"
    ),
    "numpy": _names_in("empty empty_like load loadtxt genfromtxt fromfile memmap save savez savez_compressed savetxt"),
}
MUTABLE = (list, dict, set, bytearray, deque, np.ndarray)
MUTATING_METHODS = _names_in(
    "append extend insert pop popitem remove clear sort reverse update setdefault add discard fill put itemset resize"
    " partition setflags appendleft popleft extendleft rotate difference_update intersection_update"
    " symmetric_difference_update __setitem__ __delitem__ __iadd__"
)
"""Methods that modify their object."""
MUTATING_FUNCTIONS = _names_in("copyto put place putmask fill_diagonal put_along_axis shuffle heappush heappop heapify")
"""Functions that modify their first argument."""
ASSIGNMENTS = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.Delete),
    *(ast.For, ast.comprehension, ast.withitem),
)
"""Syntax nodes that assign to names, attributes or items."""

Key = tuple[int, str]
"""An object that a function reads or modifies: (its id, ""), or a module's name as (id of the namespace, name)."""


@dataclass(frozen=True)
class Site:
    """A line in which an object is read or modified, and the function that does so."""

    file: str
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


def check(module: ModuleType, functions: Iterable[str] = DETERMINISTIC) -> None:
    """Check that functions of a game's files depend only on their arguments.

    Args:
        module: the module of a rule file, or of a file of policies.
        functions: the names of the functions to check.

    Raises:
        GameError: if one does not: the sentence names the line.
    """
    reader = _Reader(set(source.files(module)))
    for name in sorted(functions):
        reader.judge(getattr(module, name, None), Site(_file(module), 1, name, name))
    reader.strict = False
    for name in sorted(UNRESTRICTED):
        if isinstance(function := getattr(module, name, None), FunctionType):
            reader.follow(function)
    for key, change in reader.changed.items():
        if key in reader.read:
            raise GameError(
                f"{change}: {change.function!r} changes {change.text}, which {reader.read[key].function!r} reads: "
                "what rules say must follow from their arguments alone, so that what changes is a field of State."
            )


def _file(module: ModuleType) -> str:
    return Path(str(module.__file__)).name


class _Reader:
    """Follows function calls, and records which objects the functions read and modify.

    Attributes:
        read: for each object read by a deterministic function, the first site.
        changed: for each object modified by an unrestricted function, the first site.
        strict: True while the functions followed must depend only on their arguments.
    """

    def __init__(self, files: set[Path]) -> None:
        self.read: dict[Key, Site] = {}
        self.changed: dict[Key, Site] = {}
        self.strict = True
        self.files = files
        self._followed: set[tuple[FunctionType, bool, frozenset[Any]]] = set()

    def follow(self, function: FunctionType, arguments: frozenset[tuple[str, Key]] = frozenset()) -> None:
        """Read a function of the game's files; `arguments` are its parameters that are bound to objects of a module."""
        if (function, self.strict, arguments) in self._followed:
            return
        self._followed.add((function, self.strict, arguments))
        body = source.definition(function)
        if body is None:
            self._judge_names(function)
            return
        if self.strict:
            _check_defaults(function)
        _Body(self, function, body, arguments).visit()

    def judge(self, value: object, site: Site) -> None:
        """Check that a function is allowed to use the value of one of its names."""
        if isinstance(value, FunctionType) and Path(value.__code__.co_filename) in self.files:
            self.follow(value)
        elif wrapped := getattr(value, "__wrapped__", None) or getattr(value, "py_func", None):
            self.judge(wrapped, site)
        elif not self.strict:
            return
        elif isinstance(value, tuple | frozenset):
            for item in value:
                self.judge(item, site)
        elif isinstance(value, MUTABLE):
            self.read.setdefault((id(value), ""), site)
            for item in _items(value):
                self.judge(item, site)
        elif (
            isinstance(value, type) and not _is_allowed(value) and (functions := self._own_functions(value)) is not None
        ):
            for item in functions:
                self.follow(item)
        elif not _is_constant(value) and not _is_allowed(value):
            raise _error(site, site.text)

    def _own_functions(self, value: type) -> list[FunctionType] | None:
        """Return the methods of a class of the game's files; None for any other class."""
        parts = [item.fget if isinstance(item, property) else item for item in vars(value).values()]
        functions = [
            item for item in parts if isinstance(item, FunctionType) and Path(item.__code__.co_filename) in self.files
        ]
        return functions if functions or hasattr(value, "_fields") or issubclass(value, Enum) else None

    def note_change(self, key: Key, site: Site) -> None:
        """Record that a function modifies an object of a module; raise GameError if it is not allowed to."""
        if self.strict:
            raise GameError(
                f"{site}: {site.function!r} changes {site.text}: what rules say must follow from their arguments "
                "alone, so that what changes is a field of State."
            )
        self.changed.setdefault(key, site)

    def _judge_names(self, function: FunctionType) -> None:
        code, file = function.__code__, Path(function.__code__.co_filename).name
        for name in code.co_names:
            value = function.__globals__.get(name, UNRESOLVED)
            values = {name: value}
            if isinstance(value, ModuleType):
                values = {f"{name}.{item}": getattr(value, item) for item in code.co_names if hasattr(value, item)}
            for text, item in values.items():
                if item is not UNRESOLVED and not isinstance(item, ModuleType):
                    self.judge(item, Site(file, code.co_firstlineno, function.__name__, text))


class _Body:
    """The body of one function, analysed name by name."""

    def __init__(
        self, reader: _Reader, function: FunctionType, body: source.Definition, arguments: frozenset[tuple[str, Key]]
    ) -> None:
        self._reader, self._function, self._body = reader, function, body
        self._local_names = source.local_names(body)
        self._nodes = list(ast.walk(body))
        self._global_names = {name for part in self._nodes if isinstance(part, ast.Global) for name in part.names}
        self._aliases: dict[str, set[Key]] = {}  # local names of objects of a module, or of parts of them
        self._exact_aliases: dict[str, set[Key]] = {}  # local names of the objects themselves
        for name, key in arguments:
            self._aliases.setdefault(name, set()).add(key)
            self._exact_aliases.setdefault(name, set()).add(key)

    def visit(self) -> None:
        """Check what the function reads, and record what it modifies."""
        for _ in range(2):  # the second pass finds aliases of aliases
            for part in self._nodes:
                if isinstance(part, ASSIGNMENTS):
                    self._note_aliases(part)
        for part in self._body.body if isinstance(self._body, ast.FunctionDef) else [self._body.body]:
            self._judge(part)
        for part in self._nodes:
            for target in _targets(part) if isinstance(part, ASSIGNMENTS) else ():
                self._note_target(target, part)
            if isinstance(part, ast.Call):
                self._note_call(part)

    def _judge(self, part: ast.AST) -> None:
        """Check every name in a syntax node; a chain of attributes of modules is checked as a whole."""
        if isinstance(part, ast.Import | ast.ImportFrom) and self._reader.strict:
            raise _error(_site(self._function, part), "an import, which belongs at the top of the file")
        if isinstance(part, ast.Nonlocal) and {*part.names} & {*self._function.__code__.co_freevars}:
            self._change(
                {(id(self._function), name) for name in part.names}, ast.Name(part.names[0], lineno=part.lineno)
            )
        if isinstance(part, ast.Name | ast.Attribute):
            chain = _chain(part)
            value, text = self._resolved(chain)
            if isinstance(value, ModuleType) and text.count(".") < len(chain) - 1:
                return  # a missing attribute: Python reports it at run time
            if value is not UNRESOLVED:
                site = _site(self._function, part, text)
                self._reader.judge(value, site)
                if self._reader.strict:
                    self._note_read(chain, site)
                return
        for child in ast.iter_child_nodes(part):
            self._judge(child)

    def _resolved(self, chain: list[ast.expr]) -> tuple[object, str]:
        """Resolve the longest prefix of an attribute chain with a known value; return the value and the prefix."""
        value: object = UNRESOLVED
        text = ""
        for expression in chain:
            found = source.resolve(expression, self._function, self._local_names)
            if found is UNRESOLVED:
                break
            value, text = (
                found,
                f"{text}.{expression.attr}" if isinstance(expression, ast.Attribute) else _text(expression),
            )
        return value, text

    def _note_read(self, chain: list[ast.expr], site: Site) -> None:
        first = chain[0]
        if isinstance(first, ast.Name):
            self._reader.read.setdefault((id(self._function.__globals__), first.id), site)
        for whole, member in pairwise(chain):
            module = source.resolve(whole, self._function, self._local_names)
            if isinstance(module, ModuleType) and isinstance(member, ast.Attribute):
                self._reader.read.setdefault((id(vars(module)), member.attr), site)

    def _note_aliases(self, part: ast.AST) -> None:
        values: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(part, ast.Assign):
            values = [(target, part.value) for target in part.targets]
        elif isinstance(part, ast.AnnAssign | ast.NamedExpr) and part.value is not None:
            values = [(part.target, part.value)]
        elif isinstance(part, ast.For | ast.comprehension):
            values = [(part.target, part.iter)]
        for target, value in values:
            keys = self._mutable_objects(value)
            for name in _names(target) if keys else ():
                self._aliases.setdefault(name, set()).update(keys)
                if isinstance(value, ast.Name) and isinstance(target, ast.Name) and not isinstance(part, ast.For):
                    self._exact_aliases.setdefault(name, set()).update(keys)

    def _mutable_objects(self, expression: ast.expr) -> set[Key]:
        """Return the mutable objects of modules that an expression evaluates to, or to a part of."""
        while isinstance(expression, ast.Subscript | ast.Attribute | ast.Starred):
            value = source.resolve(expression, self._function, self._local_names)
            if value is not UNRESOLVED and not isinstance(value, ModuleType):
                return {(id(value), "")} if isinstance(value, MUTABLE) else set()
            expression = expression.value
        if isinstance(expression, ast.IfExp):
            return self._mutable_objects(expression.body) | self._mutable_objects(expression.orelse)
        if not isinstance(expression, ast.Name):
            return set()
        value = source.resolve(expression, self._function, self._local_names)
        return {(id(value), "")} if isinstance(value, MUTABLE) else self._aliases.get(expression.id, set())

    def _note_target(self, target: ast.expr, part: ast.AST) -> None:
        if isinstance(target, ast.Name):
            if target.id in self._global_names:
                self._change({(id(self._function.__globals__), target.id)}, target)
            elif isinstance(part, ast.AugAssign):
                self._change(self._exact_aliases.get(target.id, set()), target)
            return
        keys = self._mutable_objects(target)
        base = target.value if isinstance(target, ast.Attribute | ast.Subscript) else target
        owner = source.resolve(base, self._function, self._local_names)
        if isinstance(target, ast.Attribute) and owner is not UNRESOLVED:
            keys = keys | {(id(vars(owner)) if isinstance(owner, ModuleType) else id(owner), target.attr)}
        self._change(keys, target)

    def _note_call(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Attribute) and call.func.attr in MUTATING_METHODS:
            self._change(self._mutable_objects(call.func.value), call.func.value)
        called = source.resolve(call.func, self._function, self._local_names)
        if getattr(called, "__name__", "") in MUTATING_FUNCTIONS and call.args:
            self._change(self._mutable_objects(call.args[0]), call.args[0])
        for keyword in call.keywords:
            if keyword.arg == "out":
                self._change(self._mutable_objects(keyword.value), keyword.value)
        if isinstance(called, FunctionType) and Path(called.__code__.co_filename) in self._reader.files:
            arguments = frozenset(
                (name, key) for name, value in _arguments(called, call) for key in self._mutable_objects(value)
            )
            if arguments:
                self._reader.follow(called, arguments)

    def _change(self, keys: set[Key], part: ast.expr) -> None:
        for key in keys:
            self._reader.note_change(key, _site(self._function, part, _text(part)))


def _check_defaults(function: FunctionType) -> None:
    code = function.__code__
    for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        if isinstance(default, MUTABLE):
            raise GameError(
                f"{Path(code.co_filename).name}, line {code.co_firstlineno}: {function.__name__!r} has the default "
                f"{default!r}, which is kept from call to call: use a tuple, or no default."
            )


def _targets(part: ast.AST) -> Iterator[ast.expr]:
    """Yield the targets of an assignment."""
    match part:
        case ast.Assign() | ast.Delete():
            targets = part.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For():
            targets = [part.target]
        case ast.withitem(optional_vars=ast.expr() as target):
            targets = [target]
        case _:
            return
    waiting = list(targets)
    while waiting:
        target = waiting.pop()
        if isinstance(target, ast.Tuple | ast.List):
            waiting += target.elts
        else:
            yield target.value if isinstance(target, ast.Starred) else target


def _names(target: ast.expr) -> Iterator[str]:
    for part in ast.walk(target):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id


def _chain(part: ast.expr) -> list[ast.expr]:
    """Return the prefixes of an attribute chain, such as `a`, `a.b`, `a.b.c`; none if it does not start with a name."""
    chain = [part]
    while isinstance(chain[0], ast.Attribute):
        chain.insert(0, chain[0].value)
    return chain if isinstance(chain[0], ast.Name) else []


def _text(expression: ast.expr) -> str:
    return expression.id if isinstance(expression, ast.Name) else ast.unparse(expression)


def _arguments(function: FunctionType, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the parameters of a function with the arguments of a call."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    yield from zip(names, call.args, strict=False)
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg)


def _items(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, list | set | deque):
        yield from value


def _is_constant(value: object) -> bool:
    return (
        value is None
        or value is UNRESOLVED
        or isinstance(value, int | float | complex | str | bytes | np.generic | Enum)
    )


def _is_allowed(value: object) -> bool:
    """Return whether a function or value of a library is deterministic."""
    owner = getattr(value, "__self__", None)
    if owner is None or isinstance(owner, ModuleType):
        home = str(getattr(value, "__module__", None) or getattr(owner, "__name__", None) or type(value).__module__)
    else:
        home = type(owner).__module__
    root = home.partition(".")[0].lstrip("_")
    if isinstance(value, ModuleType):
        return False
    name = str(getattr(value, "__name__", ""))
    return (
        root in ALLOWED_MODULES
        and not home.startswith("numpy.random")
        and name not in FORBIDDEN_FUNCTIONS.get(root, ())
    )


def _site(function: FunctionType, part: ast.AST, text: str = "") -> Site:
    file = Path(function.__code__.co_filename).name
    return Site(file, getattr(part, "lineno", 1), function.__name__, text)


def _error(site: Site, what: str) -> GameError:
    return GameError(
        f"{site}: {site.function!r} uses {what}: what rules say must follow from their arguments alone, without random "
        "numbers, clocks and files, and with no modules but 'math', 'numpy' and the game's own; chance is what "
        "'outcomes' yields."
    )
