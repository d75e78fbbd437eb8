"""Dicts of a rule file in compiled code."""

from typing import Any

import numba
import pytest

from komi.jit.constants import constant

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
