"""Checked arithmetic is Python's, or raises OverflowError: at the ends of 64 bits and of the exact floats."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numba
import pytest

from komi.jit import overloads  # noqa: F401  for math.perm
from komi.jit.checked_arithmetic import CheckedCompiler

ENDS = sorted({sign * (1 << bits) + offset for sign in (1, -1) for bits in (31, 53, 62, 63) for offset in (-1, 0, 1)})
WORDS = [word for word in (*ENDS, *range(-3, 4), 64) if -(1 << 63) <= word < 1 << 63]


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = numba.njit(pipeline_class=CheckedCompiler, boundscheck=True)(function)
    return compiled


def result(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a function, or the class of the exception that it raises."""
    try:
        return function(*arguments)
    except (ArithmeticError, ValueError) as error:
        return type(error)


def check(function: Callable[..., Any], *values: list[Any]) -> None:
    """Compare a compiled function with Python's, for all combinations of these values of its parameters."""
    compiled = checked(function)
    for arguments in product(*values):
        if function in LARGE and LARGE[function](*arguments):
            continue
        expected, found = result(function, *arguments), result(compiled, *arguments)
        if isinstance(expected, int) and not -(1 << 63) <= expected < 1 << 63:
            assert found is OverflowError, arguments
        elif isinstance(expected, type):
            assert isinstance(found, type), arguments
        elif found is OverflowError:  # an intermediate result is too large
            assert max(map(abs, arguments)) > 64, arguments
        else:
            assert found == expected and isinstance(found, type(expected)), arguments


def power(a: int, b: int) -> int:
    return a**b  # type: ignore[no-any-return]


def shift(a: int, b: int) -> int:
    return a << b


def shift_back(a: int, b: int) -> int:
    return a >> b


LARGE: dict[Callable[..., Any], Callable[[int, int], bool]] = {
    power: lambda a, b: b < 0 or (b > 64 and abs(a) > 1),
    shift: lambda a, b: b > 63,
    shift_back: lambda a, b: b > 63,
}
"""Where Python computes floats, or takes too long."""


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a // b,
        lambda a, b: a % b,
        lambda a, b: divmod(a, b)[0],
        lambda a, b: -a - abs(b),
        lambda a, b: math.gcd(a, b),
        lambda a, b: math.perm(a, b % 3),
        lambda a, b: sum((a, b, a > b)),
        lambda a, b: sum([a, b], 1),
        lambda a, b: sum([each + b for each in (a, b)]),
        lambda a, b: a < b,
        lambda a, b: a & b | ~a ^ b,
        power,
        shift,
        shift_back,
    ],
)
def test_integers_are_pythons_or_raise_an_error(function: Callable[..., Any]) -> None:
    check(function, WORDS, WORDS)


def test_augmented_assignment_raises_an_error() -> None:
    def doubled(a: int, times: int) -> int:
        for _ in range(times):
            a += a
        return a

    check(doubled, WORDS, [0, 1, 2])


def test_numbers_are_counted_as_python_counts_or_raise_an_error() -> None:
    def counted(a: int, b: int) -> int:
        return len(range(a, b, 1 << 61)) + sum([index for index, _ in enumerate((a, b), a)])

    check(counted, WORDS, WORDS)


def test_shifts_by_more_than_63_bits_are_refused() -> None:
    for function in (shift, shift_back):
        compiled = checked(function)
        for count in (-1, 64, 1 << 40):
            with pytest.raises(OverflowError, match="more than 63 bits"):
                compiled(1, count)


@pytest.mark.parametrize(
    "function", [lambda a: int(a), lambda a: round(a), lambda a: math.floor(a), lambda a: math.ceil(a)]
)
def test_floats_beyond_64_bits_become_no_integers(function: Callable[..., Any]) -> None:
    floats = [0.5, -1.5, 2.0**62, -(2.0**62), 2.0**63, -(2.0**64), 1e300, math.inf, -math.inf, math.nan]
    check(function, floats)


def test_integers_beyond_floats_are_not_compared_as_floats() -> None:
    def is_greater(a: int, b: float) -> bool:
        return a > b

    compiled = checked(is_greater)
    assert compiled(1 << 53, 0.5)
    for a in ((1 << 53) + 1, -(1 << 53) - 1, (1 << 63) - 1, -(1 << 63)):
        with pytest.raises(OverflowError, match=r"2\*\*53"):
            compiled(a, 9007199254740992.0)


def test_quotients_of_large_integers_are_refused() -> None:
    def quotient(a: int, b: int) -> float:
        return a / b

    compiled = checked(quotient)
    assert compiled(7, 2) == 3.5
    with pytest.raises(OverflowError, match=r"2\*\*53"):
        compiled((1 << 62) + 1, 3)


def test_a_constant_beyond_64_bits_is_refused() -> None:
    def plus(a: int) -> int:
        return a + 9223372036854775808

    with pytest.raises(OverflowError, match="'plus' exceeds 64 bits"):
        checked(plus)(-1)
