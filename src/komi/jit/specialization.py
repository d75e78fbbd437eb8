"""Specialization of engine code for a game: copies of generic kernels that call the game's compiled rules.

Numba compiles a function together with the functions that its globals name, and can cache the result
on disk only if these are globals (not arguments, not closures). So a generic kernel is copied with the
game's functions in its globals, and so is every plain Python function that rules or kernel call, directly or
indirectly; there is one copy of each, so that recursion works.

Cached code is loaded under the names that it was compiled with, and if two functions have the same name, a process
uses the first for both. So each copy has a unique name, with the cache key of everything that it depends on.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeVar

import numba
from numba.core.dispatcher import Dispatcher

from komi.jit import overloads  # noqa: F401  registers functions that compiled rules can call
from komi.jit.cache_keys import fingerprint, source_digest
from komi.jit.checked_arithmetic import CheckedCompiler
from komi.jit.constants import constant
from komi.jit.intrinsics import CHECKED_REPLACEMENTS, NATIVE_REPLACEMENTS
from komi.jit.linking import RulesCompiler
from komi.jit.plain_numba import PLAIN_NUMBA
from komi.jit.rewriting import rewritten
from komi.jit.unsigned_indices import EngineCompiler
from komi.rules import source
from komi.typing import CompiledFunction

Function = TypeVar("Function", bound=Callable[..., object])

_ALWAYS_INLINED: set[object] = set()
_NEVER_INLINED: set[object] = set()


def always_inline(function: Function) -> Function:
    """Mark an engine function to be inlined into the kernels that call it, as rules are: for calls in inner loops."""
    _ALWAYS_INLINED.add(function)
    return function


def never_inline(function: Function) -> Function:
    """Mark an engine function that rules and policies call, such as a search, to be compiled only once in a kernel."""
    _NEVER_INLINED.add(function)
    return function


class Specializer:
    """Compiles functions, with some of the names that they use bound to other values.

    Args:
        replacements: the values of replaced names in all compiled functions.
        plain: returns whether the functions of a module are plain Python, to be compiled too.
        cache_key: the cache key of everything that the compiled functions depend on.
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
        cache_key: str,
        numbers: Mapping[str, int] = MappingProxyType({}),
        inline: bool = False,
        unsigned_indices: bool = False,
        fast: bool = False,
        checked: bool = False,
    ) -> None:
        self._replacements = dict(replacements)
        self._plain = plain
        self._cache_key = cache_key
        self._numbers = numbers
        self._options: dict[str, Any] = {"forceinline": True, "boundscheck": True} if inline else {}
        if fast:  # a division with a check for 0 is not vectorized
            self._options |= {"fastmath": {"reassoc", "contract", "nsz", "arcp"}, "error_model": "numpy"}
        if not PLAIN_NUMBA:
            self._options["pipeline_class"] = EngineCompiler if unsigned_indices else RulesCompiler
        self._checks: dict[str, Any] = {"pipeline_class": CheckedCompiler, "boundscheck": True} if checked else {}
        self._replaced = NATIVE_REPLACEMENTS | CHECKED_REPLACEMENTS if checked else NATIVE_REPLACEMENTS
        self._copies: dict[FunctionType, Dispatcher] = {}
        self._kernels: dict[FunctionType, Dispatcher] = {}
        self._modules: dict[ModuleType, ModuleType] = {}

    def kernel(self, function: FunctionType) -> Dispatcher:
        """Compile a copy of `function` that Python can call; it releases the GIL and is cached on disk."""
        if function not in self._kernels:
            self._compile(function, self._kernels, cache=True, nogil=True)
        return self._kernels[function]

    def compiled(self, function: FunctionType) -> Dispatcher:
        """Compile a copy of `function` that other compiled code can call."""
        if function not in self._copies:
            marked = function in _ALWAYS_INLINED or function in _NEVER_INLINED
            inline = {"forceinline": function in _ALWAYS_INLINED} if marked else {}
            self._compile(function, self._copies, no_cpython_wrapper=True, no_cfunc_wrapper=True, **inline)
        return self._copies[function]

    def _compile(self, function: FunctionType, copies: dict[FunctionType, Dispatcher], **options: Any) -> None:
        code, helpers = rewritten(function)
        namespace = dict(function.__globals__)
        copy = _copied(function, code, namespace, self._key_of(function), self._numbers)
        checks = self._checks if self._is_plain(function) else {}
        copies[function] = numba.njit(**(self._options | options | checks))(copy)
        for name in set(_names(code)) & namespace.keys():
            namespace[name] = self._replacement(name, namespace[name]) or self._compiled_value(namespace[name])
        namespace |= helpers

    def _replacement(self, name: str, value: object) -> CompiledFunction | None:
        """Return what replaces a name; None for a function of a rule or policy file, which has the name by chance."""
        if isinstance(value, FunctionType) and self._is_plain(value) and not _is_of_engine(value):
            return None
        return self._replacements.get(name)

    def _key_of(self, function: FunctionType) -> str:
        """Return the cache key of a function: it depends on its module and on all that this one imports."""
        if self._is_covered(function.__module__):
            return self._cache_key
        return fingerprint(self._cache_key, source_digest(function.__module__).digest)

    def _is_plain(self, function: FunctionType) -> bool:
        return function.__module__ in sys.modules and self._plain(sys.modules[function.__module__])

    def _is_covered(self, module: str | None) -> bool:
        """Return whether the cache key depends on the source of a module."""
        is_own = str(module).startswith("komi.") and not self._plain(sys.modules[str(module)])
        return not is_own or module in source_digest().modules

    def check_classes(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
        """Check that the cache key of a kernel depends on the fields of all named tuples among its arguments.

        Raises:
            TypeError: if it does not: cached code would read wrong fields after a change of the class.
        """
        stack = list(arguments)
        while stack:
            value = stack.pop()
            if not isinstance(value, tuple):
                continue
            stack += value
            module = type(value).__module__
            if not self._is_covered(module) and (
                self._is_covered(function.__module__) or module not in source_digest(function.__module__).modules
            ):
                raise TypeError(f"import {type(value).__name__} in {function.__module__}, where a kernel takes it")

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


def _copied(
    function: FunctionType, code: CodeType, namespace: dict[str, Any], cache_key: str, numbers: Mapping[str, int]
) -> FunctionType:
    if not numbers.keys().isdisjoint(code.co_consts):
        constants = tuple(numbers.get(value, value) if isinstance(value, str) else value for value in code.co_consts)
        code = code.replace(co_consts=constants)
    copy = FunctionType(code, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = f"{function.__qualname__}_{cache_key}"
    copy.__module__ = function.__module__
    return copy


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
