"""Engine code specialised per game: copies of a template that call one game's compiled rules.

Numba compiles a function together with the functions that its globals name, and can keep the result
on disk only if these are globals (not arguments, not closures). So a template is copied with the
game's functions in its globals, and so is every plain Python function that rules or template call,
however deep; one copy of each, so that recursion works.

Code that was kept on disk is loaded under the names that it was compiled with, and of two functions with one name a
process takes the first for both. So each copy has a name of its own, with a mark that stands for all it depends on.
"""

from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

import numba

from komi.compile import library  # noqa: F401  what it registers is what compiled rules may call
from komi.compile.bits import NATIVE
from komi.compile.constants import constant
from komi.compile.indices import EngineCompiler
from komi.compile.inline import is_inlined
from komi.compile.linking import RulesCompiler
from komi.compile.rewriting import rewritten


class Specialiser:
    """Compiles functions, replacing some of the names that they use.

    Args:
        replacements: what each of these names stands for in every compiled function.
        plain: says of a module whether its functions are plain Python, to be compiled too.
        mark: stands for all that the compiled functions depend on.
        numbers: what words in the code are replaced by: compiled code compares numbers faster.
        inline: put functions into those that call them, so that what constants decide is left out: for rules.
        engine: whether these are functions of the engine, which never uses a negative index.
        fast: whether sums may be added up in any order, and a number divided by 0: for approximations only.
    """

    def __init__(
        self,
        replacements: Mapping[str, Any],
        plain: Callable[[ModuleType], bool],
        mark: str,
        numbers: Mapping[str, int] = MappingProxyType({}),
        inline: bool = False,
        engine: bool = False,
        fast: bool = False,
    ) -> None:
        self._replacements = dict(replacements)
        self._plain = plain
        self._mark = mark
        self._numbers = numbers
        self._options: dict[str, Any] = {"forceinline": True} if inline else {}
        if fast:  # a division that asks whether its divisor is 0 is made one at a time, others eight or sixteen
            self._options |= {"fastmath": {"reassoc", "contract", "nsz", "arcp"}, "error_model": "numpy"}
        self._options["pipeline_class"] = EngineCompiler if engine else RulesCompiler
        self._copies: dict[FunctionType, Any] = {}
        self._kernels: dict[FunctionType, Any] = {}
        self._modules: dict[ModuleType, ModuleType] = {}

    def kernel(self, function: FunctionType) -> Any:
        """A compiled copy of `function` that Python can call; it lets other threads run, and is kept on disk."""
        if function not in self._kernels:
            self._compile(function, self._kernels, cache=True, nogil=True)
        return self._kernels[function]

    def compiled(self, function: FunctionType) -> Any:
        """A compiled copy of `function` that other compiled code can call."""
        if function not in self._copies:
            inline = {"forceinline": True} if is_inlined(function) else {}
            self._compile(function, self._copies, no_cpython_wrapper=True, no_cfunc_wrapper=True, **inline)
        return self._copies[function]

    def _compile(self, function: FunctionType, copies: dict[FunctionType, Any], **options: Any) -> None:
        code, helpers = rewritten(function)
        namespace = dict(function.__globals__)
        copy = _copied(function, code, namespace, self._mark, self._numbers)
        copies[function] = numba.njit(**(self._options | options))(copy)
        for name in set(_names(code)) & namespace.keys():
            namespace[name] = self._replacements.get(name) or self._compiled_value(namespace[name])
        namespace |= helpers

    def _compiled_value(self, value: Any) -> Any:
        if isinstance(value, FunctionType):
            return NATIVE[value] if value in NATIVE else self.compiled(value)
        if isinstance(value, ModuleType) and self._plain(value):
            return self._compiled_module(value)
        return constant(value)

    def _compiled_module(self, module: ModuleType) -> ModuleType:
        if module not in self._modules:
            self._modules[module] = copy = ModuleType(module.__name__)
            for name, value in vars(module).items():
                setattr(copy, name, self._compiled_value(value))
        return self._modules[module]


def _copied(
    function: FunctionType, code: CodeType, namespace: dict[str, Any], mark: str, numbers: Mapping[str, int]
) -> FunctionType:
    if not numbers.keys().isdisjoint(code.co_consts):
        constants = tuple(numbers.get(value, value) if isinstance(value, str) else value for value in code.co_consts)
        code = code.replace(co_consts=constants)
    copy = FunctionType(code, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = f"{function.__qualname__}_{mark}"
    copy.__module__ = function.__module__
    return copy


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
