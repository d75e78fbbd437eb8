"""What rounding leaves out of a sum is known exactly."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from komi.graph.reachability_kernel import two_sum_error

NUMBERS = st.floats(-1e100, 1e100)


@given(NUMBERS, NUMBERS)
def test_a_rounded_sum_and_what_is_left_out_are_the_sum(before: float, added: float) -> None:
    left = Fraction(two_sum_error(before, added))
    exact = Fraction(before) + Fraction(added)
    assert exact == Fraction(before + added) + left or 0 < abs(exact) < Fraction(1, 10**280)
