"""Functions of Python that numba lacks, such as `float(is_won)`, and `komi.game.put`, for compiled rules.

Results are Python's; the functions of `math` raise OverflowError where an integer does not fit into 64 bits. Parameters
are annotated alike in the function that numba asks for types and in the one that it compiles: it compares them.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

from numba.core import types
from numba.extending import overload
from numba.np import arrayobj

from komi.game import put

OTHER_SIZE = "an array is assigned to a slice of another size"
MAX_INTEGER = (1 << 63) - 1
"""The greatest integer of compiled code."""


Implementation = TypeVar("Implementation", bound=Callable[..., Any])
OVERLOADS: dict[Any, Callable[..., Any]] = {}
"""What numba asks for the implementation of each function, for another target, too."""


def overloads(function: Any) -> Callable[[Implementation], Implementation]:
    """Return a decorator as `numba.extending.overload` does, which also enters the function in `OVERLOADS`."""

    def enter(implementation: Implementation) -> Implementation:
        OVERLOADS[function] = implementation
        overload(function)(implementation)
        return implementation

    return enter


def _are_integers(*types_: Any) -> bool:
    return all(isinstance(type_, types.Integer | types.Boolean) for type_ in types_)


@overloads(float)
def _float(x: Any) -> Any:
    if not isinstance(x, types.Boolean):
        return None

    def float_of_bool(x: Any) -> float:
        return 1.0 if x else 0.0

    return float_of_bool


@overloads(math.comb)
def _comb(n: Any, k: Any) -> Any:
    if not _are_integers(n, k):
        return None

    def comb(n: Any, k: Any) -> Any:
        if n < 0 or k < 0:
            raise ValueError("comb() of a negative number")
        total = 1
        fewer = min(k, n - k)
        for i in range(1, fewer + 1):
            shared = math.gcd(total, i)
            total //= shared
            factor = (n - fewer + i) // (i // shared)
            if total > MAX_INTEGER // factor:
                raise OverflowError("comb() does not fit into 64 bits")
            total *= factor
        return total if k <= n else 0

    return comb


@overloads(math.perm)
def _perm(n: Any, k: Any) -> Any:
    if not _are_integers(n, k):
        return None

    def perm(n: Any, k: Any) -> Any:
        if n < 0 or k < 0:
            raise ValueError("perm() of a negative number")
        if k > n:
            return 0
        total = 1
        for fewer in range(k):
            factor = n - fewer
            if total > MAX_INTEGER // factor:
                raise OverflowError("perm() does not fit into 64 bits")
            total *= factor
        return total

    return perm


@overloads(math.factorial)
def _factorial(n: Any) -> Any:
    if not _are_integers(n):
        return None

    def factorial(n: Any) -> Any:
        if n < 0:
            raise ValueError("factorial() of a negative number")
        if n > 20:
            raise OverflowError("factorial() does not fit into 64 bits")
        total = 1
        for factor in range(2, n + 1):
            total *= factor
        return total

    return factorial


@overloads(math.isqrt)
def _isqrt(n: Any) -> Any:
    if not _are_integers(n):
        return None

    def isqrt(n: Any) -> Any:
        if n < 0:
            raise ValueError("isqrt() of a negative number")
        root = int(math.sqrt(n))
        while root > 3037000499 or root * root > n:
            root -= 1
        while root < 3037000499 and (root + 1) * (root + 1) <= n:
            root += 1
        return root

    return isqrt


@overloads(math.lcm)
def _lcm(a: Any, b: Any) -> Any:
    if not _are_integers(a, b):
        return None

    def lcm(a: Any, b: Any) -> Any:
        if a == 0 or b == 0:
            return 0
        factor = abs(a) // math.gcd(a, b)
        if factor > MAX_INTEGER // abs(b):
            raise OverflowError("lcm() does not fit into 64 bits")
        return factor * abs(b)

    return lcm


@overloads(any)
def _any(values: Any) -> Any:
    if not isinstance(values, types.IterableType):
        return None

    def any_true(values: Any) -> Any:
        for value in values:  # noqa: SIM110
            if value:
                return True
        return False

    return any_true


@overloads(all)
def _all(values: Any) -> Any:
    if not isinstance(values, types.IterableType):
        return None

    def all_true(values: Any) -> Any:
        for value in values:  # noqa: SIM110
            if not value:
                return False
        return True

    return all_true


@overloads(put)
def _put(values: Any, index: Any, value: Any) -> Any:  # noqa: ARG001  numba compares the parameters
    if not isinstance(values, types.BaseTuple) or not _are_integers(index):
        return None
    entries = ", ".join(f"value if index == {i} else values[{i}]" for i in range(len(values)))
    text = f"""def put(values: Any, index: Any, value: Any) -> Any:
    if index < 0:
        index += {len(values)}
    if index < 0 or index >= {len(values)}:
        raise IndexError("tuple index out of range")
    return ({entries},)"""
    namespace: dict[str, Any] = {"Any": Any}
    exec(text, namespace)
    return namespace["put"]


def _refuse_shapes(_given: Any, _expected: Any) -> None:
    """Raise the error for an array that is assigned to a slice of another size; they are the two shapes."""


@overload(_refuse_shapes)
def _refuse(_given: Any, _expected: Any) -> Any:
    def refuse(_given: Any, _expected: Any) -> None:
        raise ValueError(OTHER_SIZE)

    return refuse


arrayobj.raise_with_shape_context = _refuse_shapes
"""Numba's own function writes both shapes: its strings take seconds to compile in each kernel that assigns a slice."""
