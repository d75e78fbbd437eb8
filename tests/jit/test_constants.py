"""Dicts and tables of a rule file in compiled code."""

from itertools import product
from typing import Any

import numba
import numpy as np
import pytest

from komi.jit.constants import MAX_IN_TUPLE, constant
from komi.jit.specialization import Specializer

TABLE = constant({1: 0, 2: 5, 7: -3})


@numba.njit
def read(key: int) -> Any:
    return TABLE[key], TABLE.get(key, 9), key in TABLE


@numba.njit
def sums() -> Any:
    total = 0
    for key, value in TABLE.items():
        total += key * value
    return len(TABLE), sum(TABLE.keys()), sum(TABLE.values()), total


@pytest.mark.parametrize(("key", "value"), [(1, 0), (2, 5), (7, -3)])
def test_compiled_code_reads_a_dict(key: int, value: int) -> None:
    assert read(key) == (value, value, True)


def test_compiled_code_knows_what_a_dict_lacks() -> None:
    with pytest.raises(KeyError):
        read(3)


def test_compiled_code_iterates_over_a_dict() -> None:
    assert sums() == (3, 10, 2, -11)


LONG = [3 * i for i in range(MAX_IN_TUPLE + 1)]
NESTED = tuple([[[i, j, k] for k in range(5)] for j in range(4)] for i in range(3))


def read_long(i: int) -> int:
    return LONG[i]


def read_nested(i: int, j: int, k: int) -> int:
    row = NESTED[i][j]
    first, second, third = row[k]
    return 100 * first + 10 * second + third + len(NESTED[i]) - len(row)


@numba.njit
def called(function: Any, arguments: Any) -> Any:
    return function(*arguments)


rules = Specializer({}, lambda module: False, inline=True)


@pytest.mark.parametrize("i", range(-len(LONG) - 2, len(LONG) + 2))
def test_compiled_code_reads_a_long_table_as_python_does(i: int) -> None:
    expected = LONG[i] if -len(LONG) <= i < len(LONG) else None
    try:
        found = called(rules.compiled(read_long), (i,))  # type: ignore[arg-type]  # a function of this module
    except IndexError:
        found = None
    assert found == expected


@pytest.mark.parametrize(("axis", "length"), [(0, 3), (1, 4), (2, 5)])
def test_compiled_code_checks_each_index_of_a_table(axis: int, length: int) -> None:
    compiled = rules.compiled(read_nested)  # type: ignore[arg-type]  # a function of this module
    for index in (-length, -1, 0, length - 1):
        indices = [1, 1, 1]
        indices[axis] = index
        assert called(compiled, tuple(indices)) == read_nested(*indices)
    for index in (-length - 1, length, 1 << 40):
        indices[axis] = index
        with pytest.raises(IndexError):
            called(compiled, tuple(indices))


def test_compiled_code_reads_every_entry_of_a_table() -> None:
    compiled = rules.compiled(read_nested)  # type: ignore[arg-type]  # a function of this module
    for indices in product(range(3), range(4), range(5)):
        assert called(compiled, indices) == read_nested(*indices)


@pytest.mark.parametrize(
    "table", [[1] * 99 + [1.0], [1] * 99 + [True], [[1] * 50, [1] * 51], [1 << 70] * 99, ["a"] * 99, [(1, (2,))] * 50]
)
def test_only_numbers_of_one_kind_in_equal_rows_are_a_table(table: list[Any]) -> None:
    assert not isinstance(constant(table), np.ndarray)


@pytest.mark.parametrize(("number", "kind"), [(1, np.int64), (0.5, np.float64), (True, np.bool_)])
def test_a_table_keeps_the_kind_of_its_numbers(number: float, kind: type) -> None:
    table: Any = constant([[number] * 9] * 9)
    assert table.dtype == kind
    assert not table.flags.writeable
