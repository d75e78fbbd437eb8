"""Digests of what rule files say: the code of their functions, and the values of the constants that these read.

Two modules share a digest only if their functions do the same: names, kinds of values (1, 1.0 and True are three) and
defaults are part of it; comments and the places of files are not. Values are hashed as a tree, each part by its own
hash, so that no two values are written alike.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from komi.rules import source

PLAIN = (int, float, bool, str, bytes, complex, range, type(None), type(Ellipsis))
"""Types whose values have texts that determine them."""
WRITTEN = ("types", "typing", "fractions")
"""Modules whose objects have texts that determine them; no function reads a value of any other type."""
GENERATED = frozenset(("_replace", "_asdict", "_make"))  # methods that every NamedTuple has


def digest(module: ModuleType) -> str:
    """Compute the digest of a module of rules or policies: of all its names, and of all that their values refer to."""
    names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return Hasher(source.files(module)).of_names(names).hex()


class Hasher:
    """Hashes values; functions and classes that refer to each other are numbered in the order in which they are found.

    Args:
        files: the files of the module: what they define is hashed by its contents, what a library defines by its name.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        self._files = {str(file) for file in files}
        self._found: dict[int, int] = {}

    def of_names(self, names: dict[str, Any]) -> bytes:
        """Hash named values."""
        return hashed("names", *(part for name in sorted(names) for part in (hashed(name), self.of(names[name]))))

    def of(self, value: Any) -> bytes:
        """Hash a value."""
        kind = type(value)
        if kind in PLAIN:
            return hashed("plain", _written(value))
        if kind in (tuple, list):
            if all(type(each) in PLAIN for each in value):  # long tables
                return hashed(f"plain {kind.__name__}", ",".join(map(_written, value)))
            return hashed(kind.__name__, *map(self.of, value))
        if kind in (set, frozenset):
            return hashed(kind.__name__, *sorted(map(self.of, value)))
        if kind in (dict, MappingProxyType):
            return hashed("dict", *(self.of(each) for item in value.items() for each in item))
        if isinstance(value, CodeType):
            return self._of_code(value)
        if isinstance(value, ModuleType):
            return hashed("module", "" if self._is_own(value) else value.__name__)
        if isinstance(value, Enum):
            return hashed("enum", self.of(kind), value.name)
        if isinstance(value, FunctionType | type):
            return self._of_definition(value)
        if isinstance(value, property | staticmethod | classmethod):
            return hashed(kind.__name__, self.of(getattr(value, "fget", None) or getattr(value, "__func__", None)))
        if isinstance(value, tuple):  # a NamedTuple
            return hashed("tuple", self.of(kind), *map(self.of, value))
        if isinstance(value, BuiltinFunctionType):
            return hashed("built-in", str(value.__module__), value.__qualname__)
        return hashed(kind.__module__, kind.__qualname__, repr(value) if kind.__module__ in WRITTEN else "")

    def _of_definition(self, value: Any) -> bytes:
        """Hash a function or a class."""
        if self._is_of_library(value):
            return hashed("library", str(value.__module__), value.__qualname__)
        if id(value) in self._found:
            return hashed("found", str(self._found[id(value)]))
        self._found[id(value)] = len(self._found)
        return self._of_function(value) if isinstance(value, FunctionType) else self._of_class(value)

    def _of_function(self, function: FunctionType) -> bytes:
        cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
        parts = function.__code__, function.__defaults__, function.__kwdefaults__, cells
        return hashed("function", *map(self.of, parts), self.of_names(dict(self._globals(function))))

    def _globals(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        """Yield the global names that a function could read, also those of modules, with their values."""
        names = {name for code in source.codes(function.__code__) for name in code.co_names}
        waiting = [("", function.__globals__)]
        seen = set[int]()
        while waiting:
            prefix, namespace = waiting.pop()
            for name in sorted(names & namespace.keys()):
                value = namespace[name]
                yield prefix + name, value
                if isinstance(value, ModuleType) and id(value) not in seen:
                    seen.add(id(value))
                    waiting.append((f"{prefix}{name}.", vars(value)))

    def _of_class(self, value: type) -> bytes:
        members = {
            name: each
            for name, each in vars(value).items()
            if name in ("__annotations__", "__init__") or not (name.startswith("__") or name in GENERATED)
        }
        return hashed("class", value.__qualname__, *map(self.of, value.__bases__), self.of_names(members))

    def _of_code(self, code: CodeType) -> bytes:
        shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        return hashed("code", *map(self.of, (code.co_code, code.co_exceptiontable, code.co_consts, shape, names)))

    def _is_own(self, module: ModuleType) -> bool:
        return getattr(module, "__file__", None) in self._files or module.__name__.startswith(source.BUILT_IN)

    def _is_of_library(self, value: Any) -> bool:
        """Return whether a function or class is that of this name in a module of Python or komi."""
        module = sys.modules.get(str(value.__module__))
        return module is not None and getattr(module, value.__qualname__, None) is value and not self._is_own(module)


def _written(value: Any) -> str:
    """Return the text that determines a plain value, and its type."""
    return hex(value) if type(value) is int else repr(value)


def hashed(kind: str, *parts: str | bytes) -> bytes:
    """Hash parts, each by its own hash."""
    digest = hashlib.blake2b(kind.encode(), digest_size=16)
    for part in parts:
        digest.update(hashlib.blake2b(part.encode() if isinstance(part, str) else part, digest_size=16).digest())
    return digest.digest()
