"""Dice on the table are written as the digits of their faces."""

import pytest

from komi.games._dice import DIGITS, WITH, multiset


def face_by_face(digits: int) -> int:
    """Compute the same, one die after the other."""
    number = 0
    for digit in str(digits):
        face = int(digit)
        number = WITH[number][face] if face or not digits else -1
        if number < 0:
            return -1
    return int(number)


def test_every_multiset_is_read_as_it_is_written() -> None:
    assert [multiset(digits) for digits in DIGITS] == [*range(len(DIGITS))]


@pytest.mark.parametrize("begin", [0, 5000, 44000, 120000, 665000])
def test_no_other_number_is_one(begin: int) -> None:
    for digits in range(begin, begin + 2000):
        written = sorted(str(digits)) == [*str(digits)] and (set(str(digits)) <= set("123456") or digits == 0)
        assert multiset(digits) == (face_by_face(digits) if written else -1)


@pytest.mark.parametrize("digits", [-1, -111, 7, 10, 21, 1111111, 666667, 2045, 100000])
def test_invalid_multisets_have_no_number(digits: int) -> None:
    assert multiset(digits) == -1
