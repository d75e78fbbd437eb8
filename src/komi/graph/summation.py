"""Compensated summation, accurate to a unit or two in the last place."""

from komi.jit.specialization import always_inline


@always_inline
def two_sum_error(before: float, added: float) -> float:
    """Compute the rounding error of a sum of two numbers, exactly (D. E. Knuth, TAOCP 2, 4.2.2, theorem B)."""
    total = before + added
    part = total - before
    return (before - (total - part)) + (added - part)
