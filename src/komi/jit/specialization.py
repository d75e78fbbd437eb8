"""Specialization of engine code for a game: copies of generic kernels that call the game's compiled rules.

Numba compiles a function together with the functions that its globals name, and can cache the result
on disk only if these are globals (not arguments, not closures). So a generic kernel is copied with the
game's functions in its globals, and so is every plain Python function that rules or kernel call, directly or
indirectly; there is one copy of each, so that recursion works.

Cached code is loaded under the names that it was compiled with, and if two functions have the same name, a process
uses the first for both. So each copy has a unique name, with the digest of the function and of all that is compiled
with it.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeVar

import numba

from komi.jit import overloads  # noqa: F401  registers functions that compiled rules can call
from komi.jit.cache_keys import code_key
from komi.jit.checked_arithmetic import CheckedCompiler
from komi.jit.code_digest import CodeHasher
from komi.jit.constants import constant
from komi.jit.intrinsics import CHECKED_REPLACEMENTS, NATIVE_REPLACEMENTS
from komi.jit.linking import RulesCompiler
from komi.jit.plain_numba import PLAIN_NUMBA
from komi.jit.rewriting import rewritten
from komi.jit.unsigned_indices import EngineCompiler
from komi.rules import source
from komi.typing import CompiledFunction

Function = TypeVar("Function", bound=Callable[..., object])

_HASHING = Lock()


def always_inline(function: Function) -> Function:
    """Mark an engine function to be inlined into the kernels that call it, as rules are: for calls in inner loops."""
    vars(function)["is_inlined"] = True
    return function


def never_inline(function: Function) -> Function:
    """Mark an engine function that has many callers, or that rules call, to be compiled only once in a kernel."""
    vars(function)["is_inlined"] = False
    return function


class Specializer:
    """Compiles functions, with some of the names that they use bound to other values.

    Args:
        replacements: the values of replaced names in all compiled functions.
        plain: returns whether the functions of a module are plain Python, to be compiled too.
        numbers: integers that replace strings in the code: compiled code compares integers faster.
        inline: inline functions into their callers, so that branches on constants are eliminated, and check indices:
            for rules.
        unsigned_indices: True for functions of the engine, which never use a negative index.
        fast: True if sums can be reassociated and division by 0 goes unchecked: for approximations only.
        checked: True if functions of plain modules raise an error where Python has larger integers, or an index is out
            of bounds.
    """

    def __init__(
        self,
        replacements: Mapping[str, CompiledFunction],
        plain: Callable[[ModuleType], bool],
        numbers: Mapping[str, int] = MappingProxyType({}),
        inline: bool = False,
        unsigned_indices: bool = False,
        fast: bool = False,
        checked: bool = False,
    ) -> None:
        self._replacements = dict(replacements)
        self._plain = plain
        self._numbers = numbers
        self._options: dict[str, Any] = {"forceinline": True, "boundscheck": True} if inline else {}
        if fast:  # a division with a check for 0 is not vectorized
            self._options |= {"fastmath": {"reassoc", "contract", "nsz", "arcp"}, "error_model": "numpy"}
        if not PLAIN_NUMBA:
            self._options["pipeline_class"] = EngineCompiler if unsigned_indices else RulesCompiler
        self._checks: dict[str, Any] = {"pipeline_class": CheckedCompiler, "boundscheck": True} if checked else {}
        self._replaced = NATIVE_REPLACEMENTS | CHECKED_REPLACEMENTS if checked else NATIVE_REPLACEMENTS
        self._copies: dict[FunctionType, Any] = {}
        self._modules: dict[ModuleType, ModuleType] = {}
        self._digests: dict[FunctionType, str] = {}
        self._hasher = CodeHasher(lambda name, value: self._replacement(name, value) or constant(value))
        self._settings = repr((inline, unsigned_indices, fast, checked, sorted(numbers.items())))

    def digest(self, function: FunctionType) -> str:
        """Return the digest of a function with all that is compiled with it."""
        with _HASHING:
            if function not in self._digests:
                self._digests[function] = code_key(self._settings, self._hasher.of(function).hex())
            return self._digests[function]

    def kernel(self, function: FunctionType) -> Any:
        """Return a copy of `function` that Python can call, and that releases the GIL; `link` it to compile it."""
        return self._jit(self._copy(function, function.__code__), nogil=True, **self._options)

    def link(self, function: FunctionType, kernel: Any) -> None:
        """Give the copy of a function that is a kernel all that it calls."""
        kernel.py_func.__code__, helpers = self._code(function)
        self._link(kernel.py_func, function, helpers)

    def compiled(self, function: FunctionType) -> Any:
        """Compile a copy of `function` that other compiled code can call."""
        if function not in self._copies:
            code, helpers = self._code(function)
            copy = self._copy(function, code)
            options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            if hasattr(function, "is_inlined"):
                options["forceinline"] = function.is_inlined
            if self._is_plain(function) and not _is_of_engine(function):  # searchers count beyond 64 bits on purpose
                options |= self._checks
            self._copies[function] = self._jit(copy, **(self._options | options))
            self._copies[function].digest = self.digest(function)
            self._link(copy, function, helpers)
        return self._copies[function]

    def _jit(self, copy: FunctionType, **options: Any) -> Any:
        """Return a copy of a function as numba compiles it."""
        return numba.njit(**options)(copy)

    def _copy(self, function: FunctionType, code: CodeType) -> FunctionType:
        """Return a function with this code, without global names, under a name of its own."""
        copy = FunctionType(code, {}, function.__name__, function.__defaults__, function.__closure__)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__qualname__ = f"{function.__qualname__}_{self.digest(function)}"
        copy.__module__ = function.__module__
        return copy

    def _code(self, function: FunctionType) -> tuple[CodeType, dict[str, Any]]:
        """Return the code of a function as it is compiled, and the new global names that it uses, with their values."""
        code, helpers = self._rewritten(function)
        if not self._numbers.keys().isdisjoint(code.co_consts):
            texts = self._numbers
            code = code.replace(
                co_consts=tuple(texts.get(each, each) if isinstance(each, str) else each for each in code.co_consts)
            )
        return code, helpers

    def _rewritten(self, function: FunctionType) -> tuple[CodeType, dict[str, Any]]:
        """Return the code of a function without what numba does not support, and the new global names that it uses."""
        return rewritten(function)

    def _link(self, copy: FunctionType, function: FunctionType, helpers: dict[str, Any]) -> None:
        """Give a copy of a function the names that it uses."""
        namespace = copy.__globals__
        namespace |= function.__globals__
        for name in set(_names(copy.__code__)) & namespace.keys():
            value = namespace[name]
            namespace[name] = self._replacement(name, value) or self._compiled_value(value)
        namespace |= helpers

    def _replacement(self, name: str, value: object) -> CompiledFunction | None:
        """Return what replaces a name; None for a function of a rule or policy file, which has the name by chance."""
        if isinstance(value, FunctionType) and self._is_plain(value) and not _is_of_engine(value):
            return None
        return self._replacements.get(name)

    def _is_plain(self, function: FunctionType) -> bool:
        return function.__module__ in sys.modules and self._plain(sys.modules[function.__module__])

    def _compiled_value(self, value: object) -> object:
        if isinstance(value, FunctionType) and not value.__module__.startswith("numba."):
            return self._replaced[value] if value in self._replaced else self.compiled(value)
        if isinstance(value, ModuleType) and self._plain(value):
            return self._compiled_module(value)
        return constant(value)

    def _compiled_module(self, module: ModuleType) -> ModuleType:
        if module not in self._modules:
            self._modules[module] = copy = ModuleType(module.__name__)
            for name, value in vars(module).items():
                setattr(copy, name, self._compiled_value(value))
        return self._modules[module]


def _is_of_engine(function: FunctionType) -> bool:
    return function.__module__.startswith("komi.") and not function.__module__.startswith(source.BUILT_IN)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
