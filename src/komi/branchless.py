"""Selection without a branch, for rule files: a processor mispredicts branches on random outcomes, and loses time."""

from typing import TypeVar

Option = TypeVar("Option")


def either(condition: bool, one: Option, other: Option) -> Option:
    """Select `one` if the condition is true, `other` if not.

    Both are evaluated, so neither may raise an error. They must be numbers, or tuples of numbers, of one type.
    """
    return one if condition else other
