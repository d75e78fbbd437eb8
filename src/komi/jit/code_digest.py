"""Digests of functions as they are compiled: what a kernel is made of, and nothing else.

Two functions share a digest only if the compiler is given the same for both. All that it adds of its own is the code of
the package `komi.jit`, on which every cache key depends (`cache_keys.code_key`).
"""

import sys
from collections.abc import Callable, Iterator
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic  # type: ignore[attr-defined]

from komi.jit.constants import ConstantDict
from komi.rules.content import Hasher, hashed

LIBRARIES = frozenset(("llvmlite", "numba", "numpy", *sys.stdlib_module_names))
"""Packages whose code has a version, on which every cache key depends."""


class CodeHasher(Hasher):
    """Hashes functions with all that compiled code of them contains.

    Args:
        replacement: returns what is compiled in the place of a global value with this name.
    """

    def __init__(self, replacement: Callable[[str, Any], Any]) -> None:
        super().__init__(())
        self._replacement = replacement
        self._closed: dict[Any, bytes] = {}  # hashes of what refers to nothing that refers to it from further up
        self._path: list[Any] = []
        self._first = 0  # the first place of the path to which a definition has referred

    def of(self, value: Any) -> bytes:
        """Hash a value."""
        if isinstance(value, Dispatcher | _Intrinsic):
            return self._of_compiled(value)
        if isinstance(value, np.ndarray):
            return hashed("array", repr((value.dtype.str, value.shape, value.flags.writeable)), value.tobytes("A"))
        if isinstance(value, np.generic | np.dtype | types.Type):
            return hashed("typed", repr(value))
        if isinstance(value, ConstantDict):
            return hashed("constant dict", self.of(value.keys), self.of(value.values))
        return super().of(value)

    def _of_compiled(self, value: Any) -> bytes:
        """Hash a function that is compiled already, or generated."""
        if hasattr(value, "digest"):
            return hashed("compiled", value.digest)
        function = value.py_func if isinstance(value, Dispatcher) else value._defn
        return hashed("compiled", self.of(function))

    def _of_definition(self, value: Any) -> bytes:
        """Hash a function or a class; a reference to one further up on the path tells how far up it is."""
        if self._is_of_library(value):
            return hashed("library", str(value.__module__), value.__qualname__)
        if value in self._closed:
            return self._closed[value]
        if value in self._path:
            place = self._path.index(value)
            self._first = min(self._first, place)
            return hashed("found", str(len(self._path) - place))
        before, place = self._first, len(self._path)
        self._first = place
        self._path.append(value)
        digest = self._of_function(value) if isinstance(value, FunctionType) else self._of_class(value)
        self._path.pop()
        if self._first == place:
            self._closed[value] = digest
        self._first = min(self._first, before)
        return digest

    def _of_function(self, function: FunctionType) -> bytes:
        names = str(function.__module__), function.__qualname__
        return hashed("named", *names, self.of(vars(function)), super()._of_function(function))

    def _of_class(self, value: type) -> bytes:
        """Hash a class; compiled code knows only the fields and the members of those of the engine."""
        if not value.__module__.startswith("komi."):
            return hashed("named", str(value.__module__), super()._of_class(value))
        parts = [getattr(value, name, ()) for name in ("_fields", "_field_defaults", "has_no_owner")]
        if issubclass(value, Enum):
            parts.append({each.name: each.value for each in value})
        return hashed("class", str(value.__module__), value.__qualname__, *map(self.of, parts))

    def _globals(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        for name, value in super()._globals(function):
            yield name, self._replacement(name, value)

    def _is_own(self, module: ModuleType) -> bool:
        name = module.__name__
        return not (name.partition(".")[0] in LIBRARIES or name.startswith("komi.jit."))


def of_type(kind: types.Type) -> str:
    """Write the type of an argument, with the fields of named tuples, which its name leaves out."""
    if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
        made = kind.instance_class
        return f"{made.__module__}.{made.__qualname__}{made._fields}({', '.join(map(of_type, kind.types))})"
    if isinstance(kind, types.Tuple | types.UniTuple):
        return f"({', '.join(map(of_type, kind.types))},)"
    return str(kind)
