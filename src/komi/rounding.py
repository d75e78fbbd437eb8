"""Rounding in one direction, for bounds: what is printed is a bound, too."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


def round_up(number: float | Decimal, digits: int) -> float:
    """Round a number up to so many significant digits, at most 15, to be formatted with as many.

    Examples:
        >>> round_up(1.01e-9, 2)
        1.1e-09
    """
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal(number))


def round_down(number: float | Decimal, digits: int) -> float:
    """Round a number down to so many significant digits, at most 15, to be formatted with as many.

    Examples:
        >>> round_down(1234567.891238, 12)
        1234567.89123
    """
    return float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(number))


def format_bound(bound: float) -> str:
    """Write a bound on an error, rounded up to two digits.

    Examples:
        >>> format_bound(1.01e-9)
        '1.1e-09'
    """
    return f"{round_up(bound, 2):.1e}"


def proved_only(bound: float, tolerance: float) -> str:
    """Say that a result is not proved to a tolerance."""
    return f"proved only to {format_bound(bound)}, not to {tolerance:g}"
