"""Specialization of engine code and rules for a GPU.

It works as for the CPU (`komi.jit.specialization`): the same copies of the same functions, rewritten in the same way,
become device functions of numba-cuda, generators included. Only functions that `komi.jit` implements as CPU
instructions are replaced, by Python.
"""

import math
from collections.abc import Callable, Mapping
from importlib import import_module
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, cast

import numba
from numba import cuda as numba_cuda
from numba.core.dispatcher import Dispatcher

from komi import bitset, branchless
from komi.game import put
from komi.gpu.card import is_simulated
from komi.jit import intrinsics, plain_numba
from komi.jit.overloads import OVERLOADS
from komi.jit.specialization import Specializer
from komi.typing import Integer

cuda: Any = numba_cuda
"""The module `numba.cuda`, whose types mypy does not know."""
OPTIONS: dict[str, Any] = {} if is_simulated() else {"lto": False}
"""Options of compilation: optimization at link time, the default, contracts products and sums (`card.compiling`)."""


def count_ones(bits: Integer) -> Any:
    """Count the set bits of a 64-bit integer."""
    return numba.int64(cuda.popc(numba.uint64(bits)))


def leading_zeros(bits: Integer) -> Any:
    """Count the zeros above the highest set bit of a 64-bit integer; 64 if it is 0."""
    return numba.int64(cuda.clz(numba.uint64(bits)))


if is_simulated():  # it counts zeros of 32 bits
    leading_zeros = cast(Dispatcher, plain_numba.leading_zeros).py_func


def length(members: int) -> Any:
    """Return one more than the largest element of a set; 0 if it is empty."""
    return 64 - leading_zeros(members)


REPLACEMENTS: dict[Any, Any] = {
    bitset.count: count_ones,
    bitset.length: length,
    bitset.nth: intrinsics.nth,
    intrinsics.count_ones: count_ones,
    intrinsics.leading_zeros: leading_zeros,
    intrinsics.trailing_zeros: cast(Dispatcher, plain_numba.trailing_zeros).py_func,
    intrinsics.prefetch: cast(Dispatcher, plain_numba.prefetch).py_func,
}
"""The GPU versions of functions of the library and of `komi.jit` that are instructions on the CPU."""


def _gcd(a: Any, b: Any) -> Any:  # noqa: ARG001  numba compares the parameters
    def gcd(a: Any, b: Any) -> Any:
        a, b = abs(a), abs(b)
        while b:
            a, b = b, a % b
        return a

    return gcd


if not is_simulated():
    for function, implementation in {**OVERLOADS, math.gcd: _gcd}.items():
        import_module("numba.cuda.extending").overload(function)(implementation)


class DeviceSpecializer(Specializer):
    """A specializer that compiles functions for the GPU; in numba's simulator they stay Python."""

    def __init__(
        self,
        replacements: Mapping[str, Any],
        plain: Callable[[ModuleType], bool],
        numbers: Mapping[str, int] = MappingProxyType({}),
        **options: Any,
    ) -> None:
        super().__init__(replacements, plain, numbers, **options)
        self._replaced = {}

    def kernel(self, function: Callable[..., object]) -> Any:
        """Return a copy of a function as a kernel, with all that it calls."""
        function = cast(FunctionType, function)
        code, helpers = self._code(function)
        copy = self._copy(function, code)
        self._link(copy, function, helpers)
        return cuda.jit(copy, **OPTIONS)  # numba-cuda forgets these where it is a decorator

    def _jit(self, copy: FunctionType, **options: Any) -> Any:
        inlining = {} if is_simulated() else {"forceinline": bool(options.get("forceinline"))}
        return cuda.jit(copy, device=True, **OPTIONS, **inlining)

    def _rewritten(self, function: FunctionType) -> tuple[CodeType, dict[str, Any]]:
        return (function.__code__, {}) if is_simulated() else super()._rewritten(function)

    def _compiled_value(self, value: object) -> object:
        if value is put or (value is branchless.either and is_simulated()):
            return value
        if isinstance(value, Callable) and value in REPLACEMENTS:  # type: ignore[arg-type]
            value = REPLACEMENTS[value]
        return super()._compiled_value(value.py_func if isinstance(value, Dispatcher) else value)
