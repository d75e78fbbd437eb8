"""A choice without a branch, for rule files: nobody can predict a die, and a processor that tries loses time."""

from typing import TypeVar

Option = TypeVar("Option")


def either(condition: bool, one: Option, other: Option) -> Option:
    """`one` if the condition is true, `other` if not.

    Both are worked out, so that neither may raise. They are numbers, or tuples of numbers, of one type.
    """
    return one if condition else other
