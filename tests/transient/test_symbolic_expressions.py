"""The result of a symbolic execution holds for all totals that satisfy its path condition."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from komi.transient.symbolic_expressions import PathCondition, SymbolicExecutionError, SymbolicExpression

STEPS = (1, 50)
NUMBERS = range(-3, 8)
"""Of steps, for each of two totals."""


def capped(one: Any, other: Any) -> Any:
    return min(one + 2, 5), max(other, 100), one if other > 150 else -one


def compared(one: Any, other: Any) -> Any:
    return [one * 50 < other, other <= one, one == 3, one != other // 50, bool(one), abs(one - 2) + 1]


def divided(one: Any, other: Any) -> Any:
    return other // 50 + 3 * one, other % 50, (other - 25) % 25, (2 - one) * 2 - 2 * one


def chained(one: Any, other: Any) -> Any:
    total, steps = one, 0
    while total > 0:
        total, steps = total - 2, steps + 1
    return total, steps, 0 <= other - 50 < 100, 3 - other >= one


@pytest.mark.parametrize("rule", [capped, compared, divided, chained])
def test_a_result_holds_wherever_its_path_condition_does(rule: Callable[..., Any]) -> None:
    for numbers in product(NUMBERS, NUMBERS):
        path_condition = PathCondition()
        found = rule(*path_condition.symbols(STEPS, numbers))
        for others in product(NUMBERS, NUMBERS):
            if satisfies(path_condition, others):
                fields = [step * number for step, number in zip(STEPS, others, strict=True)]
                assert [evaluate(each, others) for each in found] == [*rule(*fields)]
        assert satisfies(path_condition, numbers)


def satisfies(path_condition: PathCondition, numbers: Any) -> bool:
    return all(low <= evaluate_form(form, numbers) < high for form, (low, high) in path_condition.ranges.items())


def evaluate_form(form: Any, numbers: Any) -> int:
    return sum(one * number for one, number in zip(form, numbers, strict=True))


def evaluate(found: Any, numbers: Any) -> Any:
    return (
        found.constant + evaluate_form(found.coefficients, numbers) if isinstance(found, SymbolicExpression) else found
    )


@pytest.mark.parametrize(
    "use",
    [
        lambda one: one * one,
        lambda one: one / 2,
        lambda one: one // 2,
        lambda one: one + 0.5,
        lambda one: [5, 6][one],
        lambda one: range(one),
        lambda one: 1 << one,
        lambda one: float(one),
        lambda one: f"{one}",
        lambda one: {one},
        lambda one: one * (1 << 50),
    ],
)
def test_other_operations_are_refused(use: Callable[[Any], Any]) -> None:
    (one,) = PathCondition().symbols((1,), (1,))
    with pytest.raises((SymbolicExecutionError, TypeError)):
        use(one)
