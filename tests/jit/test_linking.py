"""A kernel and what it calls become machine code together, and do what they did apart."""

from typing import Any

import pytest
from numba.core.codegen import JITCodeLibrary

from komi.jit.kernels import engine_kernels


def fibonacci(n: int) -> int:
    """Call itself."""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def even(n: int) -> bool:
    """Return whether a number is even, by mutual recursion."""
    return True if n == 0 else odd(n - 1)


def odd(n: int) -> bool:
    """Return whether a number is odd, by mutual recursion."""
    return False if n == 0 else even(n - 1)


def upwards(n: int) -> Any:
    """Yield ascending numbers."""
    i = 0
    while i < n:
        yield i
        i += 1


def checked(n: int) -> int:
    """Raise an error far from the call."""
    if n > 3:
        raise ValueError("more than three")
    return n


def total(n: int) -> int:
    """Iterate over a generator."""
    found = 0
    for i in upwards(n):
        found += checked(i)
    return found


def sum_of_fibonacci(n: int) -> int:
    """Call a recursive function twice."""
    return fibonacci(n) + fibonacci(n + 1)


def is_even(n: int) -> bool:
    """Call functions that call each other."""
    return even(n)


def test_functions_that_call_themselves_and_each_other_are_linked():
    assert engine_kernels()[sum_of_fibonacci](10) == 55 + 89
    assert engine_kernels()[is_even](10)
    assert not engine_kernels()[is_even](7)


def test_exceptions_raised_in_what_a_kernel_calls_are_those_of_python():
    assert engine_kernels()[total](4) == 6
    with pytest.raises(ValueError, match="more than three"):
        engine_kernels()[total](5)


def outer(n: int) -> int:
    """Call a function that calls a function."""
    return middle(n) + 1


def middle(n: int) -> int:
    """Call a function."""
    return inner(n) + inner(n + 1)


def inner(n: int) -> int:
    """Call no function."""
    return 2 * n


def test_machine_code_is_made_once(monkeypatch):
    made = []
    specific = JITCodeLibrary._finalize_specific
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda library: made.append(library) or specific(library))
    assert engine_kernels()[outer](3) == 15
    assert len(made) == 1
