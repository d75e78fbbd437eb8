"""Selection without a branch, for rule files: a processor mispredicts branches on random outcomes, and loses time."""

from typing import TypeVar

Value = TypeVar("Value")


def either(condition: bool, if_true: Value, if_false: Value) -> Value:
    """Select `if_true` if the condition is true, `if_false` if not.

    Both are evaluated, so neither may raise an error. They must be numbers, or tuples of numbers, of one type.
    """
    return if_true if condition else if_false
