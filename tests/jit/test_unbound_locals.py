"""A local variable without a value raises UnboundLocalError, as in Python, and never has another value."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numba
import pytest

from komi.jit.checked_arithmetic import CheckedCompiler


def of_a_branch(first: int, last: int) -> int:
    if first:
        total = 1
    for number in range(last):
        latest = number
        total += number
    return total + latest


def of_a_loop(first: int, last: int) -> int:
    for number in range(first, last):
        if number == 1:
            found = number
        if number > 1:
            first += found
    return first + number


def over_tuples(first: int, last: int) -> int:
    for number in range(last):
        if number >= first:
            pair = (number, 2)
    return pair[0]


def yielded(first: int, last: int) -> Iterator[int]:
    if first:
        number = 1
    if last:
        yield 1
    yield number


@pytest.mark.parametrize("function", [of_a_branch, of_a_loop, over_tuples, yielded])
def test_variables_are_pythons_or_raise_the_same_error(function: Callable[..., Any]) -> None:
    compiled = numba.njit(pipeline_class=CheckedCompiler, boundscheck=True)(function)
    for arguments in product(range(4), repeat=2):
        found, expected = (result(each, *arguments) for each in (compiled, function))
        assert found == expected, arguments


def result(function: Callable[..., Any], *arguments: int) -> Any:
    try:
        found = function(*arguments)
        return found if isinstance(found, int) else [*found]
    except UnboundLocalError:
        return UnboundLocalError


def test_inner_functions_do_not_keep_their_variables() -> None:
    def total(last: int) -> int:
        result = 0
        for number in range(last):

            def inner(number: int) -> int:
                if number == 0:
                    kept = 7
                return kept

            result += inner(number)
        return result

    with pytest.raises(numba.core.errors.UnsupportedError, match="'inner' assigns 'kept' inside another function"):
        numba.njit(pipeline_class=CheckedCompiler)(total)(3)
