"""Sums that keep what rounding leaves out, so that they are right to a unit or two in their last place."""

from komi.compile.inline import inlined


@inlined
def left_out(before: float, added: float) -> float:
    """What rounding leaves out of the sum of two numbers, exactly (D. E. Knuth, TAOCP 2, 4.2.2, theorem B)."""
    total = before + added
    part = total - before
    return (before - (total - part)) + (added - part)
