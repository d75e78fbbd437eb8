"""Symbolic expressions for totals: rules executed with them yield results that hold for many states at once.

A symbol is a linear expression, constant + coefficient * total + ..., with its value in one concrete state. Sums,
differences and integer multiples of symbols are symbols, as are quotients by a divisor of all coefficients. If rules
compare symbols, the result is that of the concrete state, and the comparison is added to the path condition. In all
states that satisfy the path condition the rules execute the same steps, and their results are the values of the symbols
there (concolic execution: Sen, Marinov and Agha, ESEC/FSE 2005, after King, CACM 19(7), 1976). Any other operation on a
symbol raises an exception: the symbolic execution of such rules fails.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

LARGEST = 1 << 40
"""The limit on coefficients and constants, below which sums with fields of states do not overflow in compiled code."""

Form = tuple[int, ...]
"""The coefficients of a sum, without a common divisor; the first nonzero one is positive."""
Range = tuple[int, int]
"""The half-open interval of integers from the first to the second."""


class SymbolicExecutionError(Exception):
    """Raised if rules cannot be executed symbolically: they use more than linear operations and comparisons."""


class PathCondition:
    """The path condition: the conjunction of all comparisons so far.

    Attributes:
        ranges: the range of each sum, by its form.
    """

    def __init__(self) -> None:
        self.ranges: dict[Form, Range] = {}

    def symbols(self, steps: Sequence[int], numbers: Sequence[int]) -> list[Any]:
        """Create one symbol for each total, with its value `number` in units of its step."""
        forms = [tuple(int(i == j) for j in range(len(steps))) for i in range(len(steps))]
        return [
            SymbolicExpression(self, tuple(step * one for one in form), 0, step * number)
            for form, step, number in zip(forms, steps, numbers, strict=True)
        ]

    def narrow(self, form: Form, low: int, high: int) -> None:
        """Add the condition that a sum is in this range."""
        before = self.ranges.get(form, (-LARGEST, LARGEST))
        self.ranges[form] = max(before[0], low), min(before[1], high)


class SymbolicExpression:
    """A linear expression of totals.

    Args:
        path_condition: the path condition to which comparisons are added.
        coefficients: of the totals, in their steps; not all are 0.
        constant: the constant term.
        value: the value in the concrete state in which the rules are executed.
    """

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # NumPy defers to the operators of this class

    def __init__(self, path_condition: PathCondition, coefficients: Form, constant: int, value: int) -> None:
        if max(abs(constant), *map(abs, coefficients)) > LARGEST:
            raise SymbolicExecutionError
        self.path_condition, self.coefficients, self.constant, self.value = (
            path_condition,
            coefficients,
            constant,
            value,
        )

    def __add__(self, other: Any) -> Any:
        return self._with(1, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(-1, other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        factor = _whole(other)
        if factor == 0:
            return 0
        coefficients = tuple(factor * each for each in self.coefficients)
        return SymbolicExpression(self.path_condition, coefficients, factor * self.constant, factor * self.value)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __floordiv__(self, other: Any) -> Any:
        divisor = _whole(other)
        if divisor <= 0 or any(each % divisor for each in self.coefficients):
            raise SymbolicExecutionError
        coefficients = tuple(each // divisor for each in self.coefficients)
        return SymbolicExpression(self.path_condition, coefficients, self.constant // divisor, self.value // divisor)

    def __mod__(self, other: Any) -> int:
        divisor = _whole(other)
        if divisor <= 0 or any(each % divisor for each in self.coefficients):
            raise SymbolicExecutionError
        return self.constant % divisor

    def __lt__(self, other: Any) -> bool:
        return not self >= other

    def __gt__(self, other: Any) -> bool:
        return bool(self >= other + 1)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        difference = self - other
        return bool(difference.is_not_negative() if isinstance(difference, SymbolicExpression) else difference >= 0)

    def __eq__(self, other: object) -> bool:
        difference = self - other
        if not isinstance(difference, SymbolicExpression):
            return bool(difference == 0)
        if difference.constant % math.gcd(*difference.coefficients):
            return False
        return difference.is_not_negative() and (-difference).is_not_negative()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def _with(self, sign: int, other: Any) -> Any:
        """Add `sign` times another expression."""
        if not isinstance(other, SymbolicExpression):
            number = sign * _whole(other)
            return SymbolicExpression(
                self.path_condition, self.coefficients, self.constant + number, self.value + number
            )
        constant, value = self.constant + sign * other.constant, self.value + sign * other.value
        coefficients = tuple(
            one + sign * another for one, another in zip(self.coefficients, other.coefficients, strict=True)
        )
        return SymbolicExpression(self.path_condition, coefficients, constant, value) if any(coefficients) else constant

    def __getattr__(self, name: str) -> Any:
        """Refuse attributes and methods of numbers."""
        raise SymbolicExecutionError(name)

    def is_not_negative(self) -> bool:
        """Return whether the value is at least 0, and add the comparison to the path condition."""
        divisor = math.gcd(*self.coefficients)
        if next(filter(None, self.coefficients)) > 0:
            form = tuple(each // divisor for each in self.coefficients)
            least = -(self.constant // divisor)
            above = self.value >= 0
        else:
            form = tuple(-each // divisor for each in self.coefficients)
            least = self.constant // divisor + 1
            above = self.value < 0
        self.path_condition.narrow(form, least if above else -LARGEST, LARGEST if above else least)
        return self.value >= 0


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*_: Any) -> Any:
        raise SymbolicExecutionError(name)

    return refuse


for _name in ("str", "repr", "format", "int", "float", "index", "complex", "iter", "len", "getitem", "call"):
    setattr(SymbolicExpression, f"__{_name}__", _refused(_name))


def _whole(number: Any) -> int:
    """Return an integer operand of a symbol as a Python integer."""
    if not isinstance(number, int | np.integer):
        raise SymbolicExecutionError
    return int(number)
