"""Compiled rules can call what numba lacks."""

import numba
import pytest

from komi.jit import overloads  # noqa: F401  registers them


@numba.njit
def shares(a: int, b: int) -> tuple[float, float, float]:
    return float(a > b), float(a == b), float(a)


@pytest.mark.parametrize("pair", [(1, 0), (2, 2), (0, 3)])
def test_a_truth_value_becomes_a_number_with_a_point(pair: tuple[int, int]) -> None:
    assert shares(*pair) == shares.py_func(*pair)
    assert [type(share) for share in shares(*pair)] == [float, float, float]
